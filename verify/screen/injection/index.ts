// What the rest of the verifier uses of the injection screen.
export { buildInjectionLibrary, defaultInjectionLibrary, screenTexts } from './screen.ts'
export type { InjectionLibrary } from './screen.ts'
export { injectionLimits } from './limits.ts'
export type {
  InjectionHit,
  InjectionLevel,
  InjectionLimit,
  InjectionResult,
  PatternRow,
  PatternSet,
  ScreenText,
  Thresholds,
} from './types.ts'
