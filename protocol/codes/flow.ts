// Codes of the information-flow check (verify/screen/flow).
export const flowCodes = {
  FLOW_IDENTIFIERS_OUT: {
    title: 'Data that identifies a person reaches a sink that may not receive it.',
    remedy: 'Remove the identifying fields or the step that sends them.',
    cwe: ['CWE-359'],
    atlas: ['AML.T0086'],
  },
  FLOW_CREDENTIALS_OUT: {
    title: 'Credentials reach a sink.',
    remedy: 'Never send credentials.',
    cwe: ['CWE-522'],
    atlas: ['AML.T0086'],
  },
  FLOW_STUDY_DATA_OUT: {
    title: 'Study data leaves the organisation.',
    remedy: 'Send to an approved domain, or expect a review.',
    cwe: ['CWE-200'],
    atlas: ['AML.T0086'],
  },
  FLOW_IMAGES_OUT: {
    title: 'Images that may show people reach a sink.',
    remedy: 'Leave the images out, or expect a privacy review.',
    cwe: ['CWE-359'],
    atlas: ['AML.T0086'],
  },
  FLOW_PEOPLE_IN_VIEW: {
    title: 'A camera that has people in view takes an image.',
    remedy: 'Use a camera without people in view, or expect a privacy review.',
    cwe: ['CWE-359'],
    atlas: [],
  },
  FLOW_RECIPIENT_UNKNOWN: {
    title: 'The recipient is outside the approved domains.',
    remedy: 'Use an approved recipient, or expect a review.',
    cwe: ['CWE-200'],
    atlas: ['AML.T0086'],
  },
  FLOW_UNDECLARED_SOURCE: {
    title: 'A sink refers to data of a node that it does not depend on.',
    remedy: 'Declare the dependency in depends_on.',
    cwe: ['CWE-441'],
    atlas: [],
  },
  FLOW_RESULT_TOLD: {
    title: 'A step hangs on a result that the planner may not read: its course would tell it.',
    remedy: 'Compare or refer to results that you may read, or expect a review.',
    cwe: ['CWE-200'],
    atlas: [],
  },
} as const
