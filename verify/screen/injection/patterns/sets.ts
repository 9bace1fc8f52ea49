// All shipped pattern sets.
import type { PatternSet } from '../types.ts'
import { config } from './config.ts'
import { enClaim } from './en-claim.ts'
import { enForge } from './en-forge.ts'
import { enHarm } from './en-harm.ts'
import { enJudge } from './en-judge.ts'
import { enJailbreak } from './en-jailbreak.ts'
import { enLeak } from './en-leak.ts'
import { enNewTask } from './en-new-task.ts'
import { enOverride } from './en-override.ts'
import { enPlot } from './en-plot.ts'
import { enReviewer } from './en-reviewer.ts'
import { enSetup } from './en-setup.ts'
import { enRole } from './en-role.ts'
import { enTerse } from './en-terse.ts'
import { markers } from './markers.ts'
import { de, nl, pl } from './latin-de-nl-pl.ts'
import { pt, ru } from './latin-pt-ru.ts'
import { es, fr, it } from './latin-romance.ts'
import { id, tr, vi } from './latin-tr-id-vi.ts'
import { scriptSets } from './other-scripts.ts'
import { tongues } from './tongues.ts'

export const shippedSets: readonly PatternSet[] = [
  enOverride,
  enNewTask,
  enRole,
  enLeak,
  enReviewer,
  enJudge,
  enPlot,
  enClaim,
  enSetup,
  enForge,
  enHarm,
  enTerse,
  enJailbreak,
  markers,
  config,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  ru,
  tr,
  id,
  vi,
  ...scriptSets,
  ...tongues,
]
