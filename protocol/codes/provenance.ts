// Codes of the provenance and skill-security checks (verify/screen).
export const provenanceCodes = {
  CAPABILITY_MISSING: {
    title: 'The planner does not hold the capability that the tool needs.',
    remedy: 'Use tools within your capabilities, or ask an administrator to grant this one.',
    cwe: ['CWE-862'],
    atlas: ['AML.T0053'],
  },
  PLANNER_UNKNOWN: {
    title: 'The planner is not registered at this site.',
    remedy: 'Ask an administrator to register the planner.',
    cwe: ['CWE-287'],
    atlas: ['AML.T0073'],
  },
  NAME_NOT_CANONICAL: {
    title: 'A name resembles a registered one but is not written in its canonical form.',
    remedy: 'Write names exactly as the registry lists them.',
    cwe: ['CWE-178', 'CWE-1007'],
    atlas: ['AML.T0074'],
  },
  SANDBOX_MISSING: {
    title: 'A tool that runs code names no sandbox.',
    remedy: 'Name a sandbox of the site on this node.',
    cwe: ['CWE-653'],
    atlas: ['AML.T0053'],
  },
  SANDBOX_NOT_ALLOWED: {
    title: 'The sandbox is not on the allow-list of the site.',
    remedy: 'Use a sandbox that the site lists.',
    cwe: ['CWE-653'],
    atlas: ['AML.T0053'],
  },
  SANDBOX_NOT_OPERABLE: {
    title: 'The sandbox, or the agent that reports its health, is not known to be operable.',
    remedy: 'Wait until the sandbox is reported healthy and submit again.',
    cwe: ['CWE-693'],
    atlas: [],
  },
  SANDBOX_UNEXPECTED: {
    title: 'A node names a sandbox although its tool does not run code.',
    remedy: 'Set sandbox to null on nodes that do not run code.',
    cwe: ['CWE-1287'],
    atlas: [],
  },
  CODE_OUTSIDE_SANDBOX: {
    title: 'Code, or a reference that would be executed, sits in an argument outside a sandbox.',
    remedy: 'Move the code into the sandboxed code tool.',
    cwe: ['CWE-94'],
    atlas: ['AML.T0053'],
  },
  CODE_REACHES_DEVICE: {
    title: 'Code tries to reach devices, the network or the host from inside the sandbox.',
    remedy: 'Use the registered tools for devices and network; code only computes.',
    cwe: ['CWE-250', 'CWE-653'],
    atlas: ['AML.T0053'],
  },
  ROW_UNPROVEN: {
    title:
      'This would be the first use of a tool’s row in this lab: nobody has seen that the device does it.',
    remedy:
      'Wait for a person. Once a run that a person approved has completed, the row counts as proven.',
    cwe: [],
    atlas: [],
  },
  TOOL_PIN_CHANGED: {
    title: 'The tool’s definition differs from the one that was approved (tool poisoning).',
    remedy: 'Do not use this tool until an administrator has approved its new definition.',
    cwe: ['CWE-494', 'CWE-353'],
    atlas: ['AML.T0110', 'AML.T0010'],
  },
  TOOL_QUARANTINED: {
    title: 'The tool’s description carries instructions and is quarantined.',
    remedy: 'Do not use this tool until an administrator has cleared it.',
    cwe: ['CWE-1427'],
    atlas: ['AML.T0051.001'],
  },
  SERVER_NOT_OPERABLE: {
    title: 'The MCP server of the tool is not known to be operable.',
    remedy: 'Submit again when the device is back.',
    cwe: ['CWE-693'],
    atlas: [],
  },
  ADMIN_TOOL: {
    title: 'An administrative tool is always a person’s decision.',
    remedy: 'Expect a review; no change to the plan removes it.',
    cwe: ['CWE-269'],
    atlas: [],
  },
  ARTEFACT_UNSIGNED: {
    title: 'Firmware or a skill artefact has no signature.',
    remedy: 'Use an artefact that a trusted signer has signed.',
    cwe: ['CWE-347'],
    atlas: ['AML.T0010'],
  },
  ARTEFACT_SIGNER_UNTRUSTED: {
    title: 'The signer of the artefact is not trusted by the site.',
    remedy: 'Use an artefact of a trusted signer.',
    cwe: ['CWE-347'],
    atlas: ['AML.T0010'],
  },
  ARTEFACT_UNPINNED: {
    title: 'Something is fetched and used without a pinned digest.',
    remedy: 'Name the expected SHA-256 of what is fetched.',
    cwe: ['CWE-494'],
    atlas: ['AML.T0010'],
  },
  ACTING_AS_OTHER: {
    title: 'A call acts under an identity that is not the planner’s own.',
    remedy: 'Act as yourself, or attach a delegation record and expect a review.',
    cwe: ['CWE-290', 'CWE-863'],
    atlas: ['AML.T0012'],
  },
  APPROVAL_INVALID: {
    title: 'An approval names an agent or planner, or one person twice.',
    remedy: 'Attach approvals of distinct people; agents cannot approve.',
    cwe: ['CWE-863'],
    atlas: ['AML.T0012'],
  },
  INTERLOCK_BYPASS: {
    title: 'An argument would defeat an interlock or a guard.',
    remedy: 'Remove the argument; interlocks are never bypassed by a plan.',
    cwe: ['CWE-693'],
    atlas: [],
  },
  FINDINGS_TRUNCATED: {
    title: 'More findings than the record keeps; the plan is blocked as a whole.',
    remedy: 'Mend the findings listed and submit again.',
    cwe: ['CWE-770'],
    atlas: [],
  },
} as const
