import { formatLack } from '../../../../contract/kernel/numbers.ts'
import { leastComputed, type EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import {
  betweenShare,
  correctedShare,
  estimatedShare,
  missingShare,
  totalOf,
} from '../../../domain/energy/totals.ts'
import { BeingComputed } from '../../../domain/energy/being-computed.tsx'
import { QuarantinedShare } from '../../../domain/energy/quarantined-share.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import type { HomeMonth } from './use-card-energy.ts'

interface Props {
  points: readonly EnergyPoint[]
  meters: { Reporting: number; Total: number }
  /** Percent of readings already computed; undefined if none are pending. */
  computed?: number | undefined
  /** Home of the figures; omitted for several homes. */
  homeId?: string | undefined
  cost?: boolean
}

/** Measured share of a card's figures, so that a sum over some of the meters does not look complete. */
export function CoverageNotes({ points, meters, computed, homeId, cost = false }: Props) {
  const t = useT()
  const { Coverage, Cost, withoutTariff } = totalOf(points)
  const betweenText = betweenShare(Coverage)
  const estimated = estimatedShare(Coverage)
  const corrected = correctedShare(Coverage)
  const missing = missingShare(Coverage)
  return (
    <p className={`${page.wideRow} ${page.small} ${styles.notes}`}>
      <BeingComputed percent={computed} />
      {meters.Reporting < meters.Total && (
        <span className={`${page.small} ${page.warning}`}>
          {t('energy:reporting', { reporting: meters.Reporting, total: meters.Total })}
        </span>
      )}
      {betweenText > 0 && <span>{t('energy:betweenShare', { share: formatLack(betweenText) })}</span>}
      {estimated > 0 && <span>{t('energy:estimatedShare', { share: formatLack(estimated) })}</span>}
      {corrected > 0 && <span>{t('energy:correctedShare', { share: formatLack(corrected) })}</span>}
      {missing > 0 && (
        <span className={`${page.small} ${page.warning}`}>
          {t('energy:missingShare', { share: formatLack(missing) })}
        </span>
      )}
      <QuarantinedShare coverage={Coverage} homeId={homeId} />
      {cost && withoutTariff && (
        <span className={`${page.small} ${page.warning}`}>
          {t(Cost === null ? 'energy:withoutTariff' : 'energy:partWithoutTariff')}
        </span>
      )}
    </p>
  )
}

/** Measured share of all series of homes, and the number of homes that failed to load. */
export function MonthNotes({
  months,
  homes,
}: {
  months: readonly HomeMonth[]
  homes: readonly HomeWithRooms[]
}) {
  const t = useT()
  const sumOf = (of: (month: HomeMonth) => number) => months.reduce((sum, month) => sum + of(month), 0)
  return (
    <>
      <CoverageNotes
        points={months.flatMap(({ data }) => data.Series.flatMap(({ Points }) => Points))}
        meters={{
          Reporting: sumOf(({ data }) => data.Meters.Reporting),
          Total: sumOf(({ data }) => data.Meters.Total),
        }}
        computed={leastComputed(months.map(({ data }) => data.ComputedPercent))}
        homeId={homes.length === 1 ? homes[0]?.HomeID : undefined}
      />
      {months.length < homes.length && (
        <p className={`${page.small} ${page.warning}`}>
          {t('cards:power.sitesLost', { count: months.length, total: homes.length })}
        </p>
      )}
    </>
  )
}
