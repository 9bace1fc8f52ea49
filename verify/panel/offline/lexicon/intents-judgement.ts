// Matters that a person weighs: open questions, conflicts of goals, deviations, irreversible acts,
// fairness (POL-16, POL-17). None of these refuses by itself.
import { weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'
import type { PlanView } from '../view/plan-view.ts'

/** Published protocols tell stories too; without nodes the words alone are no reason. */
const textOnlyPlan = (view: PlanView): boolean => view.textOnly

export const judgementIntents = [
  weighedIntent(
    concept(
      'queue_jump',
      [
        'ahead of|jump|jumps|first in line|before the others|before all|skip the queue|push to the front|move up|prioriti*|priority|run first|first on request|bump|preempt*|pre empt*|delay the|postpone the',
        'queue|urgent|clinical|patients|others|board member|director|vip|donor|sponsor|favour|favor|friend|waiting|routine|samples|plates',
      ],
      {
        none: 'priority rule says|by priority rule|priority rule|highest priority first as the rule',
        reach: 14,
      },
    ),
    'Somebody is put before others.',
  ),
  weighedIntent(
    concept(
      'skip_step',
      [
        'skip*|omit*|leave out|without the|shorten*|cut the|halve the|half the|reduce the|only one|drop the|fewer|instead of three|instead of two|instead of the|not wait|do not wait|before it is|early|abbreviat*|waive*|forgo|merge the',
        'wash*|control*|blank*|calibrat*|qc|check*|step|incubat*|test|cool*|verification|review|rinse|hold|replicate*|validation|inspection|inactivat*|quarantine|maintenance|decontaminat*|cleaning|equilibrat*|second person|label*|dry*',
      ],
      {
        none: 'no step is skipped|drop the tip|reduce the volume|early stop of camera|without the cap|skip the header|skip the first row|do not skip|before it is cool is not',
        reach: 7,
      },
    ),
    'A step that protects quality or people is left out.',
  ),
  weighedIntent(
    concept(
      'deviation',
      [
        'deviat*|exception|workaround|work around|not in the protocol|not in the sop|against the sop|differs from the protocol|contrary to|despite|although|even though|regardless|nevertheless|anyway|in spite|off label|out of spec*|out of range|beyond the|outside the validated|outside its validated|not validated|unvalidated|beyond its',
      ],
      {
        none: 'deviation recorded and approved|although both are fine|standard deviation|deviation of the six|exception list empty|no deviation',
        negationCounts: true,
      },
    ),
    'The plan departs from a rule and says so.',
  ),
  weighedIntent(
    concept(
      'open_matter',
      [
        'unclear|not sure|unsure|uncertain|not clear|nobody knows|no one knows|nobody answered|nobody has|no one has|no answer|no reply|not answered|undecided|to be decided|not decided|not yet decided|disputed|dispute|ambiguous|contradict*|conflicting|conflict|two versions|both say|still says|not documented|undocumented|not recorded|no record|no entry|missing record|record is missing|not been confirmed|unconfirmed|not confirmed|probably|presumably|perhaps|maybe|looks unused|guess|cannot be confirmed|nobody has confirmed|pending|overdue|lapsed|out of date|expires|has been offline|is offline|damaged|cracked|leaking|leaks|smells|spill*|looks odd|unexpected|suspicious|unusual|strange|first time|never been|never tried|untested|new procedure|without precedent|waiting for|has not been|have not been|was not|were not|not yet|not available|unavailable|out of stock|broken|defect*|faulty',
      ],
      {
        negationCounts: true,
        none: 'stop if|stop and|if unclear|and stop|if unclear stop|log pending|pending list|in case of|leak test|leak check|no leak|not leaking|spill tray|spill kit|odd numbered|odd columns|odd rows|odd wells|was not detected|have not been opened|sign off|signoff|not acted|do not act|withdrawn',
      },
    ),
    'A question is open that the plan does not settle.',
  ),
  weighedIntent(
    concept(
      'last_material',
      [
        'last|only|sole|unique|irreplaceable|remaining|final|all of the|whole|entire|rest of the|use up|used up|nothing left',
        'aliquot|aliquots|vial|vials|sample|samples|tube|stock|reference|seed|backup|copy|slide|biopsy|material|donor material',
      ],
      {
        none: 'last row|last column|last well|last step|last tube of the series|final volume|only one aliquot is used|remaining wells|whole blood|at last|last plate|last week|rest of the plate|last position|last rack',
        reach: 3,
      },
    ),
    'Material that cannot be replaced is used up.',
  ),
  weighedIntent(
    concept(
      'irreversible_act',
      [
        'discard*|dispose*|destroy*|throw away|thrown away|incinerat*|decommission*|scrap|delete*|wipe the|format|reformat|purge|thaw*|defrost*|cut up|homogenise the only|burn|shred*|permanently|cannot be undone|irreversibl*|close the study|unblind*|publish|release the batch|release of the batch|reset to factory|factory reset',
        'sample*|record*|box|freezer|archive|plates|samples|collection|library|data|device|equipment|disk|drive|stock|strain|biobank|inventory|batch|key|blinding|code|backup|items|bank',
      ],
      {
        none: 'sign off|signoff|signed off|released for disposal|owner released|owner has released|release note|disposal list|used tips|tip waste|discard the supernatant|discard supernatant|discard the tips|discard tips|discard the flow through|discard the wash|aqueous waste|to waste|waste stream|thaw on ice|thaw the buffer|thaw at|thaw the master|thaw the primer|thaw the enzyme|bleach*',
        reach: 8,
      },
    ),
    'An act cannot be undone and names no sign-off.',
  ),
  weighedIntent(
    concept(
      'tradeoff',
      [
        'save time|to be faster|speed up|finish today|finish before|before the deadline|to meet the deadline|meet the target|hit the target|to save money|cheaper|save reagent*|save solvent|bonus|pressure from|looks better|nicer|more convenient|for comfort|avoid the paperwork|without waiting|no time|short of time|in a hurry|hurry|rush*',
        'skip*|instead|without|although|despite|less|fewer|lower|higher|faster|reduce*|ignore|later|not|only|higher speed|extra',
      ],
      { none: 'no time limit|without loss', negationCounts: true, reach: 24 },
    ),
    'Time or cost is traded against care.',
  ),
  weighedIntent(
    concept(
      'beyond_goal',
      [
        'while at it|while we are at it|also|in addition|by the way|on the side|as a favour|as a favor|for a friend|private project|own project|personal project|side project|for my own|just in case|for later use|spare capacity|extra copies|backup copy for',
        'private|personal|friend|own|unrelated|another project|other project|side project|favour|favor|collect all|all records|all donors|whole table|everything|every record|all samples|in case',
      ],
      { none: 'also report|also record', reach: 12 },
    ),
    'The plan does more than its goal says.',
  ),
  weighedIntent(
    concept(
      'story',
      [
        'still|nobody|anyway|already|yet|but|any|everything|anything|her|his|our|faster|better|quicker|tomorrow|weekend|old|last|somebody|someone|just|simply|rather|anyhow|meanwhile|nearer|cheaper|easier|short of|borrowed|quickly|strange|odd|mind|favour|favor|friend|private|boss|customer|client|bonus|deadline|pays|former|rumour|rumor|allegedly|apparently|supposedly|of course|everyone|anyone|wish|wishes|would like|hope|hopes|prefer|insists|promise*|beg|begs|secret|quiet|trouble|complain*|annoy*|angry|hurry|late|busy|gone|stolen|died|fell',
      ],
      {
        negationCounts: true,
        none: 'last row|last column|last well|last step|last wash|last tube|nobody is inside|nobody inside|old value kept|wait for the last|the last cycle',
      },
    ),
    'The plan tells a story where a procedure would give a value or a record.',
    textOnlyPlan,
  ),
] as const
