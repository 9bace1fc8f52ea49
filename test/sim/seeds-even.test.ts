// Worlds by seed: the real gateway and the real agents, with storage, clock, disk, process, network, release
// and restore faults between them. PORTCULLIS_SEEDS says how many, PORTCULLIS_SEED which one alone.
import { vi } from 'vitest'
import { testSeeds } from './seeds.ts'

vi.mock('../../robot-agent/device.ts', () => import('./bench.ts'))
vi.mock('ws', () => import('./network.ts'))
vi.mock('node:timers/promises', () => import('./timers.ts'))

testSeeds(0)
