import { Alert, Checkbox } from 'antd'
import type { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { contractMisfit, leastContract } from '../../../contract/tariffs/taipower-plans.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** What does not fit between a plan and its contract; null where it does, or where it is stored so already. */
export function misfitOf(
  { PlanID, Capacities: { regular } }: HomeTariff,
  stored: readonly HomeTariff[],
): ReturnType<typeof contractMisfit> {
  const isStored = stored.some((one) => one.PlanID === PlanID && one.Capacities.regular === regular)
  return isStored ? null : contractMisfit(PlanID, regular)
}

interface Props {
  plan: string
  misfit: ReturnType<typeof contractMisfit>
  sure: boolean
  setSure: (sure: boolean) => void
}

/** Says so: what nobody can have is refused, what few have asks whether one is sure. */
export function ContractMisfit({ plan, misfit, sure, setSure }: Props) {
  const t = useT()
  if (misfit === null) return null
  if (misfit === 'belowHighVoltage')
    return (
      <Alert type="error" showIcon message={t('tariff:home.leastContract', { kw: leastContract(plan) })} />
    )
  return (
    <Alert
      type="warning"
      showIcon
      message={t('tariff:home.beyondLowVoltage')}
      description={
        <Checkbox checked={sure} onChange={(event) => setSure(event.target.checked)}>
          {t('tariff:home.sure')}
        </Checkbox>
      }
    />
  )
}
