// The long-window monitor as others use it: make an entry, keep the window bounded. The screen itself judges by it.
export { sketch } from './entry.ts'
export { carryOver, prune } from './prune.ts'
export { windowRules } from './rules.ts'
