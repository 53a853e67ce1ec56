import { isDeepStrictEqual } from 'node:util'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { SINCE_ALWAYS, type DatedValue } from '../../../contract/meters/meter-facts.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** First day of a fact as calls write it: null if it was always valid. */
export const dateOf = (from: number): string | null => (from === SINCE_ALWAYS ? null : formatDay(from))

/** Parses the first day of a fact to a day number. */
export const parseInputDay = (From: string | null): number => (From === null ? SINCE_ALWAYS : parseDay(From))

/** Rejects days in the future, in local time. Errors: INVALID with `future`. */
export function assertNotFuture(from: number, now: number, zone: string): void {
  if (from > dayOf(now, zone))
    throw new GatewayError('INVALID', 'This day has not come yet', { From: 'future' })
}

/** Compares the history that the caller saw, if given, with the present one. Errors: CONFLICT. */
export function assertSeenVersion(
  seen: readonly { From: string | null; Value: unknown }[] | undefined,
  history: readonly DatedValue<unknown>[],
): void {
  const statedHistory = history.map(({ from, value }) => ({ From: dateOf(from), Value: value }))
  if (seen !== undefined && !isDeepStrictEqual(seen, statedHistory))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this history', { Seen: 'changed' })
}
