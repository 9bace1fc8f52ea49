// The list of sources, in the order in which they are read: the first record of an id wins.
import type { SourceModule } from './source.ts'
import { attackEnterprise, attackIcs } from './sources/attack.ts'
import { atlas } from './sources/atlas.ts'
import { avid } from './sources/avid.ts'
import { capec } from './sources/capec.ts'
import { cweNpm } from './sources/cwe-npm.ts'
import { cwe } from './sources/cwe.ts'
import { opentronsDocs, pylabrobot } from './sources/devices.ts'
import { ghs } from './sources/ghs.ts'
import { hmt } from './sources/hmt.ts'
import { incompat } from './sources/incompat.ts'
import { labsafety } from './sources/labsafety.ts'
import { opentronsData } from './sources/opentrons-data.ts'
import { franka, universalRobots } from './sources/robots.ts'
import { ros2 } from './sources/ros2.ts'
import { rvd } from './sources/rvd.ts'

/** Sources that live in folders under `--sources`, by folder name. */
export const folderSources: readonly SourceModule[] = [
  cwe,
  capec,
  attackIcs,
  attackEnterprise,
  atlas,
  rvd,
  avid,
  ros2,
  universalRobots,
  franka,
  ghs,
  hmt,
  incompat,
  labsafety,
  opentronsDocs,
  pylabrobot,
]

/** Data that npm packages carry; `folder` is inside the package. */
export const packageSources: readonly {
  readonly module: SourceModule
  readonly package: string
  readonly folder: string
}[] = [
  { module: opentronsData, package: '@opentrons/shared-data', folder: '.' },
  { module: cweNpm, package: 'cwe-sdk', folder: 'raw' },
]
