// Tool name → what it does; absence is the refusal.
import type { Tool } from './act.ts'
import { accessTools } from './devices/access.ts'
import { armTools } from './devices/arm.ts'
import { benchTools } from './devices/bench.ts'
import { centrifugeTools } from './devices/centrifuge.ts'
import { dataTools } from './devices/data.ts'
import { liquidHandlerTools } from './devices/liquid-handler.ts'
import { storageTools } from './devices/storage.ts'
import { thermalTools } from './devices/thermal.ts'

export const toolTable: Readonly<Record<string, Tool>> = {
  ...liquidHandlerTools,
  ...armTools,
  ...thermalTools,
  ...centrifugeTools,
  ...accessTools,
  ...storageTools,
  ...benchTools,
  ...dataTools,
}
