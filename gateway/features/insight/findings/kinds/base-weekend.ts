import { claimOfDaysOff, type DaysOff, daysOffOf } from '../../logic/days-off.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import { formatDay } from '../../../../../contract/time/periods.ts'
import type { DayType } from '../../../../../contract/time/dates.ts'
import { dayTypeOf } from '../../../../../contract/tariffs/tariff-terms.ts'
import { claimedDays, withoutGaps, type HomeSnapshot } from './home-snapshot.ts'
import { nightRises } from './base-night.ts'
import { evidenceDays } from './evidence-days.ts'

/** Minimum known share of a day. */
const KNOWN = 0.9
/** Share of an excess above which a risen base load accounts for it. */
const EXPLAINED = 0.5

/** Detects meters with high energy on days off. Reports a meter only if none below it is affected. */
export async function baseWeekend(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const features = await look.features()
  const loads = look.meters.filter(({ role }) => role === 'load')
  const { risen } = await nightRises(look)
  const found = new Map<string, DaysOff>()
  const typeOf = typesOfDays(look)
  for (const { MeterID } of loads) {
    const { memory, factor } = look.remembered('baseWeekend', { RoomID: null, MeterID })
    const off = daysOffOf(
      (features.get(MeterID) ?? []).map(({ day, kWh, known }) => ({
        day,
        type: typeOf(day),
        kWh: known >= KNOWN ? kWh : null,
      })),
      look.end,
      { factor, before: memory as unknown as DaysOff | null },
    )
    const rise = risen.get(MeterID)
    // A base load that runs day and night also runs on days off.
    const isOfNights = rise && off && 24 * (rise.now - rise.usual) >= EXPLAINED * (off.now - off.usual)
    if (off && !isOfNights) found.set(MeterID, off)
  }
  const hasBelow = (parent: string): boolean =>
    loads.some((one) => one.parent === parent && (found.has(one.MeterID) || hasBelow(one.MeterID)))
  const detected: DetectedFinding[] = []
  for (const [MeterID, off] of found)
    if (!hasBelow(MeterID)) {
      const values = new Map((features.get(MeterID) ?? []).map(({ day, kWh }) => [day, kWh]))
      detected.push(await detect(look, MeterID, off, values))
    }
  return detected
}

/** Cached day types, shared by all meters of the home. */
function typesOfDays({ offPeakDays }: HomeSnapshot): (day: number) => DayType {
  const types = new Map<number, DayType>()
  return (day) => {
    const type = types.get(day) ?? dayTypeOf(day, offPeakDays)
    types.set(day, type)
    return type
  }
}

async function detect(
  look: HomeSnapshot,
  MeterID: string,
  off: DaysOff,
  values: ReadonlyMap<number, number>,
): Promise<DetectedFinding> {
  const days = (await look.loads([MeterID])).get(MeterID)
  const { usual, limit, spread, since, now, share, reason } = off
  const claim = claimOfDaysOff(
    off,
    claimedDays(look).map((day) => [day, days?.get(day)?.kWh ?? []] as const),
  )
  const isOff = (day: number) => dayTypeOf(day, look.offPeakDays) !== 'weekday'
  return {
    kind: 'baseWeekend',
    place: { RoomID: null, MeterID },
    from: look.from,
    end: look.end,
    confidence: reason === 'risen' ? 'high' : 'medium',
    why: {
      Key: reason === 'risen' ? 'baseWeekend' : 'highWeekend',
      Values: { Now: now, Usual: usual, Share: share, Since: formatDay(since) },
    },
    claims: [
      {
        meter: MeterID,
        kWh: withoutGaps(claim),
        low: reason === 'risen' && now > usual ? Math.max(0, now - usual - spread) / (now - usual) : 0.5,
        high: reason === 'risen' && now > usual ? (now - usual + spread) / (now - usual) : 1,
      },
    ],
    evidence: {
      unit: 'kWh',
      days: evidenceDays(
        look.end,
        (day) => ({
          value: isOff(day) ? (values.get(day) ?? null) : null,
          usual,
          low: Math.max(0, usual - (limit - usual)),
          high: limit,
        }),
        112,
      ).filter(({ day }) => isOff(day)),
    },
    memory: { usual, limit, spread, since },
  }
}
