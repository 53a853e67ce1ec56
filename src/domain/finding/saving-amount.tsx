import type { SavingHeadline } from '../../../contract/findings/calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './finding.module.css'
import { formatSaving } from './use-finding-words.ts'

/** Estimated saving per month with its range. */
export function SavingAmount({ saving }: { saving: Pick<SavingHeadline, 'Amount' | 'Low' | 'High'> }) {
  const t = useT()
  const { Amount, Low, High } = saving
  if (Amount === null) return null
  const [low, high] = [Low, High].map((end) => (end === null ? undefined : formatSaving(end)))
  return (
    <p className={styles.amount}>
      <strong className={page.figures}>NT$ {formatSaving(Amount)}</strong>
      {low !== undefined && high !== undefined && low !== high && (
        <span className={page.note}>{t('insight:findings.range', { low, high })}</span>
      )}
    </p>
  )
}
