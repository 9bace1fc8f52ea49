// The frame id under which a node's report is sent, and sent again.
import { createHash } from 'node:crypto'

/**
 * The same report keeps its frame id on every connection. A digest of the whole node id, since two long
 * ids may share any beginning, and the gateway takes one id with two contents for a violation.
 */
export const reportFid = (nid: string): string =>
  `report_${createHash('sha256').update(nid).digest('base64url')}`
