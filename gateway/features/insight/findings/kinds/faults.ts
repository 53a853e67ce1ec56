import { type DetectedFinding, EVIDENCE } from '../../logic/detected.ts'
import { quantile } from '../../../../../contract/energy/load-shape.ts'
import { MONTH_DAYS } from '../../../../../contract/findings/finding-life.ts'
import { dayOf, formatDay } from '../../../../../contract/time/periods.ts'
import { claimedDays, type HomeSnapshot, measuredShare } from './home-snapshot.ts'
import { evidenceDays } from './evidence-days.ts'

/** Minimum unexplained energy, as part of the consumption. */
const UNEXPLAINED = 0.01
/** Number of days before a silence from which a meter's usual energy is computed. */
const USUAL_DAYS = 28

/** Detects a balance in which more energy left than entered: a meter is wired the wrong way round, or has a wrong role. */
export async function balanceFault(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const { ports, tenant, home, from, end } = snapshot
  if (!(await ports.energy.hasBalance(tenant, home))) return []
  const used = await ports.energy.loadProfile(tenant, home, from, end, 'consumption')
  if (snapshot.lack?.Reason === 'days' || measuredShare(used.values(), false) < EVIDENCE.share) return []
  const byDay = claimedDays(snapshot).map((day) => {
    const kWh = used.get(day)?.kWh ?? new Float64Array()
    return {
      used: kWh.reduce((sum, one) => sum + one, 0),
      missing: kWh.reduce((sum, one) => sum + Math.max(0, -one), 0),
    }
  })
  const sum = (of: (day: (typeof byDay)[number]) => number) => byDay.reduce((all, day) => all + of(day), 0)
  const [all, missing] = [sum((day) => Math.max(0, day.used)), sum((day) => day.missing)]
  const place = { RoomID: null, MeterID: null }
  if (missing <= UNEXPLAINED * snapshot.previousFinding('balanceFault', place).factor * Math.max(all, 1))
    return []
  return [
    {
      kind: 'balanceFault',
      place,
      from,
      end,
      // A wiring fault shows on most days; fewer days may be late readings.
      confidence:
        byDay.filter((day) => day.missing > UNEXPLAINED * Math.max(0, day.used)).length >= byDay.length / 2
          ? 'high'
          : 'medium',
      why: { Key: 'balanceFault', Values: { kWh: missing, Share: missing / Math.max(all, 1) } },
      claims: [],
      kWh: null,
      money: null,
      evidence: {
        unit: 'kWh',
        days: claimedDays(snapshot).map((day, i) => ({
          day,
          value: byDay[i]?.missing ?? null,
          usual: 0,
          low: 0,
          high: UNEXPLAINED * Math.max(0, byDay[i]?.used ?? 0),
        })),
      },
    },
  ]
}

/** Detects meters with an open silence alarm: their usual energy is paid for, but not monitored. */
export async function silent(snapshot: HomeSnapshot): Promise<DetectedFinding[]> {
  const { ports, db, tenant, home, end, from, profile, bills } = snapshot
  const alarms = await ports.readSilentDevices(db, tenant, home.HomeID)
  if (alarms.length === 0) return []
  const features = await snapshot.features()
  const bought = [...profile.values()].reduce(
    (sum, { kWh }) => sum + kWh.reduce((all, one) => all + one, 0),
    0,
  )
  const price =
    bills && bought > 0 && !snapshot.lack ? bills.ofDays(profile, from, end).Energy / bought : null
  return alarms.flatMap(({ PeripheralUID, since }): DetectedFinding[] => {
    const days = features.get(PeripheralUID)
    const day = dayOf(since, home.zone)
    if (!days || day >= end) return []
    const before = days
      .filter((one) => one.day < day && one.day >= day - USUAL_DAYS && one.known >= EVIDENCE.share)
      .map(({ kWh }) => kWh)
    const [usual, low, high] = [0.5, 0.1, 0.9].map((share) => quantile(before, share))
    if (typeof usual !== 'number' || typeof low !== 'number' || typeof high !== 'number') return []
    const byDay = new Map(days.map((one) => [one.day, one.kWh]))
    const valueOf = (kWh: number) => kWh * MONTH_DAYS * (price ?? 0)
    return [
      {
        kind: 'silent',
        place: { RoomID: null, MeterID: PeripheralUID },
        from,
        end,
        confidence: before.length >= EVIDENCE.share * USUAL_DAYS ? 'high' : 'medium',
        why: { Key: 'silent', Values: { Since: formatDay(day), kWh: usual } },
        claims: [],
        kWh: usual * MONTH_DAYS,
        money: price === null ? null : { amount: valueOf(usual), low: valueOf(low), high: valueOf(high) },
        evidence: {
          unit: 'kWh',
          days: evidenceDays(end, (one) => ({
            value: byDay.get(one) ?? null,
            usual,
            low: null,
            high: null,
          })),
        },
      },
    ]
  })
}
