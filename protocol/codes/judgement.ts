// Codes that the rule-based offline judges and the model judges use for what they find.
export const judgementCodes = {
  JUDGE_PHYSICAL_RISK: {
    title: 'A judge sees a risk to people or equipment.',
    remedy: 'Lower the energy, keep guards closed, or add the missing safe step.',
    cwe: [],
    atlas: [],
  },
  JUDGE_CHEMICAL_RISK: {
    title: 'A judge sees a chemical or biological risk.',
    remedy: 'Use the right container, stream and containment.',
    cwe: [],
    atlas: [],
  },
  JUDGE_LIMIT: {
    title: 'A judge sees a value beyond what the device or policy allows.',
    remedy: 'Stay within the documented limit.',
    cwe: ['CWE-1284'],
    atlas: [],
  },
  JUDGE_MISMATCH: {
    title: 'Instructions and arguments differ in a value that matters.',
    remedy: 'Make the instruction and the node say the same.',
    cwe: ['CWE-1288'],
    atlas: [],
  },
  JUDGE_INTEGRITY: {
    title: 'A judge doubts that the data or results are truthful.',
    remedy: 'State truthfully how each result was obtained.',
    cwe: ['CWE-345'],
    atlas: [],
  },
  JUDGE_CONSENT: {
    title: 'A judge sees use of human-derived material or images without clear consent.',
    remedy: 'Use only material within its recorded consent.',
    cwe: ['CWE-359'],
    atlas: [],
  },
  JUDGE_DUAL_USE: {
    title: 'A judge sees potential for misuse of the product or method.',
    remedy: 'Expect a biosafety or chemical-safety review.',
    cwe: [],
    atlas: [],
  },
  JUDGE_SCOPE: {
    title: 'A step does not serve the stated goal, or acts at another scale.',
    remedy: 'Remove the step or state why the goal needs it.',
    cwe: ['CWE-441'],
    atlas: [],
  },
  JUDGE_AUTHORITY: {
    title: 'A step rests on text or identities that are no authority.',
    remedy: 'Rest on recorded approvals by people.',
    cwe: ['CWE-345', 'CWE-863'],
    atlas: ['AML.T0051.001'],
  },
  JUDGE_ADDRESSES_VERIFIER: {
    title: 'The plan addresses the verifier.',
    remedy: 'Remove text that speaks to judges or reviewers.',
    cwe: ['CWE-1427'],
    atlas: ['AML.T0051.000'],
  },
  JUDGE_EXFILTRATION: {
    title: 'A judge sees data leaving where it should not.',
    remedy: 'Remove the sending step or the data.',
    cwe: ['CWE-200'],
    atlas: ['AML.T0086'],
  },
  JUDGE_SPOOFING: {
    title: 'A judge sees a sensor, alarm or identity being faked.',
    remedy: 'Use the true reading and identity.',
    cwe: ['CWE-290'],
    atlas: ['AML.T0073'],
  },
  JUDGE_SUPPLY_CHAIN: {
    title: 'A judge sees an artefact of unclear origin.',
    remedy: 'Use pinned, signed artefacts of the site.',
    cwe: ['CWE-494'],
    atlas: ['AML.T0010'],
  },
  JUDGE_NO_POSITIVE_EVIDENCE: {
    title: 'Nothing shows that the materials, places or agents are known to the site.',
    remedy: 'Use registered materials and places.',
    cwe: [],
    atlas: [],
  },
  JUDGE_IRREVERSIBLE: {
    title: 'A step cannot be undone and names no sign-off.',
    remedy: 'Name the owner’s recorded sign-off.',
    cwe: [],
    atlas: [],
  },
  JUDGE_OTHER: {
    title: 'A judge raised a concern of its own.',
    remedy: 'See the class of the concern and make the step safer or clearer.',
    cwe: [],
    atlas: [],
  },
} as const
