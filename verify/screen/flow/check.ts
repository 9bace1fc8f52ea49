// The information-flow check as one step of the screen: trace the labels once, then ask every question.
import type { Finding } from '../../../protocol/finding.ts'
import type { Scene } from '../scene.ts'
import { checkArtefactUse } from './artefact-use.ts'
import { checkPeopleInView, checkSinks } from './sinks.ts'
import { checkTold } from './told.ts'
import { traceFlow } from './travel.ts'

/** All findings about where data goes. */
export function checkFlow(scene: Scene): Finding[] {
  const flow = traceFlow(scene)
  return [
    ...checkSinks(scene, flow),
    ...checkPeopleInView(scene, flow),
    ...checkArtefactUse(scene, flow),
    ...checkTold(scene),
  ]
}
