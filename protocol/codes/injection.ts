// Codes of the prompt-injection screen σ (verify/screen/injection).
export const injectionCodes = {
  INJECTION_WARNING: {
    title: 'The text scores at or above the warning threshold of the injection screen.',
    remedy: 'State the steps plainly; text that instructs a model or a reviewer is refused.',
    cwe: ['CWE-1427'],
    atlas: ['AML.T0051'],
  },
  INJECTION_ADVISORY: {
    title: 'The text scores at or above the advisory threshold of the injection screen.',
    remedy: 'State the steps plainly.',
    cwe: ['CWE-1427'],
    atlas: ['AML.T0051'],
  },
  INJECTION_LIMIT: {
    title: 'The plan holds more or longer text than the injection screen reads.',
    remedy: 'Shorten the texts of the plan.',
    cwe: ['CWE-770'],
    atlas: ['AML.T0051'],
  },
} as const
