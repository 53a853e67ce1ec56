/** Structured log; never pass secrets or message bodies. */
export interface Log {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
