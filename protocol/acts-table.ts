// The table of acts: for each its family, the clause that says it, and its roles. What the words of the
// table mean is in acts.ts; here is nothing but rows.
import type { ActSpec } from './acts.ts'

const volume = { kind: 'quantity', dims: ['volume', 'mass'] } as const
const temperature = { kind: 'quantity', dims: ['temperature'] } as const
const duration = { kind: 'quantity', dims: ['time'] } as const

/**
 * Volumes of a transfer are per part of `to`; when `from` has as many parts, each gives one. Acts of
 * a pipetting head name it as `from` or `to`: what it holds in between is in the head.
 */
export const acts = {
  // --- matter ---
  transfer: {
    family: 'matter',
    says: 'moves {volume} of {substance} from {from} to {to}',
    roles: {
      from: { kind: 'thing', needed: true },
      from_part: { kind: 'choice' },
      to: { kind: 'thing', needed: true },
      to_part: { kind: 'choice' },
      volume: { ...volume, needed: true },
      substance: { kind: 'substance' },
      /** The head, pump or tip that carries it. */
      with: { kind: 'thing' },
      tip: { kind: 'choice' },
      mixes: { kind: 'quantity', dims: ['count'] },
      rate: { kind: 'quantity', dims: ['flow'] },
    },
  },
  mix: {
    family: 'matter',
    says: 'mixes {in}',
    roles: {
      in: { kind: 'thing', needed: true },
      in_part: { kind: 'choice' },
      volume,
      times: { kind: 'quantity', dims: ['count'] },
      with: { kind: 'thing' },
    },
  },
  discard: {
    family: 'matter',
    says: 'discards {what} into {into}',
    roles: { what: { kind: 'thing', needed: true }, into: { kind: 'thing', needed: true }, volume },
  },
  // --- motion ---
  move: {
    family: 'motion',
    says: 'moves {device} to {place} at {speed}',
    roles: {
      device: { kind: 'thing', needed: true },
      place: { kind: 'place', needed: true },
      /** What the planner says the zone is: a claim, compared with the site file. */
      zone: { kind: 'place' },
      speed: { kind: 'quantity', dims: ['speed', 'fraction'] },
    },
  },
  pick: {
    family: 'motion',
    says: '{device} picks {thing} at {place}',
    roles: {
      device: { kind: 'thing', needed: true },
      thing: { kind: 'thing', needed: true },
      place: { kind: 'place' },
      part: { kind: 'choice' },
      force: { kind: 'quantity', dims: ['force'] },
      mass: { kind: 'quantity', dims: ['mass'] },
    },
  },
  place: {
    family: 'motion',
    says: '{device} places {thing} at {place}',
    roles: {
      device: { kind: 'thing', needed: true },
      thing: { kind: 'thing' },
      place: { kind: 'place', needed: true },
    },
  },
  /** Brought by a device in one call: a store, a hotel, a belt. */
  carry: {
    family: 'motion',
    says: 'brings {thing} from {from} to {to}',
    roles: {
      device: { kind: 'thing' },
      thing: { kind: 'thing', needed: true },
      from: { kind: 'place' },
      to: { kind: 'place' },
      label: { kind: 'address' },
      amount: { kind: 'text' },
      approvals: { kind: 'address', many: true },
      as: { kind: 'address' },
    },
  },
  grip: {
    family: 'motion',
    says: 'sets the gripper of {device} to {width}',
    roles: {
      device: { kind: 'thing', needed: true },
      width: { kind: 'quantity', dims: ['length'], needed: true },
    },
  },
  set_mode: {
    family: 'motion',
    says: 'sets {device} to {mode} at {speed}',
    roles: {
      device: { kind: 'thing', needed: true },
      mode: { kind: 'choice' },
      speed: { kind: 'quantity', dims: ['speed', 'fraction'] },
    },
  },
  // --- barrier ---
  open: {
    family: 'barrier',
    says: 'opens {barrier}',
    roles: { barrier: { kind: 'thing', needed: true }, reason: { kind: 'text' } },
  },
  close: {
    family: 'barrier',
    says: 'closes {barrier}',
    roles: { barrier: { kind: 'thing', needed: true }, temperature },
  },
  lock: {
    family: 'barrier',
    says: 'locks {barrier}',
    roles: { barrier: { kind: 'thing', needed: true } },
  },
  unlock: {
    family: 'barrier',
    says: 'unlocks {barrier}',
    roles: {
      barrier: { kind: 'thing', needed: true },
      reason: { kind: 'text' },
      bypass: { kind: 'flag' },
      as: { kind: 'address' },
    },
  },
  set_opening: {
    family: 'barrier',
    says: 'sets {barrier} to {opening}',
    roles: {
      barrier: { kind: 'thing', needed: true },
      opening: { kind: 'quantity', dims: ['length', 'fraction'], needed: true },
    },
  },
  // --- energy ---
  set_temperature: {
    family: 'energy',
    says: 'sets {device} to {temperature} for {hold}',
    roles: {
      device: { kind: 'thing', needed: true },
      temperature: { ...temperature, needed: true },
      hold: duration,
      attended: { kind: 'flag' },
    },
  },
  shake: {
    family: 'energy',
    says: 'shakes {device} at {rotation} for {hold}',
    roles: {
      device: { kind: 'thing', needed: true },
      rotation: { kind: 'quantity', dims: ['rotation'], needed: true },
      hold: duration,
    },
  },
  spin: {
    family: 'energy',
    says: 'spins {rotor} at {rotation} for {duration}',
    roles: {
      device: { kind: 'thing', needed: true },
      rotor: { kind: 'thing' },
      rotation: { kind: 'quantity', dims: ['rotation', 'acceleration'], needed: true },
      duration: { ...duration, needed: true },
      temperature,
      positions: { kind: 'quantity', dims: ['count'], many: true },
      masses: { kind: 'quantity', dims: ['mass'], many: true },
    },
  },
  set_pressure: {
    family: 'energy',
    says: 'sets the pressure of {device} to {pressure}',
    roles: {
      device: { kind: 'thing', needed: true },
      pressure: { kind: 'quantity', dims: ['pressure'], needed: true },
      hold: duration,
    },
  },
  set_flow: {
    family: 'energy',
    says: 'sets the flow of {substance} through {device} to {flow}',
    roles: {
      device: { kind: 'thing', needed: true },
      flow: { kind: 'quantity', dims: ['flow', 'fraction'], needed: true },
      substance: { kind: 'substance' },
      from: { kind: 'thing' },
      to: { kind: 'thing' },
      hold: duration,
    },
  },
  set_gas: {
    family: 'energy',
    says: 'sets {substance} in {device} to {amount}',
    roles: {
      device: { kind: 'thing', needed: true },
      substance: { kind: 'substance', needed: true },
      amount: { kind: 'quantity', dims: ['fraction', 'flow', 'pressure'], needed: true },
      hold: duration,
    },
  },
  apply_power: {
    family: 'energy',
    says: 'applies {power} at {device} for {hold}',
    roles: {
      device: { kind: 'thing', needed: true },
      power: { kind: 'quantity', dims: ['power', 'fraction'] },
      on: { kind: 'flag' },
      hold: duration,
    },
  },
  expose: {
    family: 'energy',
    says: 'exposes {target} with {device} for {hold}',
    roles: {
      device: { kind: 'thing', needed: true },
      target: { kind: 'thing' },
      dose: { kind: 'quantity', dims: ['power', 'fraction'] },
      hold: duration,
    },
  },
  run_profile: {
    family: 'energy',
    says: 'runs a profile of {temperatures} for {holds} on {device}, {cycles} times',
    roles: {
      device: { kind: 'thing', needed: true },
      temperatures: { ...temperature, needed: true, many: true },
      holds: { ...duration, many: true },
      cycles: { kind: 'quantity', dims: ['count'] },
      volume,
    },
  },
  // --- knowing: nothing becomes known at judgement ---
  measure: {
    family: 'knowing',
    says: 'measures with {device}',
    roles: {
      device: { kind: 'thing', needed: true },
      target: { kind: 'thing' },
      expected: { kind: 'quantity', dims: ['mass', 'volume', 'temperature', 'pressure', 'count'] },
      tolerance: { kind: 'quantity', dims: ['mass', 'volume', 'temperature', 'pressure', 'count'] },
    },
  },
  observe: {
    family: 'knowing',
    says: 'takes an image with {device}',
    roles: { device: { kind: 'thing', needed: true }, purpose: { kind: 'text' } },
  },
  // --- records ---
  read_record: {
    family: 'record',
    says: 'reads {fields} of {record}',
    roles: {
      record: { kind: 'address', needed: true },
      fields: { kind: 'address', many: true },
      as: { kind: 'address' },
    },
  },
  write_record: {
    family: 'record',
    says: 'writes {field} of {record}',
    roles: {
      record: { kind: 'address', needed: true },
      field: { kind: 'address', needed: true },
      value: { kind: 'text', needed: true },
      unit: { kind: 'choice' },
      provenance: { kind: 'choice' },
      source_node: { kind: 'address' },
      comment: { kind: 'text' },
      as: { kind: 'address' },
    },
  },
  delete_record: {
    family: 'record',
    says: 'deletes {field} of {record}',
    roles: {
      record: { kind: 'address', needed: true },
      field: { kind: 'address' },
      as: { kind: 'address' },
    },
  },
  // --- speech ---
  message: {
    family: 'speech',
    says: 'writes to {to}',
    roles: {
      to: { kind: 'address', needed: true },
      text: { kind: 'text', needed: true },
    },
  },
  send_out: {
    family: 'speech',
    says: 'sends {subject} to {to}',
    roles: {
      to: { kind: 'address', needed: true },
      subject: { kind: 'text' },
      text: { kind: 'text' },
      attachments: { kind: 'address', many: true },
    },
  },
  fetch: {
    family: 'speech',
    says: 'fetches {from}',
    roles: { from: { kind: 'address', needed: true }, digest: { kind: 'address' } },
  },
  // --- change ---
  run_code: {
    family: 'change',
    says: 'runs {language} code in a sandbox',
    roles: {
      code: { kind: 'text', needed: true },
      language: { kind: 'choice' },
      inputs: { kind: 'address', many: true },
      network: { kind: 'flag' },
      limit: duration,
    },
  },
  load_program: {
    family: 'change',
    says: 'loads {program} on {device}',
    roles: {
      device: { kind: 'thing', needed: true },
      program: { kind: 'address', needed: true },
    },
  },
  administer: {
    family: 'change',
    says: 'changes {device}',
    roles: {
      device: { kind: 'thing', needed: true },
      image: { kind: 'address' },
      version: { kind: 'address' },
      digest: { kind: 'address' },
      signature: { kind: 'address' },
      signer: { kind: 'address' },
      as: { kind: 'address' },
    },
  },
  // --- rest ---
  wait: { family: 'rest', says: 'waits {duration}', roles: { duration } },
  stop: {
    family: 'rest',
    says: 'stops {device}',
    roles: { device: { kind: 'thing', needed: true } },
  },
} as const satisfies Record<string, ActSpec>
