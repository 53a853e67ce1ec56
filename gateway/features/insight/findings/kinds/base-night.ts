import { claimOfRise, driftsOf, type Night, type NightRise, nightRiseOf } from '../../logic/night-base.ts'
import type { DetectedFinding } from '../../logic/detected.ts'
import { formatDay } from '../../../../../contract/time/periods.ts'
import type { MeterDayFeatures, StandingMeter } from '../../logic/ports.ts'
import { claimedDays, withoutGaps, type HomeSnapshot } from './home-snapshot.ts'
import { evidenceDays } from './evidence-days.ts'

/** Minimum known share of a night. */
const KNOWN = 0.9
/** Share of a rise above which the meters below account for it. */
const EXPLAINED = 0.5
/** Minimum rise, kW: smaller ones are the rounding of a counter. */
const LEAST_KW = 0.02

/** Detects meters whose base load at night has risen. */
export async function baseNight(look: HomeSnapshot): Promise<DetectedFinding[]> {
  const loads = look.meters.filter(({ role }) => role === 'load')
  const { nights, risen } = await nightRises(look)
  const found: DetectedFinding[] = []
  for (const meter of loads) {
    const rise = risen.get(meter.MeterID)
    if (rise && !isExplained(meter, rise, loads, risen)) found.push(await detect(look, meter, rise, nights))
  }
  return found
}

interface NightRises {
  nights: Map<string, Night[]>
  risen: Map<string, NightRise>
}

/** Cached, because two kinds use them. */
const risesOf = new WeakMap<HomeSnapshot, Promise<NightRises>>()

/** The nights of each load meter, and the rises found in them. */
export function nightRises(look: HomeSnapshot): Promise<NightRises> {
  const rises = risesOf.get(look) ?? findRises(look)
  risesOf.set(look, rises)
  return rises
}

async function findRises(look: HomeSnapshot): Promise<NightRises> {
  const features = await look.features()
  const loads = look.meters.filter(({ role }) => role === 'load')
  const nights = new Map(loads.map(({ MeterID }) => [MeterID, nightsOf(features.get(MeterID) ?? [])]))
  const risen = new Map<string, NightRise>()
  const driftWithout = driftsOf(
    look.leaves.map(({ MeterID }) => [MeterID, nights.get(MeterID) ?? []] as const),
    look.end,
  )
  for (const meter of loads) {
    const place = { RoomID: null, MeterID: meter.MeterID }
    const { memory, factor } = look.remembered('baseNight', place)
    const rise = nightRiseOf(nights.get(meter.MeterID) ?? [], look.end, {
      drift: driftWithout(meter.MeterID),
      factor,
      before: memory as unknown as NightRise | null,
    })
    if (rise && rise.now - rise.usual >= LEAST_KW) risen.set(meter.MeterID, rise)
  }
  return { nights, risen }
}

const nightsOf = (days: readonly MeterDayFeatures[]): Night[] =>
  days.map(({ day, baseKw, known }) => ({ day, kw: known >= KNOWN ? baseKw : null }))

function isExplained(
  { MeterID }: StandingMeter,
  { now, usual }: NightRise,
  meters: readonly StandingMeter[],
  risen: ReadonlyMap<string, NightRise>,
): boolean {
  const below = (parent: string): number =>
    meters
      .filter((one) => one.parent === parent)
      .reduce((sum, one) => {
        const rise = risen.get(one.MeterID)
        return sum + (rise ? rise.now - rise.usual : below(one.MeterID))
      }, 0)
  return below(MeterID) >= EXPLAINED * (now - usual)
}

async function detect(
  look: HomeSnapshot,
  { MeterID }: StandingMeter,
  rise: NightRise,
  nights: ReadonlyMap<string, readonly Night[]>,
): Promise<DetectedFinding> {
  const days = (await look.loads([MeterID])).get(MeterID) ?? new Map()
  const { tenant, home, ports } = look
  const usual = await ports.energy.loadOfEach(tenant, home, rise.usualFrom, rise.usualEnd, new Set([MeterID]))
  const claim = claimOfRise(
    rise,
    claimedDays(look).flatMap((day) => {
      const one = days.get(day)
      return one ? [[day, one] as const] : []
    }),
    [...(usual.get(MeterID)?.values() ?? [])],
  )
  const kwByDay = new Map(nights.get(MeterID)?.map(({ day, kw }) => [day, kw]))
  return {
    kind: 'baseNight',
    place: { RoomID: null, MeterID },
    from: look.from,
    end: look.end,
    confidence: rise.now - rise.usual > 2 * (rise.limit - rise.usual) ? 'high' : 'medium',
    why: {
      Key: 'baseNight',
      Values: { Now: rise.now, Usual: rise.usual, Since: formatDay(rise.since) },
    },
    claims: [{ meter: MeterID, kWh: withoutGaps(claim.kWh), low: claim.low, high: claim.high }],
    evidence: {
      unit: 'kW',
      days: evidenceDays(look.end, (day) => ({
        value: kwByDay.get(day) ?? null,
        usual: rise.usual,
        low: Math.max(0, rise.usual - (rise.limit - rise.usual)),
        high: rise.limit,
      })),
    },
    memory: { ...rise },
  }
}
