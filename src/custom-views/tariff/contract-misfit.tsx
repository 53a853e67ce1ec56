import { Alert, Checkbox } from 'antd'
import type { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { contractMisfit, leastContract } from '../../../contract/tariffs/taipower-plans.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Mismatch between a plan and its contract; null if there is none, or the same tariff is stored already. */
export function misfitOf(
  { PlanID, Capacities: { regular } }: HomeTariff,
  storedTariffs: readonly HomeTariff[],
): ReturnType<typeof contractMisfit> {
  const isStored = storedTariffs.some(
    (storedTariff) => storedTariff.PlanID === PlanID && storedTariff.Capacities.regular === regular,
  )
  return isStored ? null : contractMisfit(PlanID, regular)
}

interface Props {
  plan: string
  misfit: ReturnType<typeof contractMisfit>
  isConfirmed: boolean
  setIsConfirmed: (confirmed: boolean) => void
}

/** Shows a mismatch: an impossible contract is an error, an unusual one needs confirmation. */
export function ContractMisfit({ plan, misfit, isConfirmed, setIsConfirmed }: Props) {
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
        <Checkbox checked={isConfirmed} onChange={(event) => setIsConfirmed(event.target.checked)}>
          {t('tariff:home.sure')}
        </Checkbox>
      }
    />
  )
}
