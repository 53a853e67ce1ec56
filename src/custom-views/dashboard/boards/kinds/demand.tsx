import type { ResultsOf } from '../../../../../contract/kernel/define-endpoint.ts'
import { bills } from '../../../../../contract/tariffs/bill-calls.ts'
import { isWholeDemand } from '../../../../../contract/energy/demand.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { usePeaksAtLeast } from '../../../../domain/energy/use-month-coverage.ts'
import { formatPower } from '../../../../../contract/kernel/numbers.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import page from '../../../../ui/page/page.module.css'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import { ContractBar } from '../../common/contract-bar.tsx'
import { PartialPower } from '../../common/partial-power.tsx'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'
import { useQuery } from '@tanstack/react-query'
import { callQuery } from '../../../../data/api.ts'

/** Same interval as the electricity page. */
const REFETCH_INTERVAL_MS = 60_000

const useDemandQuery = (HomeID: string) =>
  useQuery({ ...callQuery(bills.getDemand, { HomeID }), refetchInterval: REFETCH_INTERVAL_MS })

export default function DemandCard({ card: { HomeID }, title, homes }: CardProps<'demand'>) {
  const t = useT()
  const query = useDemandQuery(HomeID)
  return (
    <CardFrame
      title={title ?? t('boards:kinds.demand.name')}
      to={`${pathTo('Electricity', { HomeID })}?range=today`}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={query.isPending}
    >
      <QueryCard query={query}>{query.data && <Gauge homeId={HomeID} demand={query.data} />}</QueryCard>
    </CardFrame>
  )
}

function Gauge({ homeId, demand }: { homeId: string; demand: ResultsOf<typeof bills.getDemand> }) {
  const t = useT()
  const { Forecast, Rolling, Limit, Reporting, Meters, Month, Peaks } = demand
  const drawnDemand = Forecast ?? Rolling
  const [peak] = Peaks
  if (Meters === 0) return <Empty why={t('boards:demand.noMeters')} />
  return (
    <>
      <p className={page.lead}>
        <PartialPower
          watts={drawnDemand === null ? null : drawnDemand * 1000}
          isPartial={!isWholeDemand(demand)}
        />
        <span className={page.small}>
          {t(Forecast === null ? 'boards:demand.now' : 'boards:demand.expected')}
        </span>
      </p>
      <ContractBar demand={demand} isLarge />
      {Limit === null && <p className={page.small}>{t('boards:demand.noContract')}</p>}
      {peak && <Peak homeId={homeId} month={Month} kW={peak.kW} />}
      {Reporting < Meters && (
        <p className={`${page.small} ${page.warning}`}>
          {t('cards:power.partly', { reporting: Reporting, meters: Meters })}
        </p>
      )}
    </>
  )
}

/** Highest finished quarter hour of the month; "at least" if too little of the month was measured. */
function Peak({ homeId, month, kW }: { homeId: string; month: string; kW: number }) {
  const t = useT()
  const atLeast = usePeaksAtLeast(homeId, month)
  return (
    <p className={page.small}>
      {t(atLeast ? 'boards:demand.peakAtLeast' : 'boards:demand.peak', { kw: formatPower(kW) })}
    </p>
  )
}
