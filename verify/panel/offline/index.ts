// The rule-based judges and their chief, as the pipeline takes them.
export { chiefOffline } from './chief-offline.ts'
export { judgeOffline, verdictOf } from './judge-offline.ts'
export { outageCap } from './outage-cap.ts'
