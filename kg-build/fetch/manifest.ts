// Where sources come from: one pinned commit each. A file taken as it is has its digest pinned; a file
// made out of an upstream one is pinned by commit, and its digest is recorded when it is first made.

/** A file taken unchanged; its bytes must have the digest in pins.json. */
export type Plain = { readonly file: string; readonly url: string }

/** Files made from one upstream file by a named transformation. */
export type Made = { readonly transform: 'stix-capec' | 'stix-enterprise'; readonly url: string }

export type FetchSource = {
  readonly name: string
  readonly plain: readonly Plain[]
  readonly made: readonly Made[]
}

const raw = 'https://raw.githubusercontent.com'
const cti = `${raw}/mitre/cti/421deacb77191b38bdd1bf63268954e93da91365`
const ghs = `${raw}/cheminfo/ghs-hazard/c090d166a8d428aa631e14af6ea534badcc17e00`
const ur = `${raw}/UniversalRobots/Universal_Robots_ROS2_Description/2221ec0f720fb1af99339eb891639b499b62f1da`
const plr = `${raw}/PyLabRobot/pylabrobot/598b58ffbef97fe33db6e1421b532cc9a389cbcb`
const atlas = `${raw}/mitre-atlas/atlas-data/8ee2c689a7d3c65ddf2bfe4950a4f3ecffa6f48b`
const stix = `${raw}/mitre-attack/attack-stix-data/7ad8a86f41edc91dd37de0487b0c2f44ae3a3af7`
const ros = `${raw}/ros2/design/f76e0619a025fa2a211671c0a4d311c1fbe88a61`
const arms = ['ur3', 'ur5', 'ur10', 'ur3e', 'ur5e', 'ur10e', 'ur16e', 'ur20', 'ur30']

/** Sources that a machine can fetch; "latest" never decides a graph. */
export const fetchSources: readonly FetchSource[] = [
  {
    name: 'atlas-5.6.0',
    plain: [
      { file: 'ATLAS.yaml', url: `${atlas}/dist/ATLAS.yaml` },
      { file: 'LICENSE', url: `${atlas}/LICENSE` },
    ],
    made: [],
  },
  {
    name: 'attack-ics-18.1',
    plain: [
      { file: 'ics-attack.json', url: `${stix}/ics-attack/ics-attack.json` },
      { file: 'LICENSE.txt', url: `${stix}/LICENSE.txt` },
    ],
    made: [],
  },
  {
    name: 'attack-enterprise-subset-18.1',
    plain: [],
    made: [
      { transform: 'stix-enterprise', url: `${cti}/enterprise-attack/enterprise-attack.json` },
    ],
  },
  {
    name: 'capec-3.9',
    plain: [],
    made: [{ transform: 'stix-capec', url: `${cti}/capec/2.1/stix-capec.json` }],
  },
  {
    name: 'ros2-threat-model',
    plain: [{ file: '183_ros2_threat_model.md', url: `${ros}/articles/183_ros2_threat_model.md` }],
    made: [],
  },
  {
    name: 'ur-description',
    plain: arms.map((arm) => ({
      file: `${arm}.joint_limits.yaml`,
      url: `${ur}/config/${arm}/joint_limits.yaml`,
    })),
    made: [],
  },
  {
    name: 'ghs-pubchem',
    plain: [{ file: 'ghscode_10.txt', url: `${ghs}/data/ghscode_10.txt` }],
    made: [],
  },
  {
    name: 'pylabrobot',
    plain: [{ file: 'devices.json', url: `${plr}/docs/_static/devices.json` }],
    made: [],
  },
]

/** Sources that are prepared by hand, and what stands in for them when they are absent. */
export const byHand: Readonly<Record<string, string>> = {
  'cwe-4.19.1': 'CWE 4.15 comes with the npm package cwe-sdk',
  'avid-db': 'clone avidml/avid-db and join reports/** into reports.jsonl',
  'rvd-facts': 'facts in own words about the Robot Vulnerability Database',
  'franka-moveit': 'own facts hold error flags and codes',
  'hmt-49cfr172.101': 'own facts hold the common substances',
  'incompat-40cfr264': 'own facts hold groups and pairs',
  'labsafety-bench-train': 'own failure modes',
  'opentrons-docs': 'definitions come with the npm package @opentrons/shared-data',
}
