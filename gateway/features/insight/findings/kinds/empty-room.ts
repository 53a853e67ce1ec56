import { capabilityOf } from '../../../../../contract/devices/kinds/registry.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import {
  type CooledEmpty,
  cooledEmptyOf,
  emptyMinutes,
  isWellKnown,
  type PresenceSeries,
} from '../../logic/empty-room.ts'
import { isCooling } from '../../../../../contract/findings/meter-names.ts'
import { startOfDay } from '../../../../../contract/time/periods.ts'
import type { StandingMeter } from '../../logic/ports.ts'
import { claimedDays, withoutGaps, hasHours, type HomeSnapshot, startsOf } from './home-snapshot.ts'

/** Maximum number of points of a series per query, and its number of days; above the maximum only bucketed values are read. */
const POINTS = 5_000
const DAYS_AT_ONCE = 7
const QUARTER = 900_000

/** Detects rooms that are cooled while empty, by presence sensors and air conditioning meters. */
export async function emptyRoom(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const sensors = (await snapshot.devices()).filter(
    ({ type }) => capabilityOf(type, 'presence') !== undefined,
  )
  const found: DetectedFinding[] = []
  for (const RoomID of new Set(sensors.map((one) => one.RoomID))) {
    // Room 0 is the default room of devices without a room.
    const meters =
      RoomID === 0 ? [] : snapshot.leafMeters.filter((one) => one.RoomID === RoomID && isCooling(one))
    if (meters.length === 0) continue
    const uids = sensors.filter((one) => one.RoomID === RoomID).map(({ PeripheralUID }) => PeripheralUID)
    const empty = await readEmptyMinutes(snapshot, uids)
    for (const meter of meters) {
      const one = await detect(snapshot, meter, empty)
      if (one) found.push(one)
    }
  }
  return found
}

/** Minutes for which the room has been empty, for each interval of the claimed days. */
async function readEmptyMinutes(
  snapshot: HomeSnapshot,
  uids: readonly string[],
): Promise<(number | null)[][]> {
  const series: PresenceSeries[] = []
  for (const uid of uids) series.push(await readPresence(snapshot, uid))
  const starts = startsOf(snapshot)
  const minutes = emptyMinutes(series, starts.flat(), QUARTER)
  let at = 0
  return starts.map((of) => minutes.slice(at, (at += of.length)))
}

async function readPresence(snapshot: HomeSnapshot, PeripheralUID: string): Promise<PresenceSeries> {
  const { db, tenant, home, now, from, end, ports } = snapshot
  const series = {
    at: [] as number[],
    value: [] as number[],
    unknown: [] as PresenceSeries['unknown'][number][],
  }
  for (let day = from; day < end; day += DAYS_AT_ONCE) {
    const range = {
      from: startOfDay(day, home.zone),
      to: startOfDay(Math.min(end, day + DAYS_AT_ONCE), home.zone),
      points: POINTS,
      now,
    }
    const [one] = await ports.readSeries(
      db,
      { tenant, homeId: home.HomeID },
      [{ PeripheralUID, Field: 'MotionState' }],
      range,
    )
    series.at.push(...(one?.Timestamps ?? []))
    series.value.push(...(one?.Max ?? one?.Values ?? []))
    series.unknown.push(
      ...(one?.Unknown ?? []).map(({ From, To }) => ({
        from: Math.max(From, range.from),
        to: To ?? range.to,
      })),
    )
  }
  return series
}

async function detect(
  snapshot: HomeSnapshot,
  { MeterID, RoomID }: StandingMeter,
  empty: readonly (number | null)[][],
): Promise<DetectedFinding | undefined> {
  const of = (await snapshot.loads([MeterID])).get(MeterID)
  if (!hasHours(snapshot, of)) return undefined
  const place = { RoomID, MeterID }
  const cooled = cooledEmptyOf(
    claimedDays(snapshot).map((day, i) => ({
      kWh: of?.get(day)?.kWh ?? [],
      isKnown: of?.get(day)?.isKnown ?? [],
      empty: empty[i] ?? [],
    })),
    snapshot.previousFinding('emptyRoom', place).factor,
  )
  return cooled && detected(snapshot, place, cooled)
}

function detected(
  snapshot: HomeSnapshot,
  place: { RoomID: number; MeterID: string },
  cooled: CooledEmpty,
): DetectedFinding {
  return {
    kind: 'emptyRoom',
    place,
    from: snapshot.from,
    end: snapshot.end,
    confidence: isWellKnown(cooled) ? (cooled.days >= 5 ? 'high' : 'medium') : 'low',
    why: { Key: 'emptyRoom', Values: { Hours: cooled.hours, Share: cooled.share, Days: cooled.days } },
    claims: [{ meter: place.MeterID, kWh: withoutGaps(cooled.kWh), low: cooled.low, high: cooled.high }],
    evidence: {
      unit: 'hours',
      days: claimedDays(snapshot).map((day, i) => ({
        day,
        value: cooled.hoursByDay[i] ?? null,
        usual: 0,
        low: 0,
        high: 1,
      })),
    },
  }
}
