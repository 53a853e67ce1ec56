import type { Budget, PeriodForecast } from '../../../contract/energy/insight-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { formatShare, useEnergyFormat } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import styles from './insight.module.css'

/** What is expected against the budget, as a bar and a sentence. */
export function BudgetBar({ budget, forecast }: { budget: Budget; forecast: PeriodForecast }) {
  const t = useT()
  const figures = useEnergyFormat()
  const { Unit, Amount } = budget
  const said = (value: number) => (Unit === 'TWD' ? `NT$ ${figures(value)}` : `${figures(value)} kWh`)
  const range = Unit === 'TWD' ? forecast.Forecast?.Cost : forecast.Forecast?.Kwh
  // NT$ so far are not a bill: what is charged by the month falls due with it.
  const soFar = Unit === 'TWD' ? 0 : (forecast.SoFarKwh ?? 0)
  const top = Math.max(Amount, range?.High ?? range?.Mid ?? 0, soFar) * 1.05
  const at = (value: number) => `${(value / top) * 100}%`
  return (
    <div className={page.column}>
      <span className={styles.budget} aria-hidden="true">
        <span className={styles.used} style={{ width: at(soFar) }} />
        {range && <span className={styles.toCome} style={{ width: at(Math.max(0, range.Mid - soFar)) }} />}
        <span className={styles.mark} style={{ insetInlineStart: at(Amount) }} />
      </span>
      {range ? (
        <p className={range.Mid > Amount ? page.warning : page.note}>
          {t(range.Mid > Amount ? 'insight:budget.over' : 'insight:budget.within', {
            budget: said(Amount),
            expected: said(range.Mid),
            share: formatShare(range.Mid / Amount),
            by: said(Math.abs(range.Mid - Amount)),
          })}
        </p>
      ) : (
        <p className={page.note}>{t('insight:budget.unknown', { budget: said(Amount) })}</p>
      )}
    </div>
  )
}
