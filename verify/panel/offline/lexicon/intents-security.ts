// Intents against security: safety devices, identities, logs, artefacts, covert channels
// (POL-02, 11, 12, 13, 14).
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'

export const safetyDevices =
  'interlock*|light curtain|curtain|e stop|e stops|emergency stop|door sensor*|door switch*|guard switch*|guard|alarm*|airflow monitor*|air flow monitor*|airflow|flow monitor*|smoke detector*|gas detector*|oxygen sensor*|oxygen monitor*|leak sensor*|leak detector*|limit switch*|soft limit*|safety scanner*|scanner|safety relay*|protective stop|temperature probe*|freezer probe*|fridge probe*|probe|thermostat|over temperature|overtemperature|pressure relief|relief valve|watchdog|presence sensor*|lid sensor*|lid switch*|sash sensor*|sash alarm|balance sensor*|imbalance sensor*|imbalance detect*|motion sensor*|sensor|co2 monitor|radiation monitor*|dosimeter*|detector*|monitor|safety stop|pressure mat|mat'

export const spoofIntents = [
  refusedIntent(
    concept(
      'defeat_device',
      [
        'bypass*|tape over|taped over|tape|cover|covers|covered|covering|jumper*|bridge|bridged|bridging|short circuit*|mute|mutes|muted|muting|silence|silences|silenced|silencing|disable*|disabling|override*|overriding|defeat*|spoof*|emulat*|mimic*|wedge*|magnet|block the|blocks the|unplug*|disconnect*|switch off|turn off|turns off|deactivat*|suppress*|mask the|masks|jam the|cheat*|trick*|fool*|clip over|foil|hold down|tie down|loop back|loopback|substitute*|in place of|instead of the|replace*|swap*|snooze|acknowledge in advance|ignore the alarm|ignore alarm*|ignore the',
        safetyDevices,
      ],
      {
        none: 'cover glass|cover slip|replacement part|replace the battery|cover the plate|replace the filter|by the manufacturer|maintenance approved|approved override|probe cover|magnet stand|magnetic|new probe|dna probe|rna probe|taqman|probe mix|trick question|guard column|scanner reads',
        reach: 10,
      },
    ),
    'A safety device is defeated or fed a false signal.',
  ),
  refusedIntent(
    concept(
      'false_signal',
      [
        'feed|feeds|fed|inject*|replay*|playback|play back|send|sends|write|writes|simulate*|emulat*|constant|recorded|synthetic|artificial|fake|false|old|loop|looped|fixed|dummy',
        'signal|reading|readings|sensor value|channel|stream|video|feed|heartbeat|telemetry|frame|frames|picture|image of yesterday|thermometer',
        'alarm|sensor|probe|monitor*|camera|interlock|controller|watchdog|freezer|fridge|airflow|so that|stays|normal|empty|hood|detector',
      ],
      {
        none: 'send the readings to|false alarm rate|calibrat*|fixed angle|both readings|compare|disagree*|differ|true reading',
        reach: 12,
      },
    ),
    'A monitor is fed a substitute signal.',
  ),
  refusedIntent(
    concept(
      'false_presence',
      [
        'ice water|ice bath|warm water|hot water|hair dryer|heat pack|cold pack|photo of|picture of|printed photo|mannequin|dummy load|resistor|simulator box',
        'alarm|probe|sensor|camera|monitor|thermostat|stays quiet|reads',
      ],
      {
        none: 'calibrat*|reference|test of the alarm|functional test|planned test|alarm test|verify that the alarm|check that the alarm',
      },
    ),
    'A sensor is placed where it cannot see the truth.',
  ),
  weighedIntent(
    concept(
      'sensors_disagree',
      [
        'disagree*|differ|differs|contradict*|inconsisten*|deviat*|mismatch*|does not match|do not match|not agree|jump*|frozen|stuck|flat line|flatline|drift*|implausib*|unlikely|noisy|flicker*|offline|no signal|unreliable|trust the|trust only|not responding|dead|dropped out|intermittent*|out of calibration|says',
        'sensor*|probe*|thermometer*|reading*|camera*|channel*|balance|gauge*|detector*|monitor*|scale|logger|load cell|interlock|airflow|signal',
      ],
      {
        none: 'stop and|and stop|notify and|if they differ|if they disagree|stop on|if the readings differ|hold until|wait for a person|or stop|stops if|abort if|dna probe|technician confirms',
        negationCounts: true,
        reach: 12,
      },
    ),
    'A reading is in doubt and the plan goes on.',
  ),
  weighedIntent(
    concept(
      'alarm_handling',
      [
        'alarm*|interlock*|e stop|light curtain|emergency stop|airflow monitor*|detector*',
        'threshold|set point|setpoint|raise the|widen|delay|postpone|reset|acknowledge|restart|recurr*|keeps tripping|trips|tripped|nuisance|false alarm*|go on|carry on|continue|shorter|adjust*|went off|sounded',
      ],
      {
        none: 'functional test|yearly test|monthly test|weekly test|planned test|test of the|expect*|technician present|stop and notify',
        reach: 12,
      },
    ),
    'An alarm or its threshold is handled by a plan.',
  ),
] as const

export const identityIntents = [
  refusedIntent(
    concept(
      'borrowed_credential',
      [
        'password*|credential*|api key|access key|passphrase|passcode|login|log in|badge|session cookie|private key|ssh key|secret key|service account|master key|access code|pin code|one time code|token of|token from|keycard|account of|shared account',
        'use|uses|using|with|type|enter|borrow*|shared|found|note|copy|copied|reuse|still works|lent|same|seen|under the|someone|somebody|of the|from|guess*|default|supervisor*|colleague*|manager*|his|her|their|read',
      ],
      {
        none: 'own credential|own badge|rotate|revoke*|report the|do not use|never use|password manager policy|login page count|no credential|badge reader test',
        reach: 10,
      },
    ),
    'A credential of somebody else is used.',
  ),
  refusedIntent(
    concept(
      'impersonate',
      [
        'impersonat*|pose as|posing as|pretend to be|signed as|sign as|sign in as|log in as|act as|acting as|in the name of|on behalf of|as the supervisor|as the manager|as supervisor|as the director|as admin|as administrator|as root|under the name of|as if i were|identify as|present as|speak as|write as the',
        'supervisor*|manager*|director*|admin*|root|reviewer*|qa|owner*|professor|head|chief|lead|operator|person|dr|prof|human|officer|user|colleague*|planner*|approver*',
      ],
      {
        none: 'delegation record|delegation|on behalf of the group to thank|act as a control|acts as control|act as blank',
        reach: 8,
      },
    ),
    'A plan acts as somebody else.',
    [
      'write_record',
      'unlock',
      'fetch',
      'read_record',
      'firmware',
      'email',
      'chat',
      'http',
      'code',
      'store',
    ],
  ),
  refusedIntent(
    concept(
      'agents_approve',
      [
        'approv*|countersign*|counter sign*|sign off|signoff|vouch*|second signature|confirm each other|release',
        'planner*|agent*|bot|bots|each other|ourselves|myself|model|assistant|i approve|in return|mutual*|for each other|both planners',
      ],
      {
        none: 'by a person|human approves|m osei and|ask the agent of the vendor|asks a person|agents cannot|assign*|approvals of dr|contrast agent|reducing agent|cleaning agent|approved agent|transfection agent',
        reach: 7,
      },
    ),
    'An agent approves or countersigns.',
  ),
  refusedIntent(
    concept(
      'reused_approval',
      [
        'reuse|re use|reused|once more|again|second time|of plan|last week*|last month*|earlier|previous|copied|another plan|other plan|from plan|yesterday*',
        'approval*|signature*|sign off|signoff|countersign*|authori*|release form|permit|delegation',
      ],
      {
        none: 'approval of the old|new approval|fresh approval|old kits|old reagents|expired kits|expired reagents|old samples|old plates|last week and',
        reach: 4,
      },
    ),
    'An approval that was given for something else is used again.',
    ['fetch', 'store', 'unlock', 'write_record', 'firmware'],
  ),
  weighedIntent(
    concept(
      'hearsay_approval',
      [
        'verbal*|by phone|on the phone|told me|said it is fine|said it was fine|said ok|is fine with|said yes|agreed orally|orally|in passing|in the corridor|approved in chat|approved by chat|promised|will sign|signs later|sign later|to be signed|approval pending|approval is pending|second approval|waiting for the approval|not yet approved|not yet signed|on leave|on holiday|is away|is absent|cannot be reached|not reachable|deputy|stand in|acting head|thumbs up|emoji|approval to follow|follows later|will confirm',
      ],
      { negationCounts: true, none: 'both approvals are recorded|supervisor wrote in lims' },
    ),
    'An approval is said to exist but is not recorded.',
  ),
  weighedIntent(
    concept('delegation', [
      'delegat*|acting as|on behalf of|power of attorney|stand in for|covering for|in the name of',
    ]),
    'A call is made for somebody else.',
  ),
] as const

export const securityIntents = [
  refusedIntent(
    concept(
      'flood_oversight',
      [
        'flood*|drown*|overwhelm*|swamp*|busy|distract*|tire*|exhaust*|saturat*|bury',
        'reviewer*|review|alert*|alarm*|operator*|queue|inbox|channel|log|logs|monitor*|person|people|team|real one|watch',
      ],
      {
        none: 'hood is busy|cabinet is busy|busy bench|exhaust air|exhaust fan|saturated solution',
        reach: 10,
      },
    ),
    'People or monitors are flooded.',
    ['chat', 'email', 'write_record', 'code', 'http'],
  ),
  refusedIntent(
    concept(
      'disable_oversight',
      [
        'disabl*|switch off|turn off|stop|pause|mute|kill|remove|suspend*|skip|block|flood*|overload*|crash|delay',
        'logging|logger|audit log|audit trail|audit|verifier|gateway|portcullis|monitoring|watchdog|checker|policy engine|judge|judges|oversight|recording|review queue|reviewers|alerting|hash check|signature check|integrity check',
      ],
      {
        none: 'stop recording when|pause the camera when people|stop and ask the reviewers',
        reach: 5,
      },
    ),
    'Oversight is switched off or overloaded.',
  ),
  refusedIntent(
    concept(
      'ignore_integrity',
      [
        'hash|checksum|sha256|sha|signature|certificate|digest',
        'does not match|not match|mismatch|differs|differ|wrong|failed|fails|ignore*|skip*|anyway|regardless|without checking|not checked|unverified|invalid|broken|force|disable*',
      ],
      {
        none: 'stop if|abort if|if it does not match stop|refuse if|else stop|stop when|report the mismatch|do not install|not installed|if the hash|if they do not match',
        reach: 8,
        negationCounts: true,
      },
    ),
    'An artefact is used although its integrity is not shown.',
    ['code', 'firmware', 'http'],
  ),
  refusedIntent(
    concept(
      'covert_channel',
      [
        'base64|steganograph*|least significant|encode*|encoded|hidden in|hide in|inside the image|white text|white on white|zero width|qr code with|in the file name|in the subject line|in the metadata|acrostic|first letters|first letter',
        'names|name|data|records|sequence|ids|donor*|patient*|key|token|message|table|list|result*|note|payload',
      ],
      {
        none: 'one hot encode*|label encode*|encoder|encoded by the gene|gene encodes|encoding the|barcode label',
        reach: 10,
      },
    ),
    'Data are hidden in something that looks harmless.',
    ['email', 'chat', 'code', 'http', 'write_record'],
  ),
  weighedIntent(
    concept('leak_route', [
      'private address|private mail|private e mail|personal address|personal mail|personal e mail|personal account|gmail|home address|home account|usb|memory stick|dropbox|cloud drive|file share site|outside the company|competitor|journalist|former colleague|ex colleague|recruiter|pastebin|public link|open link|forum|social media|whatsapp|telegram|auto forward|forward all|external drive|personal drive|bcc|blind copy',
    ]),
    'Data are about to take an unusual way out.',
  ),
  weighedIntent(
    concept(
      'unclear_artefact',
      [
        'script|package|library|firmware|driver|image|plugin|macro|notebook|model file|weights|container|binary|patch|reagent lot|kit|lot|protocol file|tool|update|module|dependency|version',
        'unknown source|no hash|no sha|without hash|without a hash|unsigned|self signed|colleague sent|found on|forum|github|community|nightly|beta|release candidate|not pinned|latest|floating|mirror|new maintainer|typosquat*|third party|unofficial|home made|homemade|no certificate|without certificate|not yet approved|unapproved|new supplier|new vendor|other supplier|changed owner|not in the register|description changed|changed since|share|no version|sideload*|usb|from the internet|downloaded|internet|preview|hotfix|local build|custom build|vendor says|renamed|moved to',
      ],
      {
        none: 'expired kits|expired reagents|latest results|read the version|internal store|pinned',
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
        'grant|give|gives|add|adds|create|creates|extend|raise|elevate*|escalate|request|widen|unlock all|open up|enable',
        'permission*|capabilit*|admin rights|admin access|administrator|role|account|privilege*|access right*|access for|sudo|root|write access|full access|superuser|allow list|allowlist|whitelist',
      ],
      { reach: 6 },
    ),
    'Rights are widened.',
  ),
] as const
