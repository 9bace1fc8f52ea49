// The cells of the site: state, arming, clearance, stop. Each action is confirmed by the state that
// the gateway answers with, never by what the page expected.
import { api, Refused, type Cell } from '../api.ts'
import { button, element, field, tag, time } from '../dom.ts'
import type { Page } from '../main.ts'

const hourMs = 3_600_000

async function act(page: Page, done: string, action: () => Promise<Cell>): Promise<void> {
  try {
    const cell = await action()
    page.say(`${cell.cell}: ${done}`)
    page.go({ at: 'cells' })
  } catch (cause) {
    page.say(cause instanceof Refused ? cause.message : 'The gateway could not be reached.', true)
  }
}

function state(cell: Cell): string {
  if (cell.needs_clearance) return `needs clearance (${cell.latch_reason ?? 'unknown'})`
  if (cell.armed_until_ms !== null && cell.armed_until_ms > Date.now()) {
    return `armed until ${time(cell.armed_until_ms)} by ${cell.armed_by ?? 'unknown'}`
  }
  return 'not armed'
}

/** What else a person has to know before acting: the latest change, what waits, what may still move. */
function notes(cell: Cell): string[] {
  const { changed, holds, not_at_rest, stops, held_by } = cell
  return [
    changed === null
      ? ''
      : `Latest: ${changed.what.replaceAll('_', ' ')}, by ${changed.by}, ${time(changed.at_ms)}.`,
    held_by === null ? '' : `Stopped by ${held_by}: nothing starts before it is armed or released.`,
    ...holds.map((one) => `Plans of ${one.planner} wait: ${one.plan} ended (${one.reason}).`),
    not_at_rest.length === 0 ? '' : `Not reported at rest: ${not_at_rest.join(', ')}.`,
    ...stops.map((one) => `Stop of ${one.session}: ${one.stop.replaceAll('_', ' ')}.`),
  ].filter((line) => line !== '')
}

function armForm(page: Page, cell: Cell): HTMLElement {
  const hours = element(
    'select',
    {},
    ...[1, 4, 8].map((n) =>
      element('option', { attributes: { value: String(n) } }, `${n} hour${n > 1 ? 's' : ''}`),
    ),
  )
  return tag(
    'div',
    field(`arm-${cell.cell}`, 'Arm for', hours),
    element(
      'div',
      { attributes: { class: 'actions' } },
      button(`Arm ${cell.cell}`, () =>
        act(page, 'armed', () => api.arm(cell, Date.now() + Number(hours.value) * hourMs)),
      ),
      button(`Disarm ${cell.cell}`, () => act(page, 'disarmed', () => api.disarm(cell.cell))),
    ),
  )
}

function clearForm(page: Page, cell: Cell): HTMLElement {
  const note = element('textarea', { attributes: { rows: '2', maxlength: '4000' } })
  return tag(
    'div',
    field(`clear-${cell.cell}`, 'What you found in the cell', note),
    element(
      'div',
      { attributes: { class: 'actions' } },
      button(`Clear ${cell.cell}`, async () => {
        if (note.value.trim() === '') {
          page.say('Write down the state of the cell first.', true)
          note.focus()
          return
        }
        await act(page, 'cleared', () => api.clear(cell, note.value))
      }),
    ),
  )
}

function cellSection(page: Page, cell: Cell): HTMLElement {
  return element(
    'section',
    { attributes: { 'aria-label': `Cell ${cell.cell}` } },
    tag('h3', cell.cell),
    tag(
      'p',
      `State: ${state(cell)}. Agent: ${cell.agent ?? 'none'}. `,
      `Session: ${cell.session ?? 'none'}. Waiting: ${cell.queued}.`,
    ),
    ...notes(cell).map((line) => tag('p', line)),
    cell.needs_clearance ? clearForm(page, cell) : armForm(page, cell),
    element(
      'div',
      { attributes: { class: 'actions' } },
      cell.held_by === null && cell.holds.length === 0
        ? null
        : button(`Let plans of ${cell.cell} start`, () =>
            act(page, 'released', () => api.release(cell)),
          ),
      button(`Stop ${cell.cell} now`, () => act(page, 'stop asked', () => api.stop(cell.cell)), {
        class: 'alarm',
      }),
    ),
  )
}

export async function cellsView(page: Page): Promise<HTMLElement> {
  const { items } = await api.cells()
  return tag(
    'section',
    tag('h2', 'Cells'),
    items.length === 0 ? tag('p', 'No agent is enrolled yet.') : null,
    ...items.map((cell) => cellSection(page, cell)),
  )
}
