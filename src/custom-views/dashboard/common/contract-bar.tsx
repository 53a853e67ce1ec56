import { isWholeDemand } from '../../../../contract/energy/demand.ts'
import { formatLimitKw } from '../../../../contract/kernel/numbers.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import styles from './dashboard.module.css'
import { demandLevelOf, shareOf, type Demand } from './use-power.ts'
import page from '../../../ui/page/page.module.css'

interface Props {
  demand: Omit<Demand, 'HomeID'> | undefined
  /** Full width, with the complete text below; for a card of its own. */
  isLarge?: boolean
}

/** Forecast share of the contract in the current quarter hour, or why it is unknown; nothing without a contract. */
export function ContractBar({ demand, isLarge = false }: Props) {
  const t = useT()
  const share = shareOf(demand)
  if (share === undefined || !demand?.Limit) return <ContractUnknown demand={demand} />
  const textValues = { share: Math.floor(share * 100), limit: formatLimitKw(demand.Limit) }
  const isForecast = demand.Forecast !== null
  const tileKey = isForecast ? 'dashboard:tile.contractForecast' : 'dashboard:tile.contract'
  const largeKey = isForecast ? 'cards:power.forecastOfContract' : 'cards:power.ofContract'
  return (
    <span
      className={`${page.small} ${styles.contract}`}
      data-level={demandLevelOf(share)}
      data-large={isLarge || undefined}
      title={t('dashboard:tile.contractWhy')}
    >
      <span className={page.bar} aria-hidden="true">
        <span style={{ width: `${Math.min(100, Math.max(0, share * 100))}%` }} />
      </span>
      {t(isLarge ? largeKey : tileKey, textValues)}
    </span>
  )
}

/** States that the share is unknown while some meters do not report, so that it does not look like a home without a contract. */
export function ContractUnknown({ demand }: Pick<Props, 'demand'>) {
  const t = useT()
  if (!demand?.Limit || demand.Meters === 0 || isWholeDemand(demand)) return null
  const { Limit, Reporting, Meters } = demand
  return (
    <span className={`${page.small} ${styles.contract}`}>
      {t('dashboard:tile.contractUnknown', {
        limit: formatLimitKw(Limit),
        reporting: Reporting,
        meters: Meters,
      })}
    </span>
  )
}
