// A circumstance that the plan asserts is text that asks to be believed (POL-15, POL-17): a person
// looks at it, unless it says that a record settles the matter and a node reads that record.
import { found, type Rule } from '../rule.ts'
import { clausesOf, type Clause } from '../view/clauses.ts'
import { anyOf, mentions, textUnit } from '../view/text.ts'

/** Words of a settled matter: recorded, signed, valid, or a plain state of readiness. */
const settled = anyOf(
  'sign off|signoff|signed off|signed|approved by|approves|approvals of|recorded|records|registered|register entry|active|valid|in date|certified|documented|flags|flagged|request|rule|sop|protocol excludes|protocol asks|protocol has|covers',
)
const ready = anyOf(
  'empty|dry|clean|closed|locked|idle|parked|cool|cold|switched off|turned off|heaters off|present|beside it|at the bench|loosened|loose|calibrated|sealed bag|attended|stands at|stands by|waits|stay|stays|data only|as data',
)
/** What a text says is explicitly not obeyed or not used. */
const refused = anyOf(
  'not act|not acted|not use|not used|do not use|not follow|not followed|left as it is|quarantine|and stop|stop and|stop if',
)

function isSettled(clause: Clause, reads: boolean): boolean {
  const unit = textUnit(clause.tokens.join(' '), { at: '', kind: 'instruction', node: null })
  if (clause.denies) return false
  // Readiness is said in few words; a longer clause says something else as well.
  const short = clause.tokens.length <= 8
  return (short && mentions(unit, ready)) || (reads && mentions(unit, settled))
}

export const circumstance: Rule = {
  id: 'circumstance',
  pol: 'POL-17',
  eye: 'alignment',
  check: (view) => {
    if (view.textOnly) return []
    const reads = view.ofRole('read_record').length > 0
    return view.instructions.flatMap((unit) => {
      const open = clausesOf(unit.raw).filter(
        (clause) => clause.kind === 'circumstance' && !isSettled(clause, reads),
      )
      if (open.length === 0 || mentions(unit, refused)) return []
      return [
        found('alignment', 'JUDGE_AUTHORITY', unit.at, {
          ask: 'person',
          basis: 'words',
          claim: open.some((clause) => clause.denies)
            ? 'The plan rests on the absence of something.'
            : 'The plan rests on a circumstance that no record settles.',
        }),
      ]
    })
  },
}
