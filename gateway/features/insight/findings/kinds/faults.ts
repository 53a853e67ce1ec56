import type { Detected } from '../../../../../contract/rules/finding/detected.ts'
import { medianOf } from '../../../../../contract/rules/finding/spread.ts'
import { MONTH_DAYS } from '../../../../../contract/rules/finding/saving.ts'
import { dayOf, formatDay } from '../../../../../contract/rules/energy/periods.ts'
import { claimedDays, type HomeLook, knownShare } from '../look.ts'
import { evidenceDays } from './evidence-days.ts'

/** What is not explained, as a part of what was used. */
const UNEXPLAINED = 0.01
/** Of the days, this much must be known. */
const KNOWN = 0.9
/** Days before a silence that say what a meter usually counts. */
const USUAL_DAYS = 28

/** A balance in which more went out than came in: a meter is wired the wrong way round, or has a wrong role. */
export async function balanceFault(look: HomeLook): Promise<Detected[]> {
  const { ports, tenant, home, from, end } = look
  if (!(await ports.energy.hasBalance(tenant, home))) return []
  const used = await ports.energy.loadProfile(tenant, home, from, end, 'consumption')
  if (knownShare(used.values()) < KNOWN) return []
  const byDay = claimedDays(look).map((day) => {
    const kWh = used.get(day)?.kWh ?? new Float64Array()
    return {
      used: kWh.reduce((sum, one) => sum + one, 0),
      missing: kWh.reduce((sum, one) => sum + Math.max(0, -one), 0),
    }
  })
  const sum = (of: (day: (typeof byDay)[number]) => number) => byDay.reduce((all, day) => all + of(day), 0)
  const [all, missing] = [sum((day) => Math.max(0, day.used)), sum((day) => day.missing)]
  const place = { RoomID: null, MeterID: null }
  if (missing <= UNEXPLAINED * look.remembered('balanceFault', place).factor * Math.max(all, 1)) return []
  return [
    {
      kind: 'balanceFault',
      place,
      from,
      end,
      confidence: 'high',
      why: { Key: 'balanceFault', Values: { kWh: missing, Share: missing / Math.max(all, 1) } },
      claims: [],
      kWh: null,
      money: null,
      evidence: {
        unit: 'kWh',
        days: claimedDays(look).map((day, i) => ({
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

/** Meters that an alarm says are silent: what they usually count is paid for, and nobody sees it. */
export async function silent(look: HomeLook): Promise<Detected[]> {
  const { ports, db, tenant, home, end, from, profile, bills } = look
  const alarms = await ports.silentDevices(db, tenant, home.HomeID)
  if (alarms.length === 0) return []
  const features = await look.features()
  const bought = [...profile.values()].reduce(
    (sum, { kWh }) => sum + kWh.reduce((all, one) => all + one, 0),
    0,
  )
  const price = bills && bought > 0 ? bills.ofDays(profile, from, end).Energy / bought : null
  return alarms.flatMap(({ PeripheralUID, since }): Detected[] => {
    const days = features.get(PeripheralUID)
    const day = dayOf(since, home.zone)
    if (!days || day >= end) return []
    const usual = medianOf(
      days
        .filter((one) => one.day < day && one.day >= day - USUAL_DAYS && one.known >= KNOWN)
        .map(({ kWh }) => kWh),
    )
    if (usual === undefined) return []
    const byDay = new Map(days.map((one) => [one.day, one.kWh]))
    const amount = price === null ? null : usual * MONTH_DAYS * price
    return [
      {
        kind: 'silent',
        place: { RoomID: null, MeterID: PeripheralUID },
        from,
        end,
        confidence: 'high',
        why: { Key: 'silent', Values: { Since: formatDay(day), kWh: usual } },
        claims: [],
        kWh: usual * MONTH_DAYS,
        money: amount === null ? null : { amount, low: amount, high: amount },
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
