import { useQueries } from '@tanstack/react-query'
import { meterData, type EnergyPoint } from '../../../../contract/procedures/meter-data.ts'
import type { HomeWithRooms } from '../../../../contract/resources/home.ts'
import {
  dayOf,
  monthOf,
  startOfDay,
  startOfMonth,
  startsBetween,
} from '../../../../contract/rules/energy/periods.ts'
import { callQuery } from '../../../data/api.ts'
import { Change } from '../../../domain/energy/change.tsx'
import { differenceOf, totalOf, wholeOf } from '../../../domain/energy/totals.ts'
import { UNITS, useFigures } from '../../../domain/energy/use-figures.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { Figure } from '../../../ui/tags/power-value.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'

/** Of more homes nobody waits for the sum. */
const MOST_HOMES = 12
/** From this share on both periods are known well enough to speak of money. */
const WELL_KNOWN = 0.95

/** What the days of this month that have ended used, beside the same days of last year; nothing on the first day of a month. */
export function MonthBesideYear({ homes }: { homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const figures = useFigures()
  const now = useNow()
  const [first] = homes
  const zone = first?.TimeZone ?? 'UTC'
  const [From, To] = [startOfMonth(monthOf(now, zone), zone), startOfDay(dayOf(now, zone), zone)]
  const isWanted = To > From && homes.length <= MOST_HOMES
  const queries = useQueries({
    queries: homes.map(({ HomeID }) => ({
      ...callQuery(meterData.getEnergySeries, {
        ...{ HomeID, From, To },
        Resolution: 'day' as const,
        By: 'home' as const,
        Compare: 'lastYear' as const,
      }),
      enabled: isWanted,
    })),
  })
  const answers = queries.map(({ data }) => data)
  // Homes that are compared with other times cannot be added up.
  const isAlike = answers.every((one) => one?.Compared?.With === 'lastYear')
  if (!isWanted || !isAlike) return null
  const starts = startsBetween('day', From, To, zone)
  const is = byDay(answers.map((one) => wholeOf(one?.Series)))
  const was = byDay(answers.map((one) => wholeOf(one?.Compared?.Series)))
  const ends = [...starts.slice(1), To]
  const energy = differenceOf(is, was, ends, now, 'kwh')
  if (!energy) return null
  const money =
    Math.min(...energy.complete) >= WELL_KNOWN ? differenceOf(is, was, ends, now, 'cost') : undefined
  return (
    <div className={styles.span}>
      <h3>{t('cards:besideYear')}</h3>
      <p className={styles.lead}>
        <Figure value={figures(totalOf(is).kWh)} unit={UNITS.kwh} large />
      </p>
      <p>
        <Change difference={energy} unit={UNITS.kwh} format={figures} />
      </p>
      {money && (
        <p className={page.small}>
          <Change difference={money} unit={UNITS.cost} format={figures} />
        </p>
      )}
    </div>
  )
}

/** The days of several homes added up, in their order. */
const byDay = (all: readonly (readonly EnergyPoint[])[]): EnergyPoint[] =>
  (all[0] ?? []).map((first, i) => {
    const { kWh, Cost, CarbonKg, Coverage, Resets } = totalOf(all.flatMap((points) => points[i] ?? []))
    return { Timestamp: first.Timestamp, kWh, Cost, CarbonKg, Coverage, Resets }
  })
