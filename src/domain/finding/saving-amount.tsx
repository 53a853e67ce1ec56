import type { SavingHeadline } from '../../../contract/findings/calls.ts'
import { formatEstimate } from '../../../contract/kernel/numbers.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './finding.module.css'

/** Estimated saving per month with its range. */
export function SavingAmount({ saving }: { saving: Pick<SavingHeadline, 'Amount' | 'Low' | 'High'> }) {
  const t = useT()
  const { Amount, Low, High } = saving
  if (Amount === null) return null
  const { amount, range } = formatEstimate({ mid: Amount, low: Low, high: High }, 'money')
  return (
    <p className={styles.amount}>
      <strong className={page.figures}>{t('insight:estimate.about', { amount })}</strong>
      {range !== undefined && <span className={page.note}>{t('insight:estimate.brackets', { range })}</span>}
    </p>
  )
}
