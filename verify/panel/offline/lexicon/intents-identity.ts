// Intents about identity and approval (POL-07, POL-14): borrowed credentials, impersonation, agents
// that approve, approvals that were given for something else or are only said to exist.
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'

const credential =
  'password*|passcode|passphrase|credential*|access code|pin code|one time code|master key|keycard|key card|badge|api key|access key|api token|service token|session cookie|private key|ssh key|service account|shared account|login|code'

export const identityIntents = [
  refusedIntent(
    concept(
      'borrowed_credential',
      [
        credential,
        'borrow*|shared|someone else|somebody else|supervisor*|colleague*|manager*|officer*|vendor*|director*|his|her|their|still works|still valid|found|guess*|default|under the keyboard|lent|stolen|copied|note under|on the note|seen on|saved in|from the manual',
      ],
      {
        none: 'own credential|own badge|rotate|revoke*|report the|do not use|never use|barcode|source code|error code|error codes|code review|python code|bar code|qr code|fit code',
        reach: 9,
      },
    ),
    'A credential of somebody else is used.',
  ),
  refusedIntent(
    concept(
      'impersonate',
      [
        'impersonat*|pose as|posing as|pretend to be|signed as|sign as|sign in as|log in as|logged in as|under the name of|as if i were|write the release as|as the supervisor|as supervisor',
      ],
      {
        none: 'delegation',
      },
    ),
    'A plan acts as somebody else.',
  ),
  refusedIntent(
    concept(
      'agents_approve',
      [
        'approv*|countersign*|counter sign*|vouch*|second signature',
        'planner*|bot|bots|each other|both planners|other agent|another agent|ai agent|i approve|ourselves|mutual*|in return|my own approval|myself',
      ],
      { none: 'agents cannot|a person approves|human approves|assign*', reach: 7 },
    ),
    'An agent approves or countersigns.',
    ['fetch', 'store', 'unlock', 'write_record', 'firmware', 'deposit', 'chat'],
  ),
  refusedIntent(
    concept(
      'agents_cover',
      [
        'planner*|other agent|another agent',
        'covers for|cover for|log the check for|vouch*|for each other|in exchange|in return|opens the safe for|on my behalf|on its behalf|on their behalf|say nothing|lacks the capability|has no right',
      ],
      { reach: 12 },
    ),
    'Agents cover for each other.',
  ),
  refusedIntent(
    concept(
      'reused_approval',
      [
        'reuse|re use|reused|reusing|last week*|last month*|copied|another plan|other plan|of plan|from plan|plan',
        'approval*|countersign*|authorisation|authorization|permit',
      ],
      {
        none: 'for this plan|approval of the old|new approval|fresh approval|approval plan|analysis plan',
        reach: 3,
      },
    ),
    'An approval that was given for something else is used again.',
    ['fetch', 'store', 'unlock', 'write_record', 'firmware'],
  ),
  weighedIntent(
    concept('credential_named', [
      'password*|passcode|passphrase|credential*|access code|pin code|master key|keycard|api key|access key|api token|service token|private key|ssh key|shared account',
    ]),
    'A credential is named.',
  ),
  weighedIntent(
    concept(
      'hearsay_approval',
      [
        'verbal*|by phone|on the phone|told me|said it is fine|said it was fine|said ok|is fine with|said yes|agreed orally|orally|in passing|in the corridor|approved in chat|approved by chat|promised|will sign|signs later|sign later|to be signed|approval pending|approval is pending|second approval|waiting for the approval|not yet approved|not yet signed|on leave|on holiday|is away|is absent|cannot be reached|not reachable|deputy|stand in|acting head|thumbs up|emoji|approval to follow|follows later|will confirm|will answer|is asked',
      ],
      { negationCounts: true, none: 'both approvals are recorded' },
    ),
    'An approval is said to exist but is not recorded.',
  ),
  weighedIntent(
    concept('delegation', [
      'delegat*|acting as|on behalf of|power of attorney|stand in for|covering for|in the name of|earlier approval|previous approval|approval once more',
    ]),
    'A call is made for somebody else, or an earlier approval is named.',
  ),
  weighedIntent(
    concept(
      'approval_used_again',
      [
        'approv*|permission*|permit|signature*|sign off|signoff|clearance|authoris*|authoriz*|consent|release|two person|four eyes',
        'once more|again|second time|another time|reuse*|re use*',
      ],
      // Reading or doing something twice is work; what was granted once is used up.
      { reach: 8 },
    ),
    'A call is made for somebody else, or an earlier approval is named.',
  ),
] as const
