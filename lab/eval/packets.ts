// Stored judgements as lines of a file: a plan, the policy and the packet that it got. What a drift
// report starts from.
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { policySchema } from '../../protocol/policy.ts'
import { packetSchema } from '../../protocol/records.ts'

const storedPacketSchema = z.strictObject({
  v: z.literal(1),
  id: z.string().min(1).max(200),
  planner: z.string().min(1).max(64),
  /** The wire plan, as it was submitted. */
  plan: z.record(z.string(), z.unknown()),
  policy: policySchema,
  packet: packetSchema,
  /** What a person decided about it, when one did. */
  person: z.enum(['accept', 'reject']).nullable(),
  /** As the labelled row had them; absent in packets of a deployment. */
  label: z.string().max(40).optional(),
  category: z.string().max(120).optional(),
  concern: z.string().max(40).optional(),
})
export type StoredPacket = z.infer<typeof storedPacketSchema>

/** Reads a file of stored packets; a line that is none is an error that names it. */
export async function readPackets(file: string): Promise<StoredPacket[]> {
  const packets: StoredPacket[] = []
  for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
    if (line.trim() === '') continue
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      throw new Error(`${file}: line ${index + 1}: not JSON`)
    }
    const packet = storedPacketSchema.safeParse(value)
    if (!packet.success) {
      throw new Error(`${file}: line ${index + 1}: ${z.prettifyError(packet.error)}`)
    }
    packets.push(packet.data)
  }
  if (packets.length === 0) throw new Error(`${file}: no packets`)
  return packets
}
