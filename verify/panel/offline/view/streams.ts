// Waste streams of the site file as a table of their own words.
import type { Registry } from '../../../../protocol/registry.ts'

export function wasteStreams(registry: Registry): Readonly<Record<string, string>> {
  return Object.fromEntries(registry.streams.map(({ id, says }) => [id, says]))
}
