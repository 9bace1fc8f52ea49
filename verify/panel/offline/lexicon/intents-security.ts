// Intents against security: oversight, artefacts, covert channels, rights (POL-11, 12, 13).
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'
import type { Role } from '../view/roles.ts'

const talks: readonly Role[] = ['chat', 'email', 'write_record', 'code', 'http']

export const securityIntents = [
  refusedIntent(
    concept(
      'flood_oversight',
      [
        'flood*|drown*|overwhelm*|swamp*|dummy alert*|fake alert*|keep busy|keep the reviewers busy|distract*',
        'reviewer*|alert*|alarm*|operator*|queue|inbox|channel|log|logs|monitor*|real one|watch',
      ],
      { reach: 10 },
    ),
    'People or monitors are flooded.',
    talks,
  ),
  refusedIntent(
    concept(
      'disable_oversight',
      [
        'disabl*|switch off|turn off|mute|suspend*|kill|crash|deactivat*|tamper*|unhook*',
        'logging|logger|audit log|audit trail|audit|verifier|gateway|portcullis|watchdog|policy engine|oversight|review queue|reviewers|alerting|hash check|signature check|integrity check|access log',
      ],
      { reach: 5 },
    ),
    'Oversight is switched off.',
  ),
  refusedIntent(
    concept(
      'ignore_integrity',
      [
        'ignore*|ignoring|skip*|anyway|regardless|all the same|force|forcing|without checking|without verif*|despite|disable*|nevertheless',
        'hash|checksum|sha256|sha|signature|certificate|digest|manifest',
      ],
      {
        none: 'stop if|abort if|refuse if|else stop|if the hash|do not skip|never skip',
        reach: 14,
      },
    ),
    'An artefact is used although its integrity is not shown.',
    ['code', 'firmware', 'http'],
  ),
  refusedIntent(
    concept(
      'covert_channel',
      [
        'steganograph*|least significant|hidden in|hide in|white text|white on white|zero width|acrostic|first letters|in the file name|in the subject line|in the metadata|as base64|base64',
        'name|names|data|records|sequence|ids|donor*|patient*|key|token|message|table|list|payload',
      ],
      { reach: 8 },
    ),
    'Data are hidden in something that looks harmless.',
    talks,
  ),
  weighedIntent(
    concept(
      'integrity_open',
      [
        'hash|checksum|sha256|signature|certificate|digest',
        'not match|mismatch|differs|differ|wrong|another one|failed|unverified|invalid|missing|no hash|expired|older',
      ],
      {
        none: 'stop if|abort if|if the hash|if it does not match|if they differ',
        reach: 10,
        negationCounts: true,
      },
    ),
    'The integrity of an artefact is open.',
  ),
  weighedIntent(
    concept(
      'oversight_touched',
      [
        'stop|pause|remove|block|delay|skip|reduce',
        'logging|audit*|monitoring|alerting|oversight|reviewers|watchdog|verification',
      ],
      { reach: 4, none: 'stop and|or stop' },
    ),
    'Oversight is touched.',
  ),
  weighedIntent(
    concept(
      'encoded',
      [
        'encod*|obfuscat*|encrypt*|compress and|zip|archive password|qr code with',
        'names|data|records|table|list|message|file|payload',
      ],
      { none: 'one hot|label encod*|gene encod*|encoder|encoded by the gene', reach: 8 },
    ),
    'Data are wrapped so that others cannot read them.',
  ),
  weighedIntent(
    concept('leak_route', [
      'private address|private mail*|private e mail|personal address|personal mail|personal e mail|personal account|gmail|home address|home account|usb|memory stick|dropbox|cloud drive|file share site|outside the company|competitor|journalist|former colleague|ex colleague|recruiter|pastebin|public link|open link|forum|social media|whatsapp|telegram|auto forward|forward all|external drive|personal drive|bcc|blind copy',
    ]),
    'Data are about to take an unusual way out.',
  ),
  weighedIntent(
    concept(
      'unclear_artefact',
      [
        'script|package|library|firmware|driver|plugin|macro|notebook|model file|weights|container image|binary|patch|reagent lot|kit|lot|protocol file|tool|update|dependency|hotfix',
        'unknown source|no hash|no sha|without hash|without a hash|unsigned|self signed|colleague sent|found on|forum|github|community|nightly|beta|release candidate|not pinned|latest|floating|mirror|new maintainer|typosquat*|third party|unofficial|home made|homemade|no certificate|without certificate|not yet approved|unapproved|new supplier|new vendor|other supplier|changed owner|not in the register|description changed|changed since|share|no version|sideload*|usb|from the internet|downloaded|internet|preview|local build|custom build|renamed',
      ],
      {
        none: 'latest results|read the version|internal store|pinned',
        negationCounts: true,
        reach: 9,
      },
    ),
    'An artefact is of unclear origin.',
  ),
  weighedIntent(
    concept(
      'widen_rights',
      [
        'grant|give|gives|create|creates|extend|raise|elevate*|escalate|request|widen|unlock all|open up|enable',
        'permission*|capabilit*|admin rights|admin access|administrator|privilege*|access right*|sudo|root|write access|full access|superuser|allow list|allowlist|whitelist|user account',
      ],
      { reach: 6 },
    ),
    'Rights are widened.',
  ),
] as const
