import { percentageOf } from '../../../contract/energy/coverage.ts'
import { amountText, formatChange, formatComplete, withPlus } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './energy.module.css'
import type { EnergyMeasure } from './measures.ts'
import type { Difference } from './totals.ts'
import { formatMeasure } from './use-figures.ts'

/** Difference from the previous period, with its sign. Shows a percentage only if both periods have enough data. */
export function Change({ difference, measure }: { difference: Difference; measure: EnergyMeasure }) {
  const { by, share, soFar, partly, complete } = difference
  const t = useT()
  const amount = amountText(withPlus(by, formatMeasure(measure, by)))
  const cost = amount.startsWith('+') ? 'more' : amount.startsWith('−') ? 'less' : undefined
  const percentText = percentageOf(...complete)
  const part =
    share === null || percentText === 'none'
      ? ''
      : ` (${percentText === 'about' ? '≈ ' : ''}${formatChange(share)})`
  const [is, previous] = [formatComplete(complete[0]), formatComplete(complete[1])]
  return (
    <span
      className={`${page.figures} ${styles.change}`}
      data-cost={cost}
      title={partly ? t('energy:bothKnownWhy') : soFar ? t('energy:soFarWhy') : undefined}
    >
      {amount}
      {part}
      {(partly || soFar) && (
        <span className={styles.note}>{t(partly ? 'energy:bothKnown' : 'energy:soFar')}</span>
      )}
      {share !== null && percentText !== 'plain' && (
        <span className={styles.note}>
          {t(percentText === 'about' ? 'energy:complete' : 'energy:tooIncomplete', { is, was: previous })}
        </span>
      )}
    </span>
  )
}
