import type { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import {
  parseDay,
  QUARTER_MS,
  quartersOfDay,
  startOfDay,
  wallMinute,
} from '../../../contract/time/periods.ts'
import {
  bandsOfDay,
  pricing,
  versionOn,
  type Band,
  type TariffVersion,
} from '../../../contract/tariffs/tariff-terms.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'

/** A time of one band, epoch ms, `to` exclusive. */
export interface BandTime {
  from: number
  to: number
  band: Band
}

/**
 * The bands of a home's tariffs over some days, on its own clock; a day without a tariff, or of one without bands, has none.
 *
 * versionsOf   of a plan by its id; undefined for one that is not known
 * offPeakDays  as `dayOf` numbers days
 */
export function bandTimes(
  { first, last }: Pick<DayRange, 'first' | 'last'>,
  tariffs: readonly HomeTariff[],
  versionsOf: (planId: string) => readonly TariffVersion[] | undefined,
  offPeakDays: ReadonlySet<number>,
  zone: string,
): BandTime[] {
  const times: BandTime[] = []
  for (let day = first; day <= last; day++) {
    const held = tariffs.find(
      ({ ValidFrom, ValidThrough }) =>
        parseDay(ValidFrom) <= day && (ValidThrough === null || day <= parseDay(ValidThrough)),
    )
    // A day of which it is not known whether it was announced as a peak day has no bands.
    const version = held && pricing(versionOn(versionsOf(held.PlanID) ?? [], day), day)
    if (version?.Kind !== 'timeOfUse') continue
    const bands = bandsOfDay(version, day, offPeakDays)
    const start = startOfDay(day, zone)
    for (let quarter = 0; quarter < quartersOfDay(day, zone); quarter++) {
      const minute = wallMinute(day, quarter, zone)
      const band = bands.find(
        ({ FromMinute, ThroughMinute }) => FromMinute <= minute && minute < ThroughMinute,
      )?.Band
      if (!band) continue
      const from = start + quarter * QUARTER_MS
      const before = times.at(-1)
      if (before?.to === from && before.band === band) before.to = from + QUARTER_MS
      else times.push({ from, to: from + QUARTER_MS, band })
    }
  }
  return times
}
