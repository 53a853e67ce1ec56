import { isDeepStrictEqual } from 'node:util'
import { dayOf, formatDay, parseDay } from '../../../contract/time/periods.ts'
import { SINCE_ALWAYS, type DatedValue } from '../../../contract/meters/meter-facts.ts'
import { GatewayError } from '../../kernel/errors.ts'

/** How calls write the first day of a fact: null where it always held. */
export const dateOf = (from: number): string | null => (from === SINCE_ALWAYS ? null : formatDay(from))

/** The same as a number of a day. */
export const parseInputDay = (From: string | null): number => (From === null ? SINCE_ALWAYS : parseDay(From))

/** Nothing is said of days to come, by the home's clock. Errors: INVALID with `future`. */
export function assertNotFuture(from: number, now: number, zone: string): void {
  if (from > dayOf(now, zone))
    throw new GatewayError('INVALID', 'This day has not come yet', { From: 'future' })
}

/** Whoever changes a history has seen it as it is, or does not say. Errors: CONFLICT. */
export function assertSeenVersion(
  seen: readonly { From: string | null; Value: unknown }[] | undefined,
  history: readonly DatedValue<unknown>[],
): void {
  const said = history.map(({ from, value }) => ({ From: dateOf(from), Value: value }))
  if (seen !== undefined && !isDeepStrictEqual(seen, said))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this history', { Seen: 'changed' })
}
