import { offsetAt } from '../../../contract/time/periods.ts'

const MINUTE = 60_000
/** Clocks never change twice in so short a time. */
const STEP = 7 * 86_400_000

/**
 * A zone's clock between two moments, as calendars want it beside times that are on it (RFC 5545 §3.6.5): which offset there is
 * at first, and every change until the last.
 *
 * from, until  epoch ms
 */
export function timeZoneLines(zone: string, from: number, until: number): string[] {
  const first = offsetAt(from, zone)
  const changes: { at: number; before: number; after: number }[] = []
  for (let at = from; at < until; at += STEP) {
    const [before, after] = [offsetAt(at, zone), offsetAt(at + STEP, zone)]
    if (before !== after) changes.push({ at: changeBetween(at, at + STEP, zone), before, after })
  }
  const least = Math.min(first, ...changes.map(({ after }) => after))
  const observance = (kind: string, start: number, before: number, after: number) => [
    `BEGIN:${kind}`,
    `DTSTART:${wallText(start)}`,
    `TZOFFSETFROM:${offset(before)}`,
    `TZOFFSETTO:${offset(after)}`,
    `END:${kind}`,
  ]
  const kindOf = (ahead: number) => (ahead > least ? 'DAYLIGHT' : 'STANDARD')
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance(kindOf(first), 0, first, first),
    // A change is written as the clock shows it that has not been changed yet.
    ...changes.flatMap(({ at, before, after }) => observance(kindOf(after), at + before, before, after)),
    'END:VTIMEZONE',
  ]
}

/** The first minute with another offset. */
function changeBetween(from: number, until: number, zone: string): number {
  const before = offsetAt(from, zone)
  let [last, next] = [Math.floor(from / MINUTE), Math.ceil(until / MINUTE)]
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2)
    if (offsetAt(middle * MINUTE, zone) === before) last = middle
    else next = middle
  }
  return next * MINUTE
}

/** A time on a wall, e.g. "20260329T020000", of ms that would be that time in UTC. */
export const wallText = (wall: number): string =>
  new Date(wall).toISOString().slice(0, 19).replace(/[-:]/g, '')

/** How far ahead of UTC, e.g. "+0800". */
function offset(ahead: number): string {
  const minutes = Math.abs(ahead) / MINUTE
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ahead < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}
