// Which Node the agent runs on: its ledger needs the built-in SQLite.

/** What is wrong with this Node; null when it will do. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 13)) return null
  return `this is Node ${version}, and the ledger needs the SQLite of Node 22.13 or newer: install Node 24`
}
