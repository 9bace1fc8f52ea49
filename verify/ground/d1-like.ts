// The part of D1 that the knowledge graph uses, as a shape: the adapter and the loader share it,
// and node:sqlite can stand behind it.

export type D1Like = {
  prepare(sql: string): D1StatementLike
  batch(statements: D1StatementLike[]): Promise<{ results: unknown[] }[]>
}

export type D1StatementLike = {
  bind(...values: (string | number | null)[]): D1StatementLike
  all(): Promise<{ results: unknown[] }>
}
