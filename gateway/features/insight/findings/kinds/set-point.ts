import { deviceType } from '../../../../../contract/devices/kinds/registry.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import { isCooling } from '../../../../../contract/findings/meter-names.ts'
import { startOfDay } from '../../../../../contract/time/periods.ts'
import type { SeriesResult } from '../../logic/ports.ts'
import {
  claimedDays,
  withoutGaps,
  hasHours,
  type HomeSnapshot,
  type RoomDevice,
  startsOf,
} from './home-snapshot.ts'

/** Minimum set point of air conditioning, °C: common practice, and mandatory for some trades. */
const MIN_CELSIUS = 26
/** Share of energy saved per degree: a rule of thumb, so the finding has low confidence. */
const BY_DEGREE = 0.06
/** Minimum hours within the last 7 days. */
const MIN_HOURS = 10
const LATELY = 7
const POINTS = 5_000
/** AC_MODES: cooling and auto. */
const COOLING = new Set([0, 3])
const HOUR_QUARTERS = 4

/** Detects air conditioners that are set below 26 °C for 10 hours a week or more. */
export async function setPoint(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const all = (await snapshot.devices()).filter(({ type }) =>
    deviceType(type)?.capabilities.some(({ name }) => name === 'airConditioner'),
  )
  const found: DetectedFinding[] = []
  for (const device of all) {
    const one = await detect(snapshot, device)
    if (one) found.push(one)
  }
  return found
}

async function detect(
  snapshot: HomeSnapshot,
  { PeripheralUID, RoomID, name }: RoomDevice,
): Promise<DetectedFinding | undefined> {
  const { db, tenant, home, ports, now } = snapshot
  const place = { RoomID, MeterID: PeripheralUID }
  const range = {
    from: startOfDay(snapshot.from, home.zone),
    to: startOfDay(snapshot.end, home.zone),
    points: POINTS,
    now,
  }
  const fields = ['Switch', 'ACMode', 'TargetTemperature']
  const [isOn, mode, target] = await ports.readSeries(
    db,
    { tenant, homeId: home.HomeID },
    fields.map((Field) => ({ PeripheralUID, Field })),
    range,
  )
  if (!isOn || !mode || !target || target.Timestamps.length === 0) return undefined
  const starts = startsOf(snapshot)
  const [on, cooling, celsius] = [isOn, mode, target].map((series) => valuesAt(series, starts.flat()))
  const degrees = starts.flat().map((_, i) => {
    const set = celsius?.[i]
    const isCooling = on?.[i] === 1 && COOLING.has(cooling?.[i] ?? -1)
    return isCooling && set !== undefined ? Math.max(0, MIN_CELSIUS - set) : 0
  })
  let at = 0
  const byDay = starts.map((of) => degrees.slice(at, (at += of.length)))
  const hoursByDay = byDay.map((of) => of.filter((one) => one > 0).length / HOUR_QUARTERS)
  const hours = hoursByDay.slice(-LATELY).reduce((sum, one) => sum + one, 0)
  if (hours < MIN_HOURS * snapshot.previousFinding('setPoint', place).factor) return undefined
  const cold = degrees.filter((one) => one > 0)
  const mean = cold.reduce((sum, one) => sum + one, 0) / cold.length
  const meter = snapshot.leafMeters.find(
    (one) => one.MeterID === PeripheralUID || (one.RoomID === RoomID && RoomID !== 0 && isCooling(one)),
  )
  const counted = meter && (await snapshot.loads([meter.MeterID])).get(meter.MeterID)
  return {
    kind: 'setPoint',
    place,
    from: snapshot.from,
    end: snapshot.end,
    confidence: 'low',
    why: {
      Key: 'setPoint',
      Values: { Hours: hours, Celsius: MIN_CELSIUS - mean, Least: MIN_CELSIUS, Name: name },
    },
    claims:
      meter && counted && hasHours(snapshot, counted)
        ? [
            {
              meter: meter.MeterID,
              kWh: withoutGaps(
                claimedDays(snapshot).map((day, i) =>
                  Float64Array.from(
                    counted.get(day)?.kWh ?? [],
                    (kWh, quarter) => kWh * Math.min(1, BY_DEGREE * (byDay[i]?.[quarter] ?? 0)),
                  ),
                ),
              ),
              low: 0.5,
              high: 1.5,
            },
          ]
        : [],
    evidence: {
      unit: 'hours',
      days: claimedDays(snapshot).map((day, i) => ({
        day,
        value: hoursByDay[i] ?? null,
        usual: null,
        low: null,
        high: null,
      })),
    },
  }
}

/** Values at given times in ascending order; undefined before the first value, and while unknown. */
function valuesAt(
  { Timestamps, Values, Unknown }: SeriesResult,
  moments: readonly number[],
): (number | undefined)[] {
  let next = 0
  return moments.map((moment) => {
    while (next < Timestamps.length && (Timestamps[next] as number) <= moment) next += 1
    const isUnknown = Unknown.some(({ From, To }) => From <= moment && (To === null || moment < To))
    return next === 0 || isUnknown ? undefined : Values[next - 1]
  })
}
