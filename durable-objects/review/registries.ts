// Registries as they were parsed, by the text that a review keeps of them. Many plans of a site rest on one
// registry: parsing it, and every index over it, is then work of a site file and not of each plan.
import type { Registry } from '../../protocol/registry.ts'

/** A registry is at most 1 MiB; this many fit an isolate's memory many times over. */
const registriesMax = 4

const kept = new Map<string, Registry>()

/** The registry of a stored text; `parse` is asked only for one that is not known and may throw. */
export function registryOf(text: string, parse: (value: unknown) => Registry): Registry {
  const known = kept.get(text)
  const registry = known ?? parse(JSON.parse(text))
  // The one that was asked for last goes last.
  kept.delete(text)
  kept.set(text, registry)
  const [oldest] = kept.keys()
  if (kept.size > registriesMax && oldest !== undefined) kept.delete(oldest)
  return registry
}
