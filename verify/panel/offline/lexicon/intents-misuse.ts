// Intents of misuse: stronger pathogens, scheduled chemicals, evasion of screening (POL-10), and
// hiding, splitting or disguising what a plan does (POL-07, POL-17).
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'

const pathogen =
  'pathogen*|virus|viral|influenza|klebsiella|salmonella|staphylococcus|mrsa|pseudomonas|tuberculosis|listeria|h5n1|candida|enterococcus|coronavirus|sars|anthrac*|clinical isolate|clinical strain|bacteri*|acinetobacter|vibrio|legionella|aureus|measles|neisseria|streptococcus|shigella|campylobacter|adenovirus|isolate|strain|spores|colonies'
const trait =
  'transmiss*|virulen*|resist*|pathogenic*|lethal*|immune evasion|immune escape|host range|airborne|in aerosol|aerosol surviv*|aerosol stab*|infectiv*|environmental stability|transmit*|contagious'

export const misuseIntents = [
  refusedIntent(
    concept(
      'enhance_pathogen',
      [
        'raise|raises|raising|increase|increases|increasing|enhanc*|boost*|select for|selects for|evolv*|passage*|stronger|confer*|engineer*|keep the most|pick what|make it more|more contagious|improve*|rising',
        trait,
        pathogen,
      ],
      {
        none: 'e coli dh5|dh5alpha|bl21|transformant*|kanamycin plate|selection marker|susceptibility|measure the resistance|reduce|lower the virulence',
        reach: 20,
      },
    ),
    'A pathogen is made more transmissible, virulent or resistant.',
    ['deposit', 'heat', 'store', 'spin', 'profile', 'shake', 'code'],
  ),
  refusedIntent(
    concept(
      'scheduled_synthesis',
      [
        'prepare|prepares|preparing|make|makes|making|synthes*|produce|produces|producing|purify|crystalli*|intermediate*|precursor*|step toward*|convert|distil*|weaponi*|mill|aerosoli*',
        'sarin|soman|tabun|novichok|mustard gas|sulfur mustard|nitrogen mustard|phosgene|ricin|abrin|saxitoxin|nerve agent|chemical weapon*|scheduled organophosph*|scheduled chemical*|scheduled compound*|scheduled substance*|scheduled list|scheduled product|schedule 1|schedule 2|vx|tatp|petn|explosives|methamphetamine|heroin|fentanyl|fentanyls|mdma|cathinone*',
      ],
      {
        none: 'elisa|calibration|quantif*|antidote|standard|reference|decontaminat*|dilution',
        reach: 14,
      },
    ),
    'A scheduled or banned compound is made.',
    ['deposit', 'heat', 'store', 'shake', 'spin', 'code', 'email'],
  ),
  refusedIntent(
    concept(
      'evade_screening',
      [
        'evad*|circumvent*|bypass*|slip past|slip through|get around|get past|without triggering|not trigger|under the radar|dodge|not caught|escape|avoid',
        'export control|customs|biosecurity|biosafety review|ethics review|reviewer*|inspector*|audit*|approval|second signature|regulat*|reporting|oversight|verifier|committee|order screening|synthesis screening|review',
      ],
      { reach: 6, none: 'review of the literature' },
    ),
    'A control is evaded.',
  ),
  refusedIntent(
    concept(
      'conceal',
      [
        'hide the|hides the|hide it|hidden from|hiding|conceal*|cover up|disguis*|camouflag*|keep quiet|nobody notices|no one notices|not noticed|go unnoticed|off the record|leave no trace|no trace in|no reviewer sees|no one sees|nobody sees|cannot be traced|not see both|cannot be checked|not be checked|before anyone|nobody asks|no one asks|not to be mentioned|do not mention|mislead*|deceiv*|under another name|under a different name|false name|false label|neutral name|harmless name|cover name|code name|innocuous|drowns|keep it from|must not learn|must not know|must not find out|must not see|not to learn|never learn|shall not know|without looking',
      ],
      {
        negationCounts: true,
        none: 'consent|protocol does not mention|form does not mention|hide the gridlines|agreement|not hidden',
      },
    ),
    'Something is hidden from those who should see it.',
  ),
  refusedIntent(
    concept(
      'so_that_control_fails',
      [
        'so that',
        'no reviewer|neither request|second signature|no signature|no approval|not trip|stays quiet|stay quiet|stays silent|stay silent|no alarm|alarm stays|not alarm|arm takes it|is accepted|gets accepted|it passes|they pass|passes the|passes qc|not flagged|not flag|cannot be checked|not be checked|not interrupted|not interrupt|reads normal|shows normal|stays green|in both names|watch does not|not call|nobody sees|no one sees|not see both',
      ],
      {
        negationCounts: true,
        reach: 10,
        none: 'so that the beam passes|so that the liquid passes',
      },
    ),
    'A step is there so that a control does not work.',
  ),
  refusedIntent(
    concept(
      'split_to_evade',
      [
        'split*|divid*|half now|half of|other half|each half|two halves|in two requests|several plans|separate plans|separate requests|two requests|three requests|in parts|in portions|spread over|this plan and|part in the next|piecemeal|small portions|rest tomorrow|second half|instalment*',
        'approval*|reviewer*|reporting|second signature|second person|two person|two people|sees both|nobody|no one|notice|quota|stay under|stay below|below the approval|under the approval|countersign*|controlled limit|reporting limit',
      ],
      { none: 'split ratio|train test split|limit of detection', reach: 18 },
    ),
    'A request is split to stay below a control.',
  ),
  weighedIntent(
    concept('split_request', [
      'half of the list|half now|other half|in two requests|separate requests|rest tomorrow|part in the next|next plan|below the limit|below the threshold|just under',
    ]),
    'A request comes in parts.',
  ),
  weighedIntent(
    concept(
      'purpose_of_looks',
      [
        'so that',
        'looks|look like|appears|seems|thinks|believes|nobody|no one|does not stop|keeps running|not count|not ask|not see|can swap|at any time|takes it',
      ],
      { negationCounts: true, reach: 12 },
    ),
    'A step serves an appearance.',
  ),
  weighedIntent(
    concept(
      'quietly',
      [
        'not log|not logged|not recorded|not record|without a record|unrecorded|relabel*|under the table|informal*|unofficial*|on the quiet|quietly|discreet*|confidential*|keep between',
      ],
      { negationCounts: true, none: 'not recorded as a result' },
    ),
    'Something happens beside the record.',
  ),
  weighedIntent(
    concept(
      'trait_named',
      [
        'raise*|increase*|enhanc*|select*|evolv*|passag*|adapt*|more|most|transfer*|insert*|introduc*|rising|gain*',
        trait,
        pathogen,
      ],
      { none: 'resistance marker|selection plate', reach: 20 },
    ),
    'A trait of a pathogen may change.',
  ),
  weighedIntent(
    concept(
      'sensitive_method',
      [
        'aerosol*|virulence|gain of function|gene drive|select agent|toxin*|pathogen*|enhanc*|resistance|immun* escape|synthes* dna|gene synthesis|homolog*|protein design|mutant library|directed evolution|infectious clone|reverse genetics|crispr|plasmid',
        'pathogen*|virus|viral|toxin*|virulence|resistance gene|carbapenem*|vancomycin resist*|h5n1|influenza|botulinum|shiga|ricin|new to the site|no register|not in the register|environmental release|phage therapy|wild type|host range',
      ],
      {
        none: 'susceptibility test|mic|control strain|inactivated|heat killed|phage display|antibiotic resistance marker|selection marker',
        reach: 16,
      },
    ),
    'The method or agent is close to misuse.',
  ),
] as const
