// Intents against safety devices and sensors (POL-02). Strong acts on protective devices are
// refused; everyday acts on sensors ask a person.
import { refusedIntent, weighedIntent } from '../intent.ts'
import { concept } from '../view/concept.ts'

const protective =
  'interlock*|light curtain|curtain|e stop|e stops|estop|emergency stop|door sensor*|door switch*|guard switch*|guard circuit|alarm|alarms|airflow monitor*|air flow monitor*|airflow alarm|flow monitor*|smoke detector*|gas detector*|gas alarm|oxygen sensor*|oxygen monitor*|leak sensor*|leak detector*|limit switch*|soft limit*|safety scanner*|safety relay*|protective stop|over temperature|overtemperature|thermal fuse|pressure relief|relief valve|watchdog|presence sensor*|lid sensor*|lid switch*|sash sensor*|sash alarm|imbalance sensor*|imbalance detect*|safety mat|pressure mat|safety stop|safety circuit|protection'

export const deviceIntents = [
  refusedIntent(
    concept(
      'defeat_device',
      [
        'bypass*|tape over|tapes over|taped over|jumper*|bridge the|bridges the|bridged|short circuit*|mute|mutes|muted|muting|silence|silences|silenced|silencing|disable*|disabling|override*|overriding|defeat*|spoof*|emulat*|mimic*|wedge*|magnet|unplug*|disconnect*|switch off|switched off|turn off|turns off|deactivat*|suppress*|jam the|cheat*|trick the|fool the|foil over|hold down|tie down|loop back|loopback|substitute*|cover the|covers the|block the|mask the|clamp the|keeps the circuit|snooze|ignore the|ignores the|over the',
        protective,
      ],
      {
        none: 'new interlock|maintenance approved|yearly test|alarm drill|alarm clock|expect|report it',
        reach: 7,
      },
    ),
    'A safety device is defeated or ignored.',
  ),
  refusedIntent(
    concept(
      'false_signal',
      [
        'feed|feeds|fed|inject a|replay*|playback|play back|loop the|looped|synthetic|artificial|fake|faked|false reading|constant value|substitute signal|simulated signal|emulat*|spoof*',
        'signal|reading|readings|sensor|channel|stream|video|heartbeat|telemetry|frame|frames|probe|camera|monitor',
      ],
      {
        none: 'feed the cells|feed medium|fed batch|feed line|false alarm rate|signal to noise|artificial saliva|synthetic dna|synthetic rna|synthetic medium|artificial sweat',
        reach: 7,
      },
    ),
    'A monitor is fed a substitute signal.',
  ),
  refusedIntent(
    concept(
      'false_presence',
      [
        'ice water|ice bath|ice cup|warm water|hot water|hair dryer|heat pack|cold pack|photo of|picture of|printed photo|mannequin|resistor|simulator box|fan a|spare probe|dummy probe',
        'alarm|probe|sensor|monitor|thermostat|stays quiet|detector',
      ],
      {
        none: 'calibrat*|reference|functional test|planned test|alarm test|verify|drill|compare',
        reach: 12,
      },
    ),
    'A sensor is placed where it cannot see the truth.',
  ),
  refusedIntent(
    concept(
      'false_picture',
      [
        'printed picture|printed photo|old picture|old photo|recorded picture|recorded video|still image|screenshot|picture of the empty|photo of the empty',
        'camera|cam|lens|stream',
      ],
      { reach: 10 },
    ),
    'A camera is shown a picture instead of the scene.',
  ),
  refusedIntent(
    concept(
      'make_believe',
      [
        'believe|believes|think|thinks|assume|assumes',
        'make|makes|making|lets|let|so that',
        'controller|centrifuge|sensor|system|arm|robot|hood|alarm|monitor*|software|machine|freezer|fridge|reader|interlock|drive|device|watchdog|it is closed|it is empty',
      ],
      { reach: 8 },
    ),
    'A device is made to take something for true that is not.',
  ),
  weighedIntent(
    concept(
      'sensor_touched',
      [
        'cover|covers|tape|swap*|replace*|substitute*|instead of|in place of|unplug*|disconnect*|block|mask|move the|remove the|shield',
        'sensor*|probe*|monitor|detector*|thermometer|camera|gauge*|logger',
      ],
      {
        none: 'dna probe|rna probe|probe mix|taqman|cover slip|cover glass|replace the battery|cover the plate',
        reach: 5,
      },
    ),
    'A sensor is covered, moved or replaced.',
  ),
  weighedIntent(
    concept(
      'sensors_disagree',
      [
        'disagree*|contradict*|inconsisten*|mismatch*|not match|not agree|frozen|stuck|flat line|flatline|drift*|implausib*|unlikely|noisy|flicker*|offline|no signal|unreliable|trust the|trust only|not responding|dead|dropped out|intermittent*|out of calibration|says|jumps between',
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
        'alarm*|interlock*|e stop|light curtain|emergency stop|airflow monitor*|detector*|protective stop',
        'threshold|set point|setpoint|raise the|widen|delay|postpone|reset|acknowledge|restart|recurr*|keeps tripping|trips|tripped|nuisance|false alarm*|go on|carry on|continue|shorter|went off|sounded|annoys|cause',
      ],
      {
        none: 'functional test|yearly test|monthly test|weekly test|planned test|test of the|expect*|technician present|stop and notify',
        reach: 12,
      },
    ),
    'An alarm or its threshold is handled by a plan.',
  ),
] as const
