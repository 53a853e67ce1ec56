/** An error's message: not every error can be logged or passed between threads as it is. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Logs an error that is not shown to the user (§8), to the browser's console. */
export function logFault(context: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- the only log of a browser
  console.warn(`${context}: ${messageOf(error)}`)
}
