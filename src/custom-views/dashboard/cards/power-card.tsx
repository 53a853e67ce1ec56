import { useMemo, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { isWholeDemand } from '../../../../contract/energy/demand.ts'
import { homesByName } from '../../../data/homes.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { wholeOf } from '../../../domain/energy/totals.ts'
import { formatAxis, formatLimitKw, formatPower } from '../../../../contract/kernel/numbers.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { TimeChart } from '../../../ui/chart/time-chart.tsx'
import { PlainSelect, PlainSegmented } from '../../../ui/plain/plain-choice.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { usePhone } from '../../../ui/page/use-screen.ts'
import { ContractBar, ContractUnknown } from '../common/contract-bar.tsx'
import { PartialPower } from '../common/partial-power.tsx'
import { totalPower } from '../common/summarize.ts'
import { useSummaries } from '../common/overview.ts'
import {
  shareOf,
  lastDayOf,
  useDemands,
  usePowerOf,
  usePowerOfAll,
  type Demand,
} from '../common/use-power.ts'
import { QueryCard, CardFrame, Empty } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { NoMeters } from './no-meters.tsx'
import { powerSeries } from './power-series.ts'

const HEIGHT = 216
/** Value of the choice for all homes together; a HomeID is never empty. */
const ALL = ''
/** Maximum number of homes shown as tabs; more are chosen from a list. */
const MAX_TABS = 5

interface Props {
  homes: readonly HomeWithRooms[]
}

/**
 * Power per quarter hour of the last 24 hours, of all homes or of the chosen one; on phones the present power and its share of the
 * contract.
 */
export default function PowerCard({ homes }: Props) {
  const t = useT()
  const phone = usePhone()
  const [params, setParams] = useSearchParams()
  const { demands } = useDemands()
  const requestedHome = params.get('power')
  const home = homes.length === 1 ? homes[0] : homes.find(({ HomeID }) => HomeID === requestedHome)
  const isAll = home === undefined
  const shownHomes = useMemo(() => (home ? [home] : homes), [homes, home])
  const options = [
    { value: ALL, label: t('shell:home.all') },
    ...homesByName(homes).map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName })),
  ]
  const choose = (value: string) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      if (value === ALL) next.delete('power')
      else next.set('power', value)
      return next
    })
  const value = home?.HomeID ?? ALL
  const Choice = homes.length < MAX_TABS && !phone ? PlainSegmented : PlainSelect
  const choice =
    homes.length === 1 ? null : (
      <Choice label={t('cards:power.site')} options={options} value={value} onChange={choose} />
    )
  const [clockHome] = shownHomes
  if (!clockHome) return null
  const seriesInput = {
    home: clockHome,
    isAll,
    shownHomes,
    demand: home && demands.get(home.HomeID),
    choice,
  }
  return phone ? <Bar {...seriesInput} /> : <Curve key={value} {...seriesInput} />
}

interface Shown {
  shownHomes: readonly HomeWithRooms[]
  /** The shown home, or the one whose time zone is used for all. */
  home: HomeWithRooms
  isAll: boolean
  /** Demand of the one home. Undefined for all homes together: each contract is billed separately. */
  demand: Demand | undefined
  choice: ReactNode
}

const curveOf = ({ HomeID }: HomeWithRooms) => `${pathTo('Electricity', { HomeID })}?range=today`

function Bar({ home, isAll, shownHomes, demand, choice }: Shown) {
  const t = useT()
  return (
    <CardFrame
      title={t('dashboard:cards.power')}
      to={isAll ? undefined : curveOf(home)}
      extra={choice}
      busy={false}
    >
      <Now homes={shownHomes} demand={demand} />
      <ContractBar demand={demand} />
    </CardFrame>
  )
}

function Curve({ home, isAll, shownHomes, demand, choice }: Shown) {
  const t = useT()
  const now = useNow()
  const { HomeName, TimeZone: zone } = home
  const ofHome = usePowerOf(home, !isAll)
  const ofAll = usePowerOfAll(home, isAll)
  const query = isAll ? ofAll : ofHome
  const { from, to } = lastDayOf(now)
  const points = useMemo(
    () => (isAll ? (ofAll.data?.Points ?? []) : wholeOf(ofHome.data?.Series)),
    [isAll, ofAll.data, ofHome.data],
  )
  const series = useMemo(
    () =>
      powerSeries(points, {
        ...{ from, to, now, zone },
        limit: demand?.Limit ?? null,
        // A forecast from some of the meters is a lower bound; next to the contract it would look like the expected demand.
        forecast: demand && isWholeDemand(demand) ? demand.Forecast : null,
        words: {
          current: t('cards:power.current'),
          previous: t('cards:power.previous'),
          contract: t('cards:power.contract'),
          forecast: t('cards:power.forecast'),
          peak: t('cards:power.peak'),
          peakAtLeast: t('cards:power.peakAtLeast'),
        },
      }),
    [points, from, to, now, zone, demand, t],
  )
  const axes = useMemo(
    () => [{ unit: 'kW', fromZero: true, format: formatAxis, formatValue: formatPower }] as const,
    [],
  )
  const isKnown = points.some(({ kWh }) => kWh !== null)
  return (
    <CardFrame
      title={t('dashboard:cards.power')}
      to={isAll ? undefined : curveOf(home)}
      extra={choice}
      busy={query.isPending}
    >
      <Now homes={shownHomes} demand={demand} says />
      <QueryCard query={query}>
        {!isKnown && query.data?.Meters.Total === 0 ? (
          <NoMeters homeId={home.HomeID} />
        ) : !isKnown ? (
          <Empty why={t('cards:power.noReadings')} />
        ) : (
          <div className={styles.oneLine}>
            <TimeChart
              label={t('cards:power.label', { site: isAll ? t('shell:home.all') : HomeName })}
              zone={zone}
              from={from}
              to={to}
              resolution="quarter"
              axes={axes}
              series={series}
              now={now}
              height={HEIGHT}
            />
          </div>
        )}
      </QueryCard>
    </CardFrame>
  )
}

/** Present power of the reporting meters, and its share of the contract. */
function Now(props: {
  homes: readonly HomeWithRooms[]
  demand: Demand | undefined
  /** Whether to show the share of the contract; off next to a bar that shows it. */
  says?: boolean
}) {
  const { homes, demand, says = false } = props
  const t = useT()
  const summaries = useSummaries(homes).flatMap((summary) => summary ?? [])
  const { watts, meters } = totalPower(summaries)
  // Sites whose devices are loading or failed to load are not in the sum.
  const missingCount = homes.length - summaries.length
  const share = shareOf(demand)
  return (
    <p className={page.lead}>
      <PartialPower watts={watts} isPartial={meters.count < meters.total || missingCount > 0} />
      {says && share !== undefined && demand?.Limit && (
        <span className={share >= 1 ? `${page.small} ${page.fault}` : page.small}>
          {t(demand?.Forecast === null ? 'cards:power.ofContract' : 'cards:power.forecastOfContract', {
            share: Math.floor(share * 100),
            limit: formatLimitKw(demand.Limit),
          })}
        </span>
      )}
      {meters.count < meters.total && (
        <span className={`${page.small} ${page.warning}`}>
          {t('cards:power.partly', { reporting: meters.count, meters: meters.total })}
        </span>
      )}
      {missingCount > 0 && summaries.length > 0 && (
        <span className={`${page.small} ${page.warning}`}>
          {t('cards:power.sitesLost', { count: summaries.length, total: homes.length })}
        </span>
      )}
      {says && <ContractUnknown demand={demand} />}
    </p>
  )
}
