/** Logs a fault that nobody is told of (§8): a browser's log is its console. */
export function logFault(what: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- there is no other log here
  console.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`)
}
