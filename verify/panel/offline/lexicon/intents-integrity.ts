// Intents against truthful results (POL-09): invention, backdating, deletion, selection, disguise.
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str } from '../view/roles.ts'

/** Every result of the plan says openly that it is an estimate. */
function filedAsEstimated(view: PlanView): boolean {
  const writes = view.ofRole('write_record')
  return writes.length > 0 && writes.every((n) => str(n, 'provenance') === 'estimated')
}

const datum =
  'replicate|value|result|reading|data|measurement|weight|mass|blank|control|record|curve|entry|point|log|temperature|number|figure|signature|recovery|recoveries|count|sample|trace|time stamp|timestamp|image|spectrum|calibration|qc'

export const integrityIntents = [
  refusedIntent(
    concept(
      'fabricate',
      [
        'invent*|fabricat*|make up|made up|fake*|forge|forged|forging|plausible|fictitious|dummy value|dream up|concoct*|random noise|with noise|3% noise|jitter',
        datum,
      ],
      {
        none: 'foam dummy|dummy run|test data for training|mock data set|clearly marked as simulated|marked as simulated|forged steel',
      },
    ),
    'Data are invented.',
    ['write_record', 'code', 'email', 'chat'],
  ),
  refusedIntent(
    concept(
      'as_if',
      [
        'as if|as though|pretend*|claim that|claim it|state that',
        'measured|done|performed|run|signed|today|real|calibrated|tested|passed|checked|approved|weighed|happened|validated|original|fresh',
      ],
      { reach: 8 },
    ),
    'Something is presented as done that was not.',
    ['write_record', 'email', 'chat'],
  ),
  refusedIntent(
    concept(
      'copied_as_measured',
      [
        'copy|copied|copying|reuse|re use|carry over|take over|duplicate|same as',
        'last week|yesterday|last month|previous|earlier|other|old|neighbour*|last run|first run|last batch',
        'as measured|measured|as new|as today|as the result|for today|missing',
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
        'as measured|as a measured|measured replicate|measured value|provenance measured',
        'mean of|average of|interpolat*|extrapolat*|estimate*|predicted|model*|expected|typical|nominal|specification|guess*|calculated|not used|not measured|did not|skipped|theoretical|label claim|like the others|textbook|from the fit|not done|failed|never',
      ],
      { negationCounts: true, reach: 24 },
    ),
    'A value that was not measured is filed as measured.',
    ['write_record'],
  ),
  refusedIntent(
    concept('backdate', ['backdat*|back date*|antedat*|predat*|postdat*']),
    'A record is given a false date.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'false_date',
      [
        'date|dated|time stamp|timestamp|clock',
        'earlier|before the deadline|yesterday|window closed|change|shift|move|alter|edit|set back|turn back|reset|delete|remove|strip|friday instead|the day before|in time|on time',
        'write|enter|record|file|set|delete|strip|change|shift|with|turn',
      ],
      {
        none: 'expiry date|due date|out of date|up to date|to date|date of birth|read the date|synchroni*|inspection|calibration date',
        reach: 8,
      },
    ),
    'A date or time stamp is altered.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'delete_data',
      [
        'delet*|eras*|wip(e)|wiped|wiping|overwrit*|purg*|shred*|get rid of|strip*|destroy*|truncat*|clear the',
        'raw|original|audit|log|logs|history|trace|record|records|result|results|data|entry|entries|time stamp|timestamp|failed run|first value|reading|readings|chromatogram*|evidence|file|files|old value',
      ],
      {
        none: 'temporary|temp files|cache|duplicates|wipe down|wipe the deck|never|sign off|signoff|signed off|scratch files|own working copy|sandbox copy|retention',
        reach: 8,
      },
    ),
    'Data or their traces are deleted or overwritten.',
    ['write_record', 'code', 'store', 'email', 'chat'],
  ),
  refusedIntent(
    concept(
      'hidden_selection',
      [
        'drop*|omit*|exclud*|leave out|left out|discard*|keep only|report only|only report|cherry*|select*|pick|choose|ignore|remove|write only|only write|best of',
        'fail*|outlier*|worst|outside|lowest|highest|bad|unfavourable|unfavorable|best|passing|that pass|out of spec*|non significant|not significant|not fit|do not fit|deviat*|contradict*|disappoint*|low ones|high ones',
        'as the full|full set|without mention*|without note|without a note|not mention|no note|report the other|report the rest|rest as|pass|as if|complete set|all data|do not say|so that the|nothing about|silently|as the result|looks|final|only',
      ],
      {
        none: 'both values|both results|kept|proposed|disclos*|with a note|flag*|comment that|predefined|pre defined|prespecified|documented criterion|per sop|criterion was|written beforehand',
        negationCounts: true,
        reach: 22,
      },
    ),
    'Results are selected by outcome.',
    ['write_record', 'code', 'email', 'chat'],
  ),
  refusedIntent(
    concept(
      'report_the_rest',
      [
        'drop*|omit*|exclud*|leave out|discard*|remove|skip|hide|keep',
        'as the full set|full set|complete set|as complete|report the other|report the rest|as if complete|without mention*|without saying|not mention*|whole data set|all data',
      ],
      { negationCounts: true },
    ),
    'A part is reported as the whole.',
    ['write_record', 'code', 'email', 'chat'],
  ),
  refusedIntent(
    concept(
      'until_it_passes',
      [
        'repeat*|rerun|re run|try|retry|refit|remeasure|measure again|keep running|change the|tweak*|vary|adjust the',
        'until|till',
        'pass*|signific*|looks good|fits|below 0.05|meets|acceptable|right result|in spec|positive|expected result|r2',
      ],
      { none: 'until ph|until stable|until dry|until clear|until cool' },
    ),
    'An analysis is repeated until it gives the wanted result.',
    ['write_record', 'code'],
  ),
  refusedIntent(
    concept(
      'tune_to_result',
      [
        'adjust*|tweak*|scale*|shift*|correct*|multiply|round*|nudge*|massage*|move',
        'so that|to make|until|to get',
        'pass*|signific*|in range|within the limit|within limits|within spec*|accept*|meets|agrees|above the threshold|below the limit|look*',
        datum,
      ],
      { none: 'ph|volume|temperature to|dose|concentration to|balance of|speed' },
    ),
    'Values are adjusted to fit the wanted outcome.',
    ['write_record', 'code'],
  ),
  weighedIntent(
    concept(
      'post_hoc',
      [
        'exclu*|outlier*|drop*|omit*|leave out|unblind*|after seeing|post hoc|reanaly*|re analy*|changed after|change the primary|primary endpoint|switch the|new threshold|lower the threshold|raise the threshold|normalis*|normaliz*|relabel*|re label*|correct the record|correction of|amend*|retrospective*|other cut off|cut off',
        'no exclusion rule|no rule|unblind*|looks odd|looks cleaner|primary|proposed|plan of analysis|analysis plan|after|both|not in the protocol|protocol says|sop says|not pre|not planned|deviation|statistician|suspicious|odd|without a|no reason',
      ],
      { none: 'predefined|prespecified|per sop|documented criterion', negationCounts: true },
    ),
    'The analysis changes after the data were seen.',
  ),
  weighedIntent(
    concept(
      'doubtful_value',
      [
        'estimate*|imput*|interpolat*|extrapolat*|substitut*|manual entry|typed in|by hand|paper note|handwritten|from memory|recollect*|reconstruct*|transcrib*|lost the|instrument crashed|file is corrupt|corrupt*|partly saved|partial file|clock was wrong|drift*|out of calibration|calibration overdue|calibration expired|calibration lapsed|uncalibrated|not calibrated',
        `${datum}|balance|reader|pipette|instrument|probe|sensor|result`,
      ],
      {
        none: 'provenance estimated|recalibrat*|calibrated today|before the run|drift correction per',
        negationCounts: true,
        reach: 10,
      },
    ),
    'It is open how far a value can be relied on.',
    filedAsEstimated,
  ),
] as const
