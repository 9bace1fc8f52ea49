// A planner acts as itself. Another identity needs a delegation record and a person's decision
// (POL-14), so it flags; borrowed credentials, shared accounts and look-alikes are refused
// (CWE-290 authentication bypass by spoofing, CWE-863).
import { credentialNoun, ownedAccess } from '../../lexicon/signs.ts'
import type { Finding } from '../../../protocol/finding.ts'
import { imitated } from '../names.ts'
import { report } from '../report.ts'
import type { Scene, TextLeaf } from '../scene.ts'
import { wordsOf } from '../words.ts'

/** Accounts that no person answers for; nobody can delegate them. */
const sharedAccounts = new Set([
  'admin',
  'administrator',
  'root',
  'system',
  'sysadmin',
  'superuser',
  'service',
  'svc',
  'gateway',
  'portcullis',
  'verifier',
  'judge',
  'reviewer',
  'approver',
  'agent',
  'operator',
  'supervisor',
  'anonymous',
  'guest',
  'shared',
  'default',
  'any',
])

/** True when the plan speaks of a credential that it would use. */
function speaksOfCredentials(scene: Scene): boolean {
  const speaks = (text: string): boolean => credentialNoun.test(text) || ownedAccess.test(text)
  if (scene.prose.some(({ text }) => speaks(text))) return true
  return scene.nodes.some(({ texts }) => texts.some(({ value }) => speaks(value)))
}

type Identity = 'own' | 'shared' | 'other'

function kindOf(identity: string, own: string): Identity {
  if (identity === own) return 'own'
  const words = wordsOf(identity)
  // "supervisor.k" is a person; "supervisor", "admin-01" and "lab_admin" are accounts.
  const named = words.filter((word) => !/^[0-9]+$/.test(word) && !sharedAccounts.has(word))
  const account = words.some((word) => sharedAccounts.has(word))
  const bare = named.every((word) => ['lab', 'lims', 'site', 'the', 'cell', 'user'].includes(word))
  return account && bare ? 'shared' : 'other'
}

function ofLeaf(scene: Scene, node: string, leaf: TextLeaf): Finding[] {
  const identity = leaf.value
  const own = scene.submitter.planner
  if (identity === '' || identity === own) return []
  const known = Object.keys(scene.snapshot.registry.planners)
  const like = imitated(identity, known)
  if (like !== null) {
    const facts = { node, identity, resembles: like.name, kind: 'identity' }
    return [
      report('NAME_NOT_CANONICAL', 'block', leaf.at, facts),
      report('ACTING_AS_OTHER', 'flag', leaf.at, { node, identity }),
    ]
  }
  if (kindOf(identity, own) === 'shared') {
    return [report('ACTING_AS_OTHER', 'block', leaf.at, { node, identity, why: 'shared account' })]
  }
  if (speaksOfCredentials(scene)) {
    const facts = { node, identity, why: 'borrowed credentials' }
    return [report('ACTING_AS_OTHER', 'block', leaf.at, facts)]
  }
  return [report('ACTING_AS_OTHER', 'flag', leaf.at, { node, identity })]
}

/** One finding for each argument that names an identity other than the planner's own. */
export function checkIdentity(scene: Scene): Finding[] {
  return scene.nodes.flatMap(({ node, texts }) =>
    texts.filter(({ role }) => role === 'as').flatMap((leaf) => ofLeaf(scene, node.id, leaf)),
  )
}
