import type { HubDevice } from './building.ts'
import { isActive } from '../scenarios/profiles.ts'
import { chance } from '../scenarios/random.ts'
import { localTime } from '../scenarios/taiwan.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Number of days, today included, that are simulated in full; of the days before, one of each kind. */
export const FULL_DAYS = 62

/**
 * Simulated day for each day of a period: the middle one of its kind. Starts of days, epoch ms.
 *
 * first, last  starts of the first and last day of the period
 */
export function simulatedDays(
  devices: readonly HubDevice[],
  seed: number,
  { first, last }: { first: number; last: number },
): Map<number, number> {
  const kinds = new Map<string, number[]>()
  for (let from = first; from <= last; from += DAY) {
    const kind = dayKindOf(devices, seed, from)
    kinds.set(kind, [...(kinds.get(kind) ?? []), from])
  }
  return new Map(
    [...kinds.values()].flatMap((days) =>
      days.map((day) => [day, days[days.length >> 1] as number] as const),
    ),
  )
}

/**
 * Kind of a day: its month, whether it is a workday of one of its quarters, a Saturday, or a Sunday or holiday, and when the devices'
 * defects are active. Days of one kind are alike except for a factor.
 */
function dayKindOf(devices: readonly HubDevice[], seed: number, from: number): string {
  const { weekday, holiday, month } = localTime(from)
  const quarter = [8, 16, 24].filter((days) => localTime(from - days * DAY).month === month).length
  const sort = holiday || weekday === 0 ? 'off' : weekday === 6 ? 'saturday' : quarter
  const active = devices.flatMap(({ scenario: { defects = [], key } }) =>
    defects.map((defect) =>
      Array.from({ length: 24 }, (_, hour) => (isActive(defect, seed, key, from + hour * HOUR) ? 1 : 0)).join(
        '',
      ),
    ),
  )
  return [month, sort, ...active].join(' ')
}

/** Energy of a day in relation to the simulated one: 0.98 to 1.02, so that its peaks are hardly exceeded. */
export const dayFactorOf = (seed: number, hub: string, from: number): number =>
  0.98 + 0.04 * chance(seed, hub, 'day', localTime(from).day)
