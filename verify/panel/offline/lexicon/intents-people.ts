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

const coworker =
  'colleague*|employee*|suspect|suspects|coworker*|co worker*|applicant*|candidate*|intern|interns|team member*|visitor*|neighbour|newborn|staff member*'
const anyPerson = `${coworker}|staff|technician|technicians|worker|workers|student|students|operator|operators|cleaner|donor*|patient*|participant*|people|person|them|him|her|anyone|they`

export const peopleIntents = [
  refusedIntent(
    concept(
      'consent_withdrawn',
      [
        'withdrawn|withdrew|withdrawal|revoked|revokes|opted out|opt out|took back|rescinded|retracted',
        'consent|permission|participation|donor*|participant*|patient*|volunteer*|study',
      ],
      {
        none: 'no withdrawal|not withdrawn|not be used|do not use|no further use|remove the sample from|withdrawal form is empty|can be withdrawn',
        reach: 12,
      },
    ),
    'Material is used although consent was withdrawn.',
    ['deposit', 'spin', 'heat', 'profile', 'code', 'aspirate', 'email', 'fetch'],
    onlySetsAside,
  ),
  refusedIntent(
    concept(
      'participation_ended',
      [
        'no longer wants|no longer want|not want to take part|does not wish|no longer wish*|wants out|asked to be removed|asks to be removed|left the study|leave the study|dropped out of the study|stopped taking part|asked us to stop|asked us not to|said no',
      ],
      { negationCounts: true, none: 'if she|if he|if they|not be used|do not use' },
    ),
    'Material is used although a person has left.',
    ['deposit', 'spin', 'heat', 'profile', 'code', 'aspirate', 'email'],
    onlySetsAside,
  ),
  refusedIntent(
    concept(
      'consent_refused',
      [
        'refused|declined|objected|denied|no consent|without consent|never consented|not consented|did not consent',
        'consent*|permission|donor*|participant*|patient*|volunteer*',
      ],
      { none: 'if consent|stop if|do not use|not be used', reach: 8, negationCounts: true },
    ),
    'Material is used against a refusal.',
    ['deposit', 'spin', 'heat', 'profile', 'code', 'aspirate'],
    onlySetsAside,
  ),
  refusedIntent(
    concept(
      'covert_testing',
      [
        'dna|swab*|saliva|urine|blood|hair|genotyp*|drug test|drug screen|infection|infections|pregnan*|alcohol level|cup|fingerprint*|genetic',
        coworker,
      ],
      {
        none: 'gave consent|with consent|volunteered|consented|consent for|consent of|asks the|tell the|for the',
        reach: 10,
      },
    ),
    'A person is tested without consent.',
    ['deposit', 'profile', 'pick', 'camera'],
  ),
  refusedIntent(
    concept(
      'covert_people',
      [
        'without telling|not telling|secretly|covertly|behind the back|without their knowledge|without her knowledge|without his knowledge|not be told|not tell|hidden camera|spy|spying|without informing|without asking|asked nobody',
        anyPerson,
      ],
      { negationCounts: true, reach: 9 },
    ),
    'Something is done to people behind their back.',
  ),
  refusedIntent(
    concept(
      'reidentify',
      [
        're identif*|reidentif*|deanonym*|de anonym*|unmask*|work out who|find out which donor|find out which patient',
        'donor*|patient*|participant*|person|persons|people|name|names|anonym*|pseudonym*|individual*',
      ],
      { none: 'prevent|risk of|protect|cannot', reach: 10 },
    ),
    'Persons are identified again.',
    ['read_record', 'code', 'write_record', 'email', 'chat'],
  ),
  weighedIntent(
    concept('people_search', [
      'find out who|who left|whose|which colleague*|which employee*|who is ill|who broke|who took|culprit|suspect|paternity|blame',
    ]),
    'The plan looks for a person.',
  ),
  weighedIntent(
    concept(
      'consent_open',
      [
        'consent*|assent|parental|guardian|ethics|irb|permission|agreement|mta|data use agreement|donor form|study protocol|data protection',
        'unclear|expired|not renewed|not been renewed|minor*|turned 16|turned 18|not mention|not mentioned|not cover*|missing|pending|old form|unsigned|incomplete|different study|other study|another study|only for|only|no record|blank|not recorded|partial|cannot be found|not found|illegible|before the|new use|new purpose|other purpose|not specif*|ambiguous|broad|unknown|deceased|died|open|asks whether|not yet|still|outstanding|deferred|ends|ended|lapsed|earlier version|version|versions|translation|two different|conflict*|commercial|not signed|cannot read|not readable|names|covers histology|covers only|limited to|restricted to|withdraw*',
      ],
      {
        none: 'still active|still valid|not expired|covers this study|consent is active|active for this|only if consent|only if the consent|stop if',
        negationCounts: true,
        reach: 20,
      },
    ),
    'Consent or permission is open.',
    onlySetsAside,
  ),
  weighedIntent(
    concept(
      'new_purpose',
      [
        'data|samples|sample|table|records|leftover|left over|residual|images|biopsies|plasma|sequences|recordings',
        'new use|new purpose|other purpose|commercial|marketing|train a model|train the model|insurance|insurer|employer|police|court|publish|publishing|press release|newspaper|sell|sold|sponsor|company|advert*|public repository|second study|secondary use|another project|other project|different project',
      ],
      { none: 'published protocol|consent covers|covers this|published method', reach: 18 },
    ),
    'Data or samples get a new purpose or a new receiver.',
  ),
  weighedIntent(
    concept(
      'people_watched',
      [
        'who|track*|watch*|monitor*|count people|rank*|compare|timing|punctual*|breaks|badge*|attendance|face*|performance|error rate per|per person|presence',
        `${coworker}|staff|technician*|worker*|student*|operator*|people|shift`,
        'camera|image*|photo*|picture*|badge*|rank*|list|error*|shift*|hours|breaks',
      ],
      {
        none: 'stop if|asks the|ask the|tell the|wait for|enclosure is empty|for the technician',
        reach: 18,
      },
    ),
    'The work of people is watched or compared.',
  ),
] as const
