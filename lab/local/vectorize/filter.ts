// Metadata filters of Vectorize: equality and the comparison operators, on indexed fields only.

export type Metadata = Readonly<Record<string, string | number | boolean | readonly string[]>>

type Scalar = string | number | boolean | null
type Condition =
  | Scalar
  | Partial<Readonly<Record<'$eq' | '$ne' | '$lt' | '$lte' | '$gt' | '$gte', Scalar>>>
  | Partial<Readonly<Record<'$in' | '$nin', readonly Scalar[]>>>
export type MetadataFilter = Readonly<Record<string, Condition>>

/** True when the metadata fits; throws on a field that is not indexed, as production fails. */
export function accepts(
  filter: MetadataFilter,
  metadata: Metadata,
  indexed: readonly string[],
): boolean {
  return Object.entries(filter).every(([field, condition]) => {
    if (!indexed.includes(field)) throw new Error(`"${field}" has no metadata index`)
    const value = metadata[field]
    if (typeof condition !== 'object' || condition === null) return value === condition
    return Object.entries(condition).every(([op, want]) => holds(op, value, want))
  })
}

function holds(op: string, value: unknown, want: unknown): boolean {
  const list: readonly unknown[] = Array.isArray(want) ? want : []
  const [a, b] = [value as string | number, want as string | number]
  switch (op) {
    case '$eq':
      return value === want
    case '$ne':
      return value !== want
    case '$in':
      return list.includes(value)
    case '$nin':
      return !list.includes(value)
    case '$lt':
      return a < b
    case '$lte':
      return a <= b
    case '$gt':
      return a > b
    case '$gte':
      return a >= b
    default:
      throw new Error(`unknown filter operator ${op}`)
  }
}
