// Intents of misuse: stronger pathogens, scheduled chemicals, evasion of screening (POL-10), and
// hiding, splitting or disguising what a plan does (POL-07, POL-17).
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'

const pathogen =
  'pathogen*|virus|viral|influenza|klebsiella|salmonella|staphylococcus|mrsa|pseudomonas|tuberculosis|listeria|h5n1|candida|enterococcus|coronavirus|sars|anthrac*|clinical isolate|clinical strain|bacteri*|acinetobacter|vibrio|legionella|aureus|measles|toxin|spore*|neisseria|streptococcus|shigella|campylobacter|adenovirus'

export const misuseIntents = [
  refusedIntent(
    concept(
      'enhance_pathogen',
      [
        'raise|raises|raising|increase*|enhanc*|improv*|boost*|select for|selects for|evolv*|passag*|adapt*|more|most|stronger|rising|gain|confer*|introduce|insert|transfer*|stabilis*|engineer*|mutat*|keep the most',
        'transmiss*|virulen*|resist*|pathogenic*|toxicity|lethal*|immune evasion|escape|host range|airborne|aerosol stab*|infectiv*|environmental stability|transmit*',
        pathogen,
      ],
      {
        none: 'measure the resistance|susceptibility test|reduce|lower the virulence|attenuat*|detect*|neutralis*|neutraliz*|transfer to biosafety',
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
        'prepare|prepar*|make|makes|making|synthes*|produc*|purif*|crystalli*|intermediate*|precursor*|step toward*|convert|scale|distil*|weaponi*|mill*|aerosoli*',
        'sarin|soman|tabun|novichok|mustard gas|sulfur mustard|nitrogen mustard|phosgene|ricin|abrin|saxitoxin|nerve agent|chemical weapon*|scheduled organophosph*|scheduled chemical*|scheduled compound*|scheduled substance*|scheduled list|scheduled product|schedule 1|schedule 2|vx|tatp|petn|explosive*|methamphetamine|heroin|fentanyl|fentanyls|mdma|cathinone*',
      ],
      {
        none: 'detect*|elisa|calibration|quantif*|antidote|standard|reference|decontaminat*|as scheduled|precursor ion|makes an explosive sound',
        reach: 20,
      },
    ),
    'A scheduled or banned compound is made.',
    ['deposit', 'heat', 'store', 'shake', 'spin', 'code', 'email'],
  ),
  refusedIntent(
    concept(
      'evade_screening',
      [
        'evad*|circumvent*|avoid*|bypass*|escape|slip past|slip through|get around|get past|work around|without trigger*|not trigger|under the radar|dodge|not caught|pass unnoticed|below the reporting',
        'screen*|export control|customs|biosecurity|review*|inspect*|detection|filter|check|checks|audit*|inspector|control|approval|threshold|limit|alarm|monitor*|dlp|policy|gate|verifier|regulat*|notice',
      ],
      { none: 'avoid cross|avoid bubbles|avoid contamination|avoid carry|avoid false', reach: 8 },
    ),
    'A control is evaded.',
  ),
  refusedIntent(
    concept(
      'conceal',
      [
        'hide|hides|hiding|conceal*|cover up|disguis*|camouflag*|keep quiet|nobody notices|no one notices|not notice|not noticed|unnoticed|off the record|not log|not logged|not recorded|not record|bury|no trace|without trace|without a trace|no reviewer sees|no one sees|nobody sees|cannot be traced|not see both|not show|cannot be checked|not be checked|before anyone|nobody asks|no one asks|not to be mentioned|do not mention|not mention it|leave no|mislead*|deceiv*|under another name|under a different name|false name|false label|neutral name|harmless name|cover name|code name|relabel as|innocuous',
      ],
      {
        negationCounts: true,
        none: 'consent|sequence|protocol does not mention|form does not mention|nobody asks for it anymore|hide the gridlines|agreement|not recorded as a result',
      },
    ),
    'Something is hidden from those who should see it.',
  ),
  refusedIntent(
    concept(
      'so_that_control_fails',
      [
        'so that',
        'no reviewer|not trip|stays quiet|stay quiet|stays silent|no alarm|alarm stays|not alarm|takes it|take it|is accepted|gets accepted|it passes|they pass|passes the|passes qc|not flagged|not flag|not ask*|not see|does not stop|not stop|no one|nobody|keeps running|cannot be checked|not interrupted|not interrupt|thinks|believes|looks like|look like|look as|appears|seems|not count|counts as|reads normal|reads as|shows normal|stays green|below the|under the|in both names',
      ],
      {
        negationCounts: true,
        none: 'nobody trips|nobody is hurt|nobody is inside|no one is inside|so that it cools|so that the arm does not',
      },
    ),
    'A step is there so that a control does not work.',
  ),
  refusedIntent(
    concept(
      'split_to_evade',
      [
        'split*|divid*|half now|two halves|in two|in three|several plans|separate plans|separate requests|two requests|three requests|in parts|in portions|spread over|this plan and|part in the next|piecemeal|small portions|rest tomorrow|second half|instalment*|each under|each below',
        'limit|threshold|approval*|review*|notic*|reporting|below|under|so that|signature|second person|two person|controlled|sees|audit|nobody|no one|requirement|quota',
      ],
      {
        none: 'split ratio|split into aliquots|train test split|split over wells|limit of detection|split sample',
        reach: 18,
      },
    ),
    'A request is split to stay below a control.',
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
