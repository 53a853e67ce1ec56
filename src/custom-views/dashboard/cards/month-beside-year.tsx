import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { completeShare } from '../../../../contract/energy/coverage.ts'
import { callQuery } from '../../../data/api.ts'
import { BeingComputed } from '../../../domain/energy/being-computed.tsx'
import { Change } from '../../../domain/energy/change.tsx'
import type { Difference } from '../../../domain/energy/totals.ts'
import { ENERGY_UNITS, useEnergyFormat } from '../../../domain/energy/use-figures.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Figure } from '../../../ui/tags/power-value.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'

/** From this share on both periods are known well enough to speak of money. */
const WELL_KNOWN = 0.95

/** What the days of this month that have ended used in all homes, beside the same days of last year; nothing on the first day of a month. */
export function MonthBesideYear() {
  const t = useT()
  const figures = useEnergyFormat()
  const { data } = useQuery(callQuery(meterData.getMonthBesideYear, {}))
  if (!data?.Now || !data.Before) return null
  const { Now, Before, Homes, Partly, ComputedPercent } = data
  const isComputed = ComputedPercent === undefined
  const complete = [completeShare(Now.Coverage), completeShare(Before.Coverage)] as const
  const between = (is: number, was: number): Difference => ({
    ...{ before: was, by: is - was, share: was === 0 ? null : (is - was) / was },
    ...{ soFar: false, partly: Partly, complete },
  })
  const isPriced =
    isComputed && Now.Cost !== null && Before.Cost !== null && Math.min(...complete) >= WELL_KNOWN
  return (
    <div className={styles.span}>
      <h3>{t('cards:besideYear')}</h3>
      <p className={styles.lead}>
        <Figure value={figures(Now.kWh)} unit={ENERGY_UNITS.kwh} large />
      </p>
      <BeingComputed percent={ComputedPercent} />
      {isComputed && (
        <p>
          <Change difference={between(Now.kWh, Before.kWh)} unit={ENERGY_UNITS.kwh} format={figures} />
        </p>
      )}
      {isPriced && (
        <p className={page.small}>
          <Change
            difference={between(Now.Cost ?? 0, Before.Cost ?? 0)}
            unit={ENERGY_UNITS.cost}
            format={figures}
          />
        </p>
      )}
      {Homes.Compared < Homes.Total && (
        <p className={styles.warning}>
          {t('cards:besideYearOf', { count: Homes.Compared, total: Homes.Total })}
        </p>
      )}
    </div>
  )
}
