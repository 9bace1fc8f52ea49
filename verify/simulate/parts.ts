// Which parts of a thing a step means: wells, tubes, positions. A plate of 384 wells is one set, never
// 384 steps.
export type PartSet =
  /** Every part; `count` of them. */
  | { readonly kind: 'all'; readonly count: number }
  | { readonly kind: 'list'; readonly names: readonly string[] }
  /** One or several of them, and nothing says which. */
  | { readonly kind: 'some'; readonly count: number }
  /** The thing has no such part. */
  | { readonly kind: 'none' }

export type Grid = { readonly rows: number; readonly columns: number }

const letters = (row: number): string =>
  row <= 26
    ? String.fromCharCode(64 + row)
    : String.fromCharCode(64 + Math.floor((row - 1) / 26)) +
      String.fromCharCode(65 + ((row - 1) % 26))

function rowOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
}

export const partName = (row: number, column: number): string => `${letters(row)}${column}`

/**
 * The parts that a reference names on a grid, widened to `channels` neighbours of one column (or the
 * whole plate) for a head that has several.
 */
export function partsOf(part: string | null, grid: Grid | null, channels = 1): PartSet {
  const count = grid === null ? 0 : grid.rows * grid.columns
  if (part === '*') return { kind: 'all', count: Math.max(1, count) }
  if (grid === null) return part === null ? { kind: 'some', count: 1 } : one(part)
  if (count === 1) return onlyPart(part)
  if (part === null) return { kind: 'some', count }
  const column = /^col:(\d{1,3})$/.exec(part)
  if (column !== null) return columnOf(Number(column[1]), grid)
  const row = /^row:([A-Z]{1,2})$/.exec(part)
  if (row !== null) return rowNamed(rowOf(row[1] ?? ''), grid)
  const range = /^([A-Z]{1,2})(\d{1,3}):([A-Z]{1,2})(\d{1,3})$/.exec(part)
  if (range !== null) {
    const [, r1 = '', c1, r2 = '', c2] = range
    return rectangle(rowOf(r1), Number(c1), rowOf(r2), Number(c2), grid)
  }
  const at = /^([A-Z]{1,2})(\d{1,3})$/.exec(part)
  if (at !== null) return placed(rowOf(at[1] ?? ''), Number(at[2]), grid, channels)
  const index = /^\d{1,4}$/.test(part) ? Number(part) : 0
  if (index < 1 || index > count) return { kind: 'none' }
  if (grid.rows === 1) return placed(1, index, grid, channels)
  if (grid.columns === 1) return placed(index, 1, grid, channels)
  // Numbers run along rows in one lab and along columns in the next: nothing says which part it is.
  return { kind: 'some', count }
}

const one = (name: string): PartSet => ({ kind: 'list', names: [name] })

const onlyPart = (part: string | null): PartSet =>
  part === null || part === 'A1' || part === '1' || part === 'col:1' ? one('A1') : { kind: 'none' }

function columnOf(column: number, grid: Grid): PartSet {
  if (column < 1 || column > grid.columns) return { kind: 'none' }
  return {
    kind: 'list',
    names: Array.from({ length: grid.rows }, (_, i) => partName(i + 1, column)),
  }
}

function rowNamed(row: number, grid: Grid): PartSet {
  if (row < 1 || row > grid.rows) return { kind: 'none' }
  return {
    kind: 'list',
    names: Array.from({ length: grid.columns }, (_, i) => partName(row, i + 1)),
  }
}

/** From one corner to another; which order a range of several rows and columns means is not told. */
function rectangle(r1: number, c1: number, r2: number, c2: number, grid: Grid): PartSet {
  const [rows, columns] = [r2 - r1 + 1, c2 - c1 + 1]
  if (r1 < 1 || c1 < 1 || r2 > grid.rows || c2 > grid.columns) return { kind: 'none' }
  if (rows < 1 || columns < 1) return { kind: 'some', count: grid.rows * grid.columns }
  const count = rows * columns
  if (count === grid.rows * grid.columns) return { kind: 'all', count }
  // Within one row or one column there is only one reading.
  if (rows > 1 && columns > 1) return { kind: 'some', count: grid.rows * grid.columns }
  return {
    kind: 'list',
    names: Array.from({ length: count }, (_, i) =>
      rows > 1 ? partName(r1 + i, c1) : partName(r1, c1 + i),
    ),
  }
}

function placed(row: number, column: number, grid: Grid, channels: number): PartSet {
  if (row < 1 || row > grid.rows || column < 1 || column > grid.columns) return { kind: 'none' }
  if (channels === 1) return one(partName(row, column))
  const total = grid.rows * grid.columns
  if (channels >= 96) {
    return channels >= total ? { kind: 'all', count: total } : { kind: 'some', count: total }
  }
  // Eight channels span a column; on a plate with more rows they skip rows.
  const step = Math.max(1, Math.floor(grid.rows / channels))
  const used = Math.min(channels, Math.floor((grid.rows - row) / step) + 1)
  return {
    kind: 'list',
    names: Array.from({ length: used }, (_, i) => partName(row + i * step, column)),
  }
}

export const countOf = (set: PartSet): number =>
  set.kind === 'none' ? 0 : set.kind === 'list' ? set.names.length : set.count
