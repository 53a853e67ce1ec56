import { unmeasuredShare } from '../../../contract/energy/coverage.ts'
import { useMonthCoverage } from '../../domain/energy/use-month-coverage.ts'
import { formatLack } from '../../domain/energy/use-figures.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { isPartly } from '../../ui/chart/partly.ts'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './tariff.module.css'

/** Says of the peaks of a month that demand may have been higher where nothing was measured: a mean hides what it was made of. */
export function PeakCoverage({ homeId, month }: { homeId: string; month: string }) {
  const t = useT()
  const now = useNow()
  const { span, coverage } = useMonthCoverage(homeId, month)
  const share = unmeasuredShare(coverage)
  if (!isPartly(share, span, now)) return null
  return (
    <p className={styles.warning}>{t('tariff:demand.mayBeHigher', { month, share: formatLack(share) })}</p>
  )
}
