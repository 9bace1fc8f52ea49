// The long-window monitor as others use it: make an entry, keep the window bounded, judge a new plan.
export { sketch } from './entry.ts'
export { monitor, type Current } from './monitor.ts'
export { prune } from './prune.ts'
export { windowRules } from './rules.ts'
