import { Alert } from 'antd'
import type { PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'

type Refusal = NonNullable<PlanBills['Refused']>

/** Reasons that rule out advice on these plans, without duplicates. */
export function refusalsOf(plans: readonly PlanBills[]): Refusal[] {
  const refusalByReason = new Map<Refusal['Reason'], Refusal>()
  for (const { Refused: refused } of plans)
    if (refused && !refusalByReason.has(refused.Reason)) refusalByReason.set(refused.Reason, refused)
  return [...refusalByReason.values()]
}

/** Shown instead of advice: missing data, and the day from which it will suffice. */
export function AdviceUnavailable({ refusals }: { refusals: readonly Refusal[] }) {
  const t = useT()
  const date = useFormatDate()
  if (refusals.length === 0) return null
  return (
    <Alert
      type="info"
      showIcon
      message={t('tariff:compare.refused.title')}
      description={refusals.map(({ Reason, Have, Needed, EnoughOn }) => (
        <div key={Reason}>
          {t(`tariff:compare.refused.${Reason}`, { have: Have, needed: Needed })}{' '}
          {Reason === 'computing' || Reason === 'peakDays'
            ? ''
            : EnoughOn === null
              ? t('tariff:compare.refused.never')
              : t('tariff:compare.refused.enoughOn', { date: date(EnoughOn) })}
        </div>
      ))}
    />
  )
}
