import { Alert } from 'antd'
import type { PriceReview } from '../../../contract/tariffs/price-review.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'

/** Day on which Taipower's prices were last checked, with a warning once they may have changed since. */
export function PriceAge({ prices }: { prices: PriceReview | undefined }) {
  const t = useT()
  const date = useFormatDate()
  if (!prices) return null
  const checked = t('tariff:prices.checked', { date: date(prices.CheckedOn) })
  if (!prices.MayHaveChanged) return <p className={page.hint}>{checked}</p>
  return (
    <Alert
      type="warning"
      showIcon
      message={t('tariff:prices.mayHaveChanged', { date: date(prices.ReviewOn) })}
      description={checked}
    />
  )
}
