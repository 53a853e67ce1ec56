import type { MessageKey, Topic, Values } from './words.ts'

/** Severity of a finding: a fault prevents the gateway from working, now or at its next start. */
export type CheckSeverity = 'ok' | 'warning' | 'fault'

/** Result of one check of an installation. */
export interface Finding {
  topic: Topic
  weight: CheckSeverity
  sentence: MessageKey
  values: Values
}

export const passed = (topic: Topic, messageKey: MessageKey, values: Values = {}): Finding => ({
  topic,
  weight: 'ok',
  sentence: messageKey,
  values,
})
export const warning = (topic: Topic, messageKey: MessageKey, values: Values = {}): Finding => ({
  topic,
  weight: 'warning',
  sentence: messageKey,
  values,
})
export const failed = (topic: Topic, messageKey: MessageKey, values: Values = {}): Finding => ({
  topic,
  weight: 'fault',
  sentence: messageKey,
  values,
})

/** First line of an error's message; for an AggregateError, of its first error. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (code === 'UNAVAILABLE' && cause instanceof Error) return reasonOf(cause)
  return (message || code || String(error)).split('\n', 1)[0] ?? ''
}
