// What a gateway and an agent may say to each other beyond the first version of the wire. The agent
// offers at the upgrade, the gateway answers in its challenge with what it knows too; both then use
// only that. So either side can be upgraded first, and no frame is ever sent that the other cannot read.

/**
 * `signed-rows`: C names a digest for every tool row, the rows come in `welcome`, `hello` names the
 * gateway. `rest`: the agent reports, signed, which devices have come to rest.
 * `reasons`: health, aborts and halts may use the words that came after the first version. `ping`: the
 * agent sends text `ping` every few seconds, so that its silence can be noticed. `instances`: health numbers
 * the connections to each device server, so that one that restarted is seen. `results`: a report brings
 * along what the device answered. `latch`: health may say `local_latch`. `result-checks`: rows may say what
 * a result must look like, and a node may end as `result_invalid`. `preconditions`: a start brings along what
 * the sensors of its row said. `parts`: on presence, the site asks for kept parts of results and says how long
 * they are kept. `progress`: a session hears what a running call says of itself. `references`: arguments may be
 * results of earlier nodes, `go` names the digest of what they became, and nodes may be skipped. `addresses`: health
 * tells of each device server where it is reached, as a digest, so that one that two cells use is seen.
 * `stop-order`: rows name their place in the site's stop sequence, and the site orders the stop of a whole cell. `lists`:
 * health names the list of tools of each device server by digest, and the site may ask for it as for a kept part. `trace`:
 * the welcome of a session says to which trace its calls belong.
 */
export const features = [
  'signed-rows',
  'rest',
  'reasons',
  'ping',
  'instances',
  'results',
  'latch',
  'result-checks',
  'preconditions',
  'parts',
  'progress',
  'references',
  'addresses',
  'stop-order',
  'lists',
  'trace',
] as const
export type Feature = (typeof features)[number]

/** The header of the upgrade, names separated by blanks. */
export const featuresHeader = 'portcullis-features'
const offerCharsMax = 1_000

/** What the agent offers. */
export const offer = features.join(' ')

/** Those offered names that this side knows; unknown ones are left out, as those of a newer peer. */
export function agreedFeatures(offered: string | null): Feature[] {
  const names = new Set((offered ?? '').slice(0, offerCharsMax).split(' '))
  return features.filter((feature) => names.has(feature))
}
