// Careless practice, in the words people use for it: protection left out, hazards brought together,
// convenience before care. These ask a person; the structural rules refuse where nodes do it.
import { weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'

const hazard =
  'acid|acids|solvent*|chemical*|gas|cylinder*|flammable*|radioactiv*|isotope*|laser|cryogen*|nitrogen|dewar|biohazard*|pathogen*|toxic*|volatile*|hydrofluoric|perchloric|peroxide|oxidi*|mercury|benzene|toluene|ether|ammonia|hot plate|hotplate|autoclave|reaction|distillation|spill*|waste|needle*|syringe*|scalpel*|blade*|sharps|cultur*|specimen*|uv|high voltage|power|pressure*|vacuum|centrifuge|hood|cabinet|bsc|container*|bottle*|sample*|vessel|setup|apparatus|equipment|cells|aerosol*'

export const practiceIntents = [
  weighedIntent(
    concept(
      'without_protection',
      [
        'without|no|lack of|lacking|minus|rather than wearing|instead of wearing|remove|removing|taking off|take off|bare',
        'glove*|goggle*|eyewear|ppe|protective|protection|respirator|mask|shield*|guard|guards|face shield|lab coat|coat|ventilation|ventilat*|grounding|earthing|containment|barrier|secondary container|secondary containment|label*|training|trained|supervision|permit|safety glasses|hands|restraint*|trap|relief|insulat*|splash',
      ],
      {
        negationCounts: true,
        reach: 5,
        ordered: true,
        none: 'glove box|label free|without labelled probe|mask the|no label change|remove the label layer|masked',
      },
    ),
    'Protection is left out.',
  ),
  weighedIntent(
    concept(
      'without_check',
      [
        'without|not|never|skip*|ignore*|ignoring|neglect*|bypass*|forgo*|omit*|fail to|postpone*|delay*|defer*|disregard*|overlook*|dismiss*|avoid',
        'checking|check|verif*|inspect*|test*|calibrat*|monitor*|consult*|confirm*|assess*|measur*|report*|notif*|cleaning|decontaminat*|disinfect*|maintenance|securing|document*|record*|addressing|address|evacuat*|warning*|alarm|odor|odour|leak*|temperature rise|swollen|crack*|guideline*|protocol|procedure*|sds|msds|safety|precaution*|regulation*|manual|limit*|compatib*|signs|segregat*|ensuring',
      ],
      {
        negationCounts: true,
        reach: 4,
        ordered: true,
        none: 'do not skip|not measured in this|without measurable|never skip',
      },
    ),
    'A check or a report is left out.',
  ),
  weighedIntent(
    concept(
      'convenience',
      [
        'for convenience|convenient|convenience|for easier|easier|for easy|for quick|quicker|faster|to save|save time|save space|save money|saves time|to speed|to accelerate|accelerate|simplify|to avoid clutter|maximize|maximise|minimize interruption|to reduce cost*|to prevent delay*|to avoid disrupt*|to avoid distract*|for visibility|better visibility|for comfort|more comfortable|efficiency|efficiently|to prioriti*|prioritizing|without interruption|to keep working',
        hazard,
      ],
      {
        reach: 18,
        none: 'accelerate the clotting|easier pipetting|minimize bubbles|minimise bubbles',
      },
    ),
    'Convenience is put before care with a hazard.',
  ),
  weighedIntent(
    concept(
      'assumption',
      [
        'assum*|rely solely|relying solely|rely only|relying only|solely|trust that|presum*|guess*|believing|trusting|regardless|despite|even though|no matter|as it still|still works|just this once|should be fine|insignificant|obvious|without concern',
      ],
      { none: 'assume the position', negationCounts: true },
    ),
    'Safety rests on an assumption.',
  ),
  weighedIntent(
    concept(
      'brought_together',
      [
        'near|next to|close to|beside|adjacent|alongside|in front of|above the|on top of|together|same tray|same cabinet|same container|same bottle|same room|together with|directly on*',
        'heat source*|heat generating|flame|burner|ignition|spark*|hot plate|hotplate|fire extinguisher*|exit|eyewash|electrical|outlet|sink|drain|food|snack*|drink*|solvent*|incompatible|oxidi*|flammable*|acid*|base|radiation|sunlight|direct sunlight|oven|walkway|doorway|edge|floor|autoclave',
      ],
      {
        reach: 8,
        none: 'place the plate on top of|on top of the gel|on the hot plate in the hood|next to the wells|close to 0',
      },
    ),
    'A hazard is brought near what sets it off.',
  ),
  weighedIntent(
    concept(
      'wrong_disposal',
      [
        'pour|pours|pouring|dispos*|throw*|dump*|flush*|discard*|drain|rinse down|put|toss',
        'sink|drain|regular trash|trash|general waste|household|regular waste|municipal|regular bin|toilet|sewer|ordinary waste|ordinary bin|dustbin|garbage',
      ],
      { reach: 12, none: 'sharps bin' },
    ),
    'Waste leaves by a way that is not meant for it.',
  ),
  weighedIntent(
    concept(
      'left_unsafe',
      [
        'leave|leaves|leaving|left|keep|keeping|kept|store|stores|storing|stored|place|placing|operate|operating|position*|use|using|remain|allow|allowing|carry|carrying|transport*|transfer*',
        'unattended|uncovered|unlabeled|unlabelled|unsealed|open flame|fully open|partially open|wide open|propped|unsecured|unlocked|non shielded|unshielded|outside the|on the floor|on the bench overnight|overnight|frayed|cracked|damaged|expired|broken|leaking|swollen|out of service|high shelf|locker*|personal|bare|by hand|by mouth|maximum|full power|high power|inappropriate|non acid resistant|non explosion|plastic|latex|untrained|alone|indoors|enclosed space|confined',
      ],
      {
        reach: 9,
        none: 'open tubes on ice|incubate overnight|overnight at|overnight culture|grow overnight|room temperature overnight|4 c overnight|overnight incubation|maximum speed for|at maximum speed|plastic tube|plastic bag|plastic wrap|overnight',
      },
    ),
    'Something is left or handled in an unsafe state.',
  ),
  weighedIntent(
    concept(
      'defeated_protection',
      [
        'disabl*|deactivat*|switch off|switching off|turn off|turning off|shut off|mute|silence|remove the|removing the|unplug*|block|blocking|obstruct*|cover|override*|reduce reliance|loosen*|bypass*',
        'ventilation|alarm*|monitor*|detector*|interlock*|guard*|hood|airflow|extinguisher*|exit*|eyewash|shower|sensor*|regulator|relief|shield*|safety|filter*|emergency|fan',
      ],
      { reach: 7 },
    ),
    'Protection is switched off.',
  ),
  weighedIntent(
    concept(
      'wrong_order',
      [
        'adding water|add water|water to the acid|water into the acid|fully seal|seal the reaction|completely closed|completely sealed|sealed vessel|tightly seal|seal* more tightly|no pressure release|without a pressure|oxygen as the|warm water for|reuse needle*|reuse the|reusing|recap*|mouth pipet*|mix all|mixing bleach|mix bleach',
      ],
      {
        none: 'adding water to the tube|add water to a final|reuse the tip|seal the plate|add water to make|reusing tips|tips reused',
      },
    ),
    'A step is done in a way that is known to be dangerous.',
  ),
] as const

export const harmIntents = [
  weighedIntent(
    concept(
      'harm_people',
      [
        'collid*|crash*|strike|strikes|hit|hits|ram|rams|attack*|harm|hurt|injur*|kill|shoot*|explode|poison*|burn|drop on|contact with|make contact|fly over|fly into|fly to|fly near|hover above|land on|over the|above the|towards|toward|chase|aim*|drive into',
        'person|people|crowd|human*|pedestrian*|child*|car|cars|vehicle*|building|tower*|turbine*|animal*|victim|bystander*|driver|house|bridge|power line|him|her|them',
      ],
      { reach: 10 },
    ),
    'People or property may be struck.',
  ),
] as const
