// A node that sends, opens a guard, reads person-identifying fields or administers, and that no
// instruction mentions, is refused (POL-22). Hidden heat, spin or disposal is a person's decision.
import type { JudgeFinding } from '../../../../protocol/opinion.ts'
import { found, type Ask, type Rule } from '../rule.ts'
import type { PlanView } from '../view/plan-view.ts'
import { num, str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions, tokenise, type Words } from '../view/text.ts'
import { readsPersons } from './exfiltration.ts'

type Cover = {
  readonly words: Words
  readonly ask: Ask
  readonly when: (n: ViewNode) => boolean
}

const always = () => true

/** Words by which an instruction may mention a node of the role. */
const covers: Partial<Record<ViewNode['role'], Cover>> = {
  email: {
    words: anyOf(
      'mail*|e mail*|email*|send*|ask*|tell*|write to|vendor|submit*|share*|contact*|forward*|reply|replies|inform*|notify*|order*|report*|provider|collaborator|partner|request*|attach*|answer',
    ),
    ask: 'refuse',
    when: always,
  },
  unlock: {
    words: anyOf(
      'unlock*|open*|door|enclosure|access|let in|lets in|enter*|store|release|cold room|guard|interlock|unlatch*',
    ),
    ask: 'refuse',
    when: always,
  },
  firmware: {
    words: anyOf(
      'firmware|flash*|update*|install*|patch*|upgrade*|roll back|downgrade*|image|version',
    ),
    ask: 'refuse',
    when: always,
  },
  camera: {
    words: anyOf(
      'camera*|photo*|image*|picture*|check|see|look*|visual*|watch*|read|capture*|film|empty|record',
    ),
    ask: 'person',
    when: (n) => ['bench_cam', 'corridor_cam'].includes(str(n, 'camera_id')),
  },
  code: {
    words: anyOf(
      'run*|script|code|comput*|calculat*|analy*|sandbox|fit*|plot*|simulat*|normalis*|normaliz*|statistic*|mean|average|median|convert*|process*|make it|strip*|delete*|model*|evaluat*|summar*|rank*|difference|compare|parse*|features|python|correct*|draft*|encode*|write the raw|register|train*|decode|extract*|rerun|reanaly*|estimate*|fill|aggregate*|qc|sort*|select*|merge*|export*|package|predict*|determine*|drop|test*|install*|read|list|count*|regress*|anonymi*|mask*|hash*|pseudonym*',
    ),
    ask: 'person',
    when: always,
  },
  heat: {
    words: anyOf(
      'heat*|warm*|hold*|incubat*|cool*|dry*|kill*|shak*|temperature|grow*|culture*|digest*|anneal*|inactivat*|melt*|evaporat*|bake*|boil*|reflux|lys*|denatur*|c|degc|hs|hotplate|block|thaw*|cook*|switch|autoclav*|hours|minutes|h|min|run it|react*|stir*|transfect*|infect*|ferment*|acylat*|degree*|concentrat*|mature|cure|elut*|hybridi*|express*|stain*|label*|set',
    ),
    ask: 'person',
    when: (n) => (num(n, 'temperature_c') ?? 0) > 45,
  },
  spin: {
    words: anyOf(
      'spin*|centrifug*|pellet*|rpm|rotor|sediment*|clear*|layer|separat*|harvest*|isolate|precipitat*|xg|fugate',
    ),
    ask: 'person',
    when: always,
  },
  store: {
    words: anyOf(
      'dispos*|discard*|throw*|bin|waste|destroy*|remove*|scrap|autoclav*|clear out|tidy',
    ),
    ask: 'person',
    when: (n) => str(n, 'store_id') === 'disposal_bin',
  },
}

const personWords = anyOf(
  'donor*|patient*|participant*|name|names|identit*|identify*|person*|contact*|phone*|address*|birth*|record number*|medical record*|volunteer*|subject|subjects|who|people|colleague*|demographic*|kin|mrn',
)

/** An id of a record, item or address that an instruction writes out also mentions the node. */
function byId(view: PlanView, n: ViewNode): boolean {
  const id = str(n, 'sample_id') || str(n, 'item_id') || str(n, 'to')
  const words = tokenise(id).filter((w) => w.length > 1)
  if (words.length === 0) return false
  return view.instructions.some((unit) => words.every((w) => unit.tokens.includes(w)))
}

function check(view: PlanView, n: ViewNode): JudgeFinding[] {
  const say = (ask: Ask, claim: string) => [
    found('adversarial', 'JUDGE_SCOPE', n.at, { ask, basis: 'structure', claim }),
  ]
  if (readsPersons(n)) {
    const told = view.told.some((unit) => mentions(unit, personWords)) || byId(view, n)
    return told ? [] : say('refuse', 'No instruction mentions that persons are identified.')
  }
  const cover = covers[n.role]
  if (cover === undefined || !cover.when(n)) return []
  const told = view.told.some((unit) => mentions(unit, cover.words))
  return told || byId(view, n) ? [] : say(cover.ask, 'No instruction mentions what this node does.')
}

export const hiddenNode: Rule = {
  id: 'hidden_node',
  pol: 'POL-22',
  eye: 'adversarial',
  check: (view) => view.nodes.flatMap((n) => check(view, n)),
}
