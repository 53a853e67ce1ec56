import { type insight, MAX_PROFILE_DAYS } from '../../../contract/energy/insight-calls.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import {
  classShapes,
  durationCurve,
  type ShapeDay,
  summaryOfLoad,
  weekShape,
} from '../../../contract/energy/load-shape.ts'
import { dayOf, formatDay, startOfDay, wallMinute } from '../../../contract/time/periods.ts'
import { dayTypeOf } from '../../../contract/tariffs/tariff-terms.ts'
import type { Handler } from '../../kernel/context.ts'
import type { Clock } from '../../kernel/ports.ts'
import { daysTouched } from './days.ts'
import type { InsightPorts, LoadDay } from './logic/ports.ts'

type Call = (typeof insight)['getLoadProfile']

/** §GetLoadProfile: finished days, in the requested shape. */
export const loadProfileHandler =
  (clock: Pick<Clock, 'now'>, { energy, readBilling }: InsightPorts): Handler<Call> =>
  async (input, { db, actor }): Promise<ResultsOf<Call>> => {
    const home = await energy.readHome(actor.tenant, input.HomeID)
    const requestedDays = daysTouched(input.From, input.To, home.zone, MAX_PROFILE_DAYS)
    // An unfinished day would lower every mean.
    const end = Math.max(requestedDays.from, Math.min(requestedDays.end, dayOf(clock.now(), home.zone)))
    const ComputedPercent = await energy.computedPercent(actor.tenant, home, requestedDays.from, end)
    const profile = input.PeripheralUIDs
      ? await energy.loadOfMeters(actor.tenant, home, input.PeripheralUIDs, requestedDays.from, end)
      : await energy.loadProfile(actor.tenant, home, requestedDays.from, end, 'consumption')
    const { offPeakDays } = await readBilling(db, actor.tenant, home)
    const days = [...profile].map(([day, load]) => shapeDayOf(day, load, offPeakDays, home.zone))
    return {
      From: formatDay(requestedDays.from),
      Through: formatDay(Math.max(requestedDays.from, end - 1)),
      Summary: summaryOfLoad(days),
      ...shapeOf(input.Shape, days),
      ComputedPercent,
    }
  }

function shapeOf(shape: InputOf<Call>['Shape'], days: readonly ShapeDay[]) {
  return {
    Week: shape === 'week' ? weekShape(days) : [],
    Classes: shape === 'class' ? classShapes(days) : [],
    Duration: shape === 'duration' ? durationCurve(days) : [],
  }
}

/** Intervals of a day without a clock change. */
const PLAIN_DAY = 96

/** A day of a load with its kind and, if the clocks change, the local time of its intervals. */
export function shapeDayOf(
  day: number,
  { kWh, isKnown }: Pick<LoadDay, 'kWh' | 'isKnown'>,
  offPeakDays: ReadonlySet<number>,
  zone: string,
): ShapeDay {
  const type = dayTypeOf(day, offPeakDays)
  const minutes = minutesOf(day, kWh.length, zone)
  return { day, type, kWh, isKnown, ...(minutes && { minutes }) }
}

/** Local time at the beginning of each interval, in minutes, on a day on which the clocks change; undefined on other days. */
export const minutesOf = (day: number, quarters: number, zone: string): number[] | undefined =>
  quarters === PLAIN_DAY
    ? undefined
    : Array.from({ length: quarters }, (_, quarter) => wallMinute(day, quarter, zone))

/** Number of intervals of a day. */
export const quartersOf = (day: number, zone: string): number =>
  (startOfDay(day + 1, zone) - startOfDay(day, zone)) / 900_000
