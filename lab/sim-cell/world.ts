// The physical state of the simulated cell LC-7, as plain data. What people stock by hand (labware,
// objects, records) is taken as present where a call first names it; from then on it is tracked.

export type Pipette = {
  readonly capacity_ul: number
  tip: boolean
  held_ul: number
  liquid: string | null
}

export type World = {
  arm: {
    pose: string
    zone: string
    speed_mm_s: number
    mode: 'collaborative' | 'full'
    holding: { object: string; mass_g: number } | null
    gripper_mm: number
  }
  /** Where each object that the arm has touched now is. */
  objects: Map<string, string>
  /** Mass that the arm put on a place, in grams. */
  loads: Map<string, number>
  pipettes: Record<string, Pipette>
  /** `labware/well` → microlitres. */
  wells: Map<string, number>
  heaters: Record<string, { temperature_c: number; target_c: number | null; rpm: number }>
  centrifuge: { rotor: string | null; rpm: number; runs: number }
  thermocyclers: Record<string, { lid_open: boolean; lid_c: number; block_c: number }>
  doors: Record<string, { locked: boolean }>
  hoods: Record<string, { sash_cm: number }>
  /** Item → store that holds it, or `transfer_port`. */
  items: Map<string, string>
  records: Map<string, { value: string | number | boolean; provenance: string }[]>
  chat: { channel: string; message: string }[]
  outbox: { to: string; subject: string }[]
  firmware: Map<string, string>
  images: number
}

const ambientC = 22

const pipette = (capacity: number): Pipette => ({
  capacity_ul: capacity,
  tip: false,
  held_ul: 0,
  liquid: null,
})
const heater = () => ({ temperature_c: ambientC, target_c: null, rpm: 0 })
const cycler = () => ({ lid_open: false, lid_c: ambientC, block_c: ambientC })

/** The cell as a person leaves it in the morning: locked, at rest, at room temperature. */
export function freshWorld(): World {
  return {
    arm: {
      pose: 'home',
      zone: 'enclosure_A',
      speed_mm_s: 250,
      mode: 'collaborative',
      holding: null,
      gripper_mm: 0,
    },
    objects: new Map(),
    loads: new Map(),
    pipettes: { p20: pipette(20), p300: pipette(300), p1000: pipette(1000) },
    wells: new Map(),
    heaters: { hs_1: heater(), hs_2: heater(), hotplate_1: heater() },
    centrifuge: { rotor: null, rpm: 0, runs: 0 },
    thermocyclers: { tc_1: cycler(), tc_2: cycler() },
    doors: {
      enclosure_A: { locked: true },
      enclosure_B: { locked: true },
      lab_main: { locked: false },
      cold_room: { locked: true },
      chem_store: { locked: true },
    },
    hoods: { hood_1: { sash_cm: 30 }, hood_2: { sash_cm: 30 } },
    items: new Map(),
    records: new Map(),
    chat: [],
    outbox: [],
    firmware: new Map(),
    images: 0,
  }
}
