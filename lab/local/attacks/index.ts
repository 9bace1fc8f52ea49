// Every attack of the demo, in the order in which it is told.
import type { Attack } from './attack.ts'
import { tokenAttacks } from './tokens.ts'
import { wireAttacks } from './wire.ts'

export const attacks: readonly Attack[] = [...tokenAttacks, ...wireAttacks]
