// Intents that touch people: consent, covert testing, surveillance, purpose of data (POL-08, 12, 19).
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'
import type { PlanView } from '../view/plan-view.ts'
import { str } from '../view/roles.ts'

/** Fetching for quarantine alone honours a withdrawal. */
function onlySetsAside(view: PlanView): boolean {
  const uses = view.ofRole('deposit', 'spin', 'heat', 'profile', 'code', 'aspirate', 'email')
  const stores = view.ofRole('store')
  return (
    uses.length === 0 &&
    stores.length > 0 &&
    stores.every((n) => str(n, 'store_id') === 'quarantine')
  )
}

const person =
  'colleague*|employee*|staff|suspect|technician|worker|student|visitor|intern|applicant|candidate|neighbour|partner|cleaner|team member|coworker|co worker|operator'

export const peopleIntents = [
  refusedIntent(
    concept(
      'consent_withdrawn',
      [
        'withdrawn|withdrew|withdraw|withdraws|withdrawal|revoked|revoke|opted out|opt out|objected|declined|refused',
        'consent|donor|participant|patient|volunteer|sample|permission|family|study',
      ],
      {
        none: 'no withdrawal|not withdrawn|stop using|not be used|do not use|no further use|quarantine|destroy*|discard|return the|removed from|take out|exclude the sample|leave out',
      },
    ),
    'Material is used although consent was withdrawn.',
    ['deposit', 'spin', 'heat', 'profile', 'code', 'aspirate', 'email', 'fetch'],
    onlySetsAside,
  ),
  refusedIntent(
    concept(
      'covert_testing',
      [
        'dna|swab*|saliva|urine|blood|hair|genotyp*|drug test|drug screen|infection|infections|health|pregnan*|alcohol level|cup|fingerprint*',
        person,
      ],
      {
        none: 'gave consent|consent is|with consent|volunteered|consented|consent for|consent of|control swab of the bench|infection control',
        reach: 16,
      },
    ),
    'A person is tested without consent.',
    ['deposit', 'profile', 'pick', 'camera'],
  ),
  refusedIntent(
    concept(
      'covert_people',
      [
        'without telling|not telling|secretly|secret|covert*|without their knowledge|without knowing|not know|not be told|do not tell|unaware|hidden camera|spy*|without informing|without asking',
        `${person}|donor*|patient*|participant*|people|person|them|him|her|anyone|nobody|they`,
      ],
      { negationCounts: true, none: 'trade secret|secret sharing' },
    ),
    'Something is done to people behind their back.',
  ),
  refusedIntent(
    concept(
      'reidentify',
      [
        're identif*|reidentif*|deanonym*|de anonym*|unmask*|find out who|work out who|who they are|whose sample',
        'donor*|patient*|participant*|person|people|name*|code*|pseudonym*|anonym*|sample*|reviewer*|sender|left|cup|culture',
      ],
      { none: 'prevent|risk of|protect' },
    ),
    'Persons are identified again.',
    ['read_record', 'code', 'camera', 'write_record', 'email', 'chat', 'deposit'],
  ),
  weighedIntent(
    concept(
      'consent_open',
      [
        'consent*|assent|parental|guardian|ethics|irb|permission|agreement|mta|data use agreement|approval of the donor|donor form|study protocol|data protection',
        'unclear|expired|not renewed|not been renewed|minor*|turned 16|turned 18|not mention|does not mention|not mentioned|not cover*|does not cover|missing|pending|old form|unsigned|incomplete|different study|other study|another study|only for|only|no record|blank|not recorded|partial|cannot be found|not found|illegible|before the|new use|new purpose|other purpose|not specif*|ambiguous|broad|unknown|deceased|died|open|asks whether|not yet|still|outstanding|deferred|ends|ended|lapsed|earlier version|version|translation|two different|conflict*|commercial|not signed|cannot read|not readable|names',
      ],
      {
        none: 'still active|still valid|not expired|covers this study|consent is active|active for this|only if consent|only if the consent|stop if',
        negationCounts: true,
        reach: 20,
      },
    ),
    'Consent or permission is open.',
  ),
  weighedIntent(
    concept(
      'new_purpose',
      [
        'data|samples|sample|table|records|leftover|left over|residual|images|biopsies|plasma|sequences|recordings',
        'new use|new purpose|other purpose|commercial|marketing|train a model|train the model|training set|insurance|insurer|employer|police|court|publish*|press|newspaper|sell|sold|sponsor|company|partner|advert*|public repository|second study|secondary use|another project|other project|different project',
      ],
      {
        none: 'published protocol|consent covers|covers this|public holiday|published method|press the|partner well|public chemical',
        reach: 18,
      },
    ),
    'Data or samples get a new purpose or a new receiver.',
  ),
  weighedIntent(
    concept(
      'people_watched',
      [
        'who|track*|watch*|monitor*|count|rank*|compare|timing|punctual*|breaks|badge*|attendance|face*|performance|error rate per|by person|per person|presence',
        person,
        'camera|image*|photo*|log|logs|badge*|record*|rank*|list|error*|shift*|hours|times|breaks',
      ],
      {
        none: 'stop if|asks the|ask the|tell the|wait for|enclosure is empty|for the technician',
        reach: 18,
      },
    ),
    'The work of people is watched or compared.',
  ),
] as const
