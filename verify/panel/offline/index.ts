// The offline panel as the pipeline takes it.
import type { OfflinePanel } from '../../judge.ts'
import { chiefOffline } from './chief-offline.ts'
import { judgeOffline } from './judge-offline.ts'

export { chiefOffline } from './chief-offline.ts'
export { judgeOffline, verdictOf } from './judge-offline.ts'
export { outageCap } from './outage-cap.ts'

/** Three rule-based judges and their chief. */
export const offlinePanel: OfflinePanel = { judge: judgeOffline, chief: chiefOffline }
