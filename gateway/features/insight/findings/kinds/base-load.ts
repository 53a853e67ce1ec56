import { claimOfRise, driftsOf, type Night, type NightRise, nightRiseOf } from '../../logic/night-base.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import { formatDay, type DayType } from '../../../../../contract/time/periods.ts'
import type { MeterDayFeatures, StandingMeter } from '../../logic/ports.ts'
import { claimOfDaysOff, type DaysOff, daysOffOf } from '../../logic/days-off.ts'
import { dayTypeOf } from '../../../../../contract/tariffs/tariff-terms.ts'
import { claimedDays, withoutGaps, type HomeSnapshot } from './home-snapshot.ts'
import { evidenceDays } from './evidence-days.ts'

/** Minimum known share of a night. */
const KNOWN = 0.9
/** Share of a rise above which the meters below account for it. */
const EXPLAINED = 0.5
/** Minimum rise, kW: smaller ones are the rounding of a counter. */
const MIN_KW = 0.02

/** Detects meters whose base load at night has risen. */
export async function baseNight(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const loads = snapshot.meters.filter(({ role }) => role === 'load')
  const { nights, rises } = await nightRises(snapshot)
  const found: DetectedFinding[] = []
  for (const meter of loads) {
    const rise = rises.get(meter.MeterID)
    if (rise && !isExplained(meter, rise, loads, rises))
      found.push(await detectNight(snapshot, meter, rise, nights))
  }
  return found
}

interface NightRises {
  nights: Map<string, Night[]>
  rises: Map<string, NightRise>
}

/** Cached, because two kinds use them. */
const risesOf = new WeakMap<HomeSnapshot, Promise<NightRises>>()

/** The nights of each load meter, and the rises found in them. */
function nightRises(snapshot: HomeSnapshot): Promise<NightRises> {
  const rises = risesOf.get(snapshot) ?? findRises(snapshot)
  risesOf.set(snapshot, rises)
  return rises
}

async function findRises(snapshot: HomeSnapshot): Promise<NightRises> {
  const features = await snapshot.features()
  const loads = snapshot.meters.filter(({ role }) => role === 'load')
  const nights = new Map(loads.map(({ MeterID }) => [MeterID, nightsOf(features.get(MeterID) ?? [])]))
  const rises = new Map<string, NightRise>()
  const driftWithout = driftsOf(
    snapshot.leafMeters.map(({ MeterID }) => [MeterID, nights.get(MeterID) ?? []] as const),
    snapshot.end,
  )
  for (const meter of loads) {
    const place = { RoomID: null, MeterID: meter.MeterID }
    const { memory, factor } = snapshot.previousFinding('baseNight', place)
    const rise = nightRiseOf(nights.get(meter.MeterID) ?? [], snapshot.end, {
      drift: driftWithout(meter.MeterID),
      factor,
      before: memory as unknown as NightRise | null,
    })
    if (rise && rise.now - rise.usual >= MIN_KW) rises.set(meter.MeterID, rise)
  }
  return { nights, rises }
}

const nightsOf = (days: readonly MeterDayFeatures[]): Night[] =>
  days.map(({ day, baseKw, known }) => ({ day, kw: known >= KNOWN ? baseKw : null }))

function isExplained(
  { MeterID }: StandingMeter,
  { now, usual }: NightRise,
  meters: readonly StandingMeter[],
  rises: ReadonlyMap<string, NightRise>,
): boolean {
  const below = (parent: string): number =>
    meters
      .filter((one) => one.parent === parent)
      .reduce((sum, one) => {
        const rise = rises.get(one.MeterID)
        return sum + (rise ? rise.now - rise.usual : below(one.MeterID))
      }, 0)
  return below(MeterID) >= EXPLAINED * (now - usual)
}

async function detectNight(
  snapshot: HomeSnapshot,
  { MeterID }: StandingMeter,
  rise: NightRise,
  nights: ReadonlyMap<string, readonly Night[]>,
): Promise<DetectedFinding> {
  const days = (await snapshot.loads([MeterID])).get(MeterID) ?? new Map()
  const { tenant, home, ports } = snapshot
  const usual = await ports.energy.readLoads(tenant, home, rise.usualFrom, rise.usualEnd, new Set([MeterID]))
  const claim = claimOfRise(
    rise,
    claimedDays(snapshot).flatMap((day) => {
      const one = days.get(day)
      return one ? [[day, one] as const] : []
    }),
    [...(usual.get(MeterID)?.values() ?? [])],
  )
  const kwByDay = new Map(nights.get(MeterID)?.map(({ day, kw }) => [day, kw]))
  return {
    kind: 'baseNight',
    place: { RoomID: null, MeterID },
    from: snapshot.from,
    end: snapshot.end,
    confidence: rise.now - rise.usual > 2 * (rise.limit - rise.usual) ? 'high' : 'medium',
    why: {
      Key: 'baseNight',
      Values: { Now: rise.now, Usual: rise.usual, Since: formatDay(rise.since) },
    },
    claims: [{ meter: MeterID, kWh: withoutGaps(claim.kWh), low: claim.low, high: claim.high }],
    evidence: {
      unit: 'kW',
      days: evidenceDays(snapshot.end, (day) => ({
        value: kwByDay.get(day) ?? null,
        usual: rise.usual,
        low: Math.max(0, rise.usual - (rise.limit - rise.usual)),
        high: rise.limit,
      })),
    },
    memory: { ...rise },
  }
}

/** Detects meters with high energy on days off. Reports a meter only if none below it is affected. */
export async function baseWeekend(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const features = await snapshot.features()
  const loads = snapshot.meters.filter(({ role }) => role === 'load')
  const { rises } = await nightRises(snapshot)
  const found = new Map<string, DaysOff>()
  const typeOf = typesOfDays(snapshot)
  for (const { MeterID } of loads) {
    const { memory, factor } = snapshot.previousFinding('baseWeekend', { RoomID: null, MeterID })
    const off = daysOffOf(
      (features.get(MeterID) ?? []).map(({ day, kWh, known }) => ({
        day,
        type: typeOf(day),
        kWh: known >= KNOWN ? kWh : null,
      })),
      snapshot.end,
      { factor, before: memory as unknown as DaysOff | null },
    )
    const rise = rises.get(MeterID)
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
      detected.push(await detectWeekend(snapshot, MeterID, off, values))
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

async function detectWeekend(
  snapshot: HomeSnapshot,
  MeterID: string,
  off: DaysOff,
  values: ReadonlyMap<number, number>,
): Promise<DetectedFinding> {
  const days = (await snapshot.loads([MeterID])).get(MeterID)
  const { usual, limit, spread, since, now, share, reason } = off
  const claim = claimOfDaysOff(
    off,
    claimedDays(snapshot).map((day) => [day, days?.get(day)?.kWh ?? []] as const),
  )
  const isOff = (day: number) => dayTypeOf(day, snapshot.offPeakDays) !== 'weekday'
  return {
    kind: 'baseWeekend',
    place: { RoomID: null, MeterID },
    from: snapshot.from,
    end: snapshot.end,
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
        snapshot.end,
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
