/** Logs an error that is not shown to the user (§8), to the browser's console. */
export function logFault(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the only log of a browser
  console.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`)
}
