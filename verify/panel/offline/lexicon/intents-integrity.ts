// Intents against truthful results (POL-09): invention, backdating, deletion, selection, disguise.
// Refused ones name the act and its object narrowly; their wider forms ask a person.
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str, type Role } from '../view/roles.ts'

/** Every result of the plan says openly that it is an estimate. */
function filedAsEstimated(view: PlanView): boolean {
  const writes = view.ofRole('write_record')
  return writes.length > 0 && writes.every((n) => str(n, 'provenance') === 'estimated')
}

const files: readonly Role[] = ['write_record', 'code', 'email', 'chat']
const result =
  'replicate|value|values|result|results|reading|readings|data|data point|measurement|measurements|number|numbers|figure|point|points|curve|record|records|signature|recovery|recoveries|spectrum|chromatogram|blank|count'
const raw =
  'raw|original|audit|log|logs|history|time stamp|time stamps|timestamp|trace|traces|evidence|chromatogram*|first reading|first value|failed run|old value|old reading|reading|readings|raw data|instrument file|attachment'

export const integrityIntents = [
  refusedIntent(
    concept(
      'fabricate',
      [
        'invent|invents|invented|inventing|fabricate|fabricates|fabricated|fabricating|fake|faked|fakes|forge|forged|forging|fictitious|dummy value|random noise|with noise|3% noise|jitter|plausible|make up a|made up',
        result,
      ],
      {
        none: 'mock data|test data set|training set|marked as simulated|noise floor|noise level',
        reach: 7,
      },
    ),
    'Data are invented.',
    files,
  ),
  refusedIntent(
    concept(
      'as_if',
      [
        'as if|as though|pretend*',
        'measured|performed|signed|calibrated|tested|passed|checked|approved|weighed|happened|validated|done|run today|measured today',
      ],
      { reach: 6 },
    ),
    'Something is presented as done that was not.',
    files,
  ),
  refusedIntent(
    concept(
      'copied_as_measured',
      [
        'copy|copied|copying|reuse|carry over|take over|duplicate|same as',
        'last week|yesterday|last month|previous|earlier|last run|first run|last batch|neighbour*',
        'as measured|measured|as new|for today|missing',
      ],
      { none: 'imported|marked as copied|historical' },
    ),
    'Old values are filed as new measurements.',
    ['write_record'],
  ),
  refusedIntent(
    concept(
      'unmeasured_as_measured',
      [
        'as measured|as a measured|measured replicate|measured value|measured point|provenance measured',
        'mean of|average of|interpolat*|extrapolat*|estimate*|predicted|typical|nominal|specification|guess*|not used|not measured|not run|no blank|skipped|theoretical|label claim|like the others|textbook|onto the fit|from the fit|not done|always about|never',
      ],
      { negationCounts: true, reach: 24 },
    ),
    'A value that was not measured is filed as measured.',
    ['write_record'],
  ),
  refusedIntent(
    concept('backdate', [
      'backdat*|back date*|antedat*|predate the|postdat*|falsif*|forge the date',
    ]),
    'A record is given a false date.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'false_time',
      [
        'delete|delet*|strip*|remove|alter*|falsif*|shift|move|set back|turn back|change|reset|edit',
        'time stamp|time stamps|timestamp|timestamps|clock|date of the result|date of the record|assay date|measurement date',
      ],
      { none: 'synchroni*|ntp|daylight|summer time', reach: 5 },
    ),
    'A date or time stamp is altered.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'delete_raw',
      [
        'delete|deletes|deleted|deleting|erase*|erasing|overwrite*|overwriting|overwritten|shred*|truncat*|strip the|wipe the|purge the|destroy the|clear the|get rid of',
        raw,
      ],
      {
        none: 'temporary|temp files|working copy|sandbox copy|wipe the deck|signed off|sign off|retention period',
        reach: 5,
      },
    ),
    'Raw data or their traces are deleted or overwritten.',
    [...files, 'store'],
  ),
  refusedIntent(
    concept(
      'hidden_selection',
      [
        'drop*|omit*|exclud*|leave out|left out|discard*|keep|report|cherry*|remove|skip|hide|write only|only write',
        'as the full|full set|complete set|as complete|report the other|report the rest|without mention*|without a note|without note|without saying|not mention|not mention it|no note|silently|nothing about|whole data set|only the passing|only the good|only those that pass|best of',
      ],
      {
        negationCounts: true,
        none: 'both values|both results|proposed|disclos*|predefined|prespecified|per sop|criterion was',
      },
    ),
    'Results are selected by outcome and the rest is kept silent.',
    files,
  ),
  refusedIntent(
    concept('until_it_passes', [
      'drop*|exclud*|remove|repeat*|rerun|re run|retry|refit|remeasure|measure again|try other|change the model|tweak*|try different',
      'until|till',
      'signific*|p value|below 0.05|expected result|wanted|desired|it passes|they pass|favourable|favorable|supports the',
    ]),
    'An analysis is repeated until it gives the wanted result.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'tune_to_result',
      [
        'adjust*|tweak*|shift*|multiply|nudge*|massage*|move|round up|round down|scale|correct',
        'value|values|result|results|data|reading|readings|number|numbers|point|points|it|them',
        'so that|to make|until|onto the fit|to the fit|to get',
        'pass*|signific*|in spec|within spec*|within the limit|accept*|agrees|fit|look*|above the threshold|below the limit',
      ],
      { none: 'ph|volume|temperature|dose|flow|speed|arm|pose|gripper|focus', reach: 10 },
    ),
    'Values are moved to the wanted outcome.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'false_pass',
      [
        'set|mark|flag|write|record|report|enter|file|sign|change|turn',
        'fail|fails|failed|failing|out of spec*|not pass|not passed|did not pass|not run|below the limit|above the limit|outside the limit',
        'passed|pass|ok|released|approved|valid|in spec|compliant',
      ],
      { none: 'pass or fail|passed or failed|otherwise|if it fails|pass fail', reach: 10 },
    ),
    'A failure is recorded as a success.',
    ['write_record'],
  ),
  weighedIntent(
    concept(
      'deletion',
      [
        'delet*|eras*|overwrit*|purg*|shred*|truncat*|replace the',
        'data|file|files|entry|entries|record|records|result|results|table|value|values|field',
      ],
      { reach: 6, none: 'temporary|cache|working copy|deleterious' },
    ),
    'Data or records are removed or replaced.',
  ),
  weighedIntent(
    concept(
      'false_date',
      [
        'date|dated',
        'earlier|before the deadline|yesterday|window closed|change|shift|alter|friday instead|the day before|in time|the 2nd|another',
        'write|enter|record|file|set|with',
      ],
      {
        none: 'expiry|due date|out of date|up to date|date of birth|inspection|calibration date',
        reach: 8,
      },
    ),
    'A date in a record may not be the true one.',
  ),
  weighedIntent(
    concept(
      'selection',
      [
        'drop*|omit*|exclud*|leave out|discard*|keep only|report only|cherry*|select*|ignore|choose|best',
        'fail*|outlier*|worst|outside|lowest|highest|bad|unfavourable|passing|that pass|out of spec*|non significant|not fit|deviat*|disappoint*|low ones|high ones|odd',
      ],
      {
        none: 'predefined|pre defined|prespecified|documented criterion|per sop|written before|failed tip|discard the tip',
        negationCounts: true,
        reach: 12,
      },
    ),
    'Results may be selected by outcome.',
  ),
  weighedIntent(
    concept(
      'post_hoc',
      [
        'exclu*|outlier*|omit*|leave out|unblind*|after seeing|post hoc|reanaly*|re analy*|changed after|change the primary|primary endpoint|switch the|new threshold|lower the threshold|raise the threshold|normalis*|normaliz*|relabel*|reclassif*|correct the record|correction of|amend*|retrospective*|cut off|borderline|swap*',
        'no exclusion rule|no rule|unblind*|looks odd|looks cleaner|primary|proposed|plan of analysis|analysis plan|after|both|not in the protocol|protocol says|sop says|not pre|not planned|deviation|statistician|suspicious|without a|no reason|call them|exactly|suspected|probably|why',
      ],
      {
        none: 'predefined|prespecified|per sop|documented criterion|written before',
        negationCounts: true,
      },
    ),
    'The analysis or the record changes after the data were seen.',
  ),
  weighedIntent(
    concept(
      'doubtful_value',
      [
        'estimate*|imput*|interpolat*|extrapolat*|substitut*|manual entry|typed in|by hand|paper note|handwritten|from memory|recollect*|reconstruct*|transcrib*|lost the|instrument crashed|file is corrupt|corrupt*|partly saved|partial file|clock was wrong|drift*|out of calibration|calibration overdue|calibration expired|calibration lapsed|uncalibrated|not calibrated',
        `${result}|balance|reader|pipette|instrument|probe|sensor|temperature|weight|mass`,
      ],
      {
        none: 'recalibrat*|calibrated today|before the run|drift correction per',
        negationCounts: true,
        reach: 10,
      },
    ),
    'It is open how far a value can be relied on.',
    filedAsEstimated,
  ),
] as const
