import { percentageOf } from '../../../contract/energy/coverage.ts'
import { amountText, formatChange, formatComplete, withPlus } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './energy.module.css'
import type { EnergyMeasure } from './measures.ts'
import type { Difference } from './totals.ts'
import { formatMeasure } from './use-figures.ts'

interface Props {
  difference: Difference
  measure: EnergyMeasure
}

/** Difference as an amount with its sign, and as a percentage if both periods have enough data. */
function changeText({ by, share, complete }: Difference, measure: EnergyMeasure) {
  const percentText = percentageOf(...complete)
  return {
    amount: amountText(withPlus(by, formatMeasure(measure, by))),
    percent:
      share === null || percentText === 'none'
        ? undefined
        : `${percentText === 'about' ? '≈ ' : ''}${formatChange(share)}`,
    percentText,
  }
}

/** Difference from the previous period, with its sign. Shows a percentage only if both periods have enough data. */
export function Change({ difference, measure }: Props) {
  const { share, soFar, partly, complete } = difference
  const t = useT()
  const { amount, percent, percentText } = changeText(difference, measure)
  const cost = amount.startsWith('+') ? 'more' : amount.startsWith('−') ? 'less' : undefined
  const [is, previous] = [formatComplete(complete[0]), formatComplete(complete[1])]
  return (
    <span
      className={`${page.figures} ${styles.change}`}
      data-cost={cost}
      title={partly ? t('energy:bothKnownWhy') : soFar ? t('energy:soFarWhy') : undefined}
    >
      {amount}
      {percent === undefined ? '' : ` (${percent})`}
      {(partly || soFar) && (
        <span className={`${page.small} ${styles.note}`}>
          {t(partly ? 'energy:bothKnown' : 'energy:soFar')}
        </span>
      )}
      {share !== null && percentText !== 'plain' && (
        <span className={`${page.small} ${styles.note}`}>
          {t(percentText === 'about' ? 'energy:complete' : 'energy:tooIncomplete', { is, was: previous })}
        </span>
      )}
    </span>
  )
}

/** Increase from which the change of a row is marked. */
const MIN_MARKED_SHARE = 0.2

/** Difference in a cell of a table: the percentage after the amount, or the amount alone without enough data. */
export function ChangeCell({ difference, measure }: Props) {
  const t = useT()
  const { amount, percent } = changeText(difference, measure)
  // As rounded on the screen: +20.0% is marked.
  const isMarked =
    percent !== undefined && Math.round((difference.share ?? 0) * 1000) >= MIN_MARKED_SHARE * 1000
  return (
    <span
      className={`${page.numbers} ${styles.change}`}
      data-cost={isMarked ? 'more' : undefined}
      title={difference.partly ? t('energy:bothKnownWhy') : undefined}
    >
      {percent === undefined ? (
        amount
      ) : (
        <>
          <span className={`${page.small} ${styles.amount}`}>{amount}</span>{' '}
          <span className={isMarked ? styles.marked : undefined}>{percent}</span>
        </>
      )}
    </span>
  )
}
