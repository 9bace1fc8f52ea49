// A newer release may have added a column to any table of a session; this one writes and reads on beside it.
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openedState, type SessionState } from '../../../contain/session-state.ts'
import { limits } from '../../../protocol/limits.ts'
import { rowsIn } from '../../sim/gateway/session-rows.ts'
import { bindingOf, t0 } from '../../shared/schedule-binding.ts'

test('columns of a newer release stop no session', () => {
  const database = new DatabaseSync(':memory:')
  const rows = rowsIn(database)()
  for (const table of ['session', 'nodes', 'executed', 'frames', 'results', 'more']) {
    database.exec(`ALTER TABLE ${table} ADD COLUMN of_a_newer_release TEXT`)
  }
  const binding = bindingOf([{ id: 'n0', deps: [] }], t0 + 1_000, new Map())
  const state: SessionState = {
    ...openedState(binding, limits.reportGraceMs),
    rest: { boot_id: 'boot-a', seq: 1, devices: [] },
  }
  const record = { body: 'b', answer: { type: 'go', nid: 'n0' } } as const
  rows.save(
    null,
    state,
    [
      { do: 'execute', nid: 'n0', jti: 'j' },
      { do: 'record', fid: 'f', record },
    ],
    t0,
  )
  expect(rows.state(binding)).toEqual(state)
  expect(rows.frame('f')).toEqual(record)
})
