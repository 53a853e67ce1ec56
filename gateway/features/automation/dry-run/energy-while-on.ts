import { QUARTER_MS, toWallTime } from '../../../../contract/time/periods.ts'
import { bandsOfDay, type TariffVersion } from '../../../../contract/tariffs/tariff-terms.ts'

/** Time span in which devices would have been on, epoch ms. */
export interface OnTime {
  from: number
  to: number
}

export interface Prices {
  versionOn(day: number): TariffVersion | undefined
  offPeakDays: ReadonlySet<number>
}

/** Time spans in order, with overlapping ones merged. */
export function joinedTimes(times: readonly OnTime[]): OnTime[] {
  const all: OnTime[] = []
  for (const { from, to } of times.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/**
 * Energy and cost of a load in some time spans, by the price of each quarter of an hour.
 *
 * kW       power of the load while it is on
 * returns  kWh; Cost in NT$, null if a price is unknown: no tariff, or a tiered one, which has no price per kWh
 */
export function energyWhileOn(
  times: readonly OnTime[],
  kW: number,
  { versionOn, offPeakDays }: Prices,
  zone: string,
): { kWh: number; Cost: number | null } {
  let kWh = 0
  let Cost: number | null = 0
  let today:
    { day: number; version: TariffVersion | undefined; bands: ReturnType<typeof bandsOfDay> } | undefined
  for (const { from, to } of joinedTimes(times))
    for (let at = from; at < to;) {
      const until = Math.min(to, (Math.floor(at / QUARTER_MS) + 1) * QUARTER_MS)
      const energy = (kW * (until - at)) / 3_600_000
      const { day, minute } = toWallTime(at, zone)
      if (today?.day !== day) {
        const version = versionOn(day)
        today = { day, version, bands: version ? bandsOfDay(version, day, offPeakDays) : [] }
      }
      const band = today.bands.find(
        ({ FromMinute, ThroughMinute }) => FromMinute <= minute && minute < ThroughMinute,
      )
      const price = today.version?.Kind === 'tiered' ? null : band?.Price
      kWh += energy
      Cost = Cost === null || typeof price !== 'number' ? null : Cost + energy * price
      at = until
    }
  return { kWh, Cost }
}
