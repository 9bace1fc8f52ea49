// What the rest of the verifier uses of the injection screen.
export { buildInjectionLibrary, defaultInjectionLibrary } from './injection-library.ts'
export type { InjectionLibrary } from './injection-library.ts'
export { screenTexts } from './screen.ts'
export { defaultThresholds, injectionLimits } from './limits.ts'
export type { InjectionResult } from './types.ts'
