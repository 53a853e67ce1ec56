import { DEMAND_NEAR } from '../../../contract/rules/device/alarm-kinds.ts'
import { formatPower } from '../../lib/format-power.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from './dashboard.module.css'
import { shareOf, type Demand } from './use-power.ts'

interface Props {
  demand: Pick<Demand, 'Forecast' | 'Rolling' | 'Limit'> | undefined
  /** On a card of its own: the bar as wide as that, its words below in full. */
  isLarge?: boolean
}

/** How much of the contract the running quarter of an hour will come to; nothing where nothing is agreed. */
export function ContractBar({ demand, isLarge = false }: Props) {
  const t = useT()
  const share = shareOf(demand)
  if (share === undefined || !demand?.Limit) return null
  const level = share >= 1 ? 'critical' : share >= DEMAND_NEAR ? 'warning' : undefined
  const words = { share: Math.floor(share * 100), limit: formatPower(demand.Limit) }
  return (
    <span className={styles.contract} data-level={level} data-large={isLarge || undefined}>
      <span className={styles.bar} aria-hidden="true">
        <span style={{ width: `${Math.min(100, Math.max(0, share * 100))}%` }} />
      </span>
      {isLarge ? t('cards:power.ofContract', words) : t('dashboard:tile.contract', words)}
    </span>
  )
}
