import { useMemo, useState, type ReactNode } from 'react'
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
  twoDaysOf,
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
import { Bone } from '../../../ui/page/skeleton.tsx'

const HEIGHT = 216
/** Value in the address for all homes together. */
const ALL = 'all'
/** Maximum number of homes shown as tabs; more are chosen from a list. */
const MAX_TABS = 5

interface Props {
  homes: readonly HomeWithRooms[]
}

/**
 * Today's power per quarter hour of the chosen home, by default the one nearest to its contract; on phones the present power and its share
 * of the contract.
 */
export default function PowerCard({ homes }: Props) {
  const t = useT()
  const phone = usePhone()
  const [params, setParams] = useSearchParams()
  const { demands, pending } = useDemands()
  const first = useFirstHome(homes, demands, pending)
  const requestedHome = params.get('power')
  const isAll = homes.length > 1 && requestedHome === ALL
  const home = homes.find(({ HomeID }) => HomeID === requestedHome) ?? first
  const shownHomes = useMemo(() => (isAll ? homes : home ? [home] : []), [isAll, homes, home])
  const options = [
    ...homesByName(homes).map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName })),
    { value: ALL, label: t('cards:power.all') },
  ]
  const choose = (value: string) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      next.set('power', value)
      return next
    })
  const value = isAll ? ALL : (home?.HomeID ?? ALL)
  const Choice = homes.length < MAX_TABS && !phone ? PlainSegmented : PlainSelect
  const choice =
    homes.length === 1 ? null : (
      <Choice label={t('cards:power.site')} options={options} value={value} onChange={choose} />
    )
  // The shown home must not change after the user has begun to read.
  if (pending && requestedHome === null && homes.length > 1)
    return (
      <CardFrame title={t('dashboard:cards.power')} busy>
        <Bone />
      </CardFrame>
    )
  const [clockHome] = shownHomes
  if (!clockHome) return null
  const seriesInput = {
    home: clockHome,
    isAll,
    shownHomes,
    demand: isAll || !home ? undefined : demands.get(home.HomeID),
    choice,
  }
  return phone ? <Bar {...seriesInput} /> : <Curve key={value} {...seriesInput} />
}

/**
 * The home that was nearest to its contract when the demands first arrived. Chosen once, so that the card does not switch homes as demands
 * change.
 */
function useFirstHome(
  homes: readonly HomeWithRooms[],
  demands: ReadonlyMap<string, Demand>,
  pending: boolean,
): HomeWithRooms | undefined {
  const [selectedId, setSelectedId] = useState<string>()
  const selectedHome = homes.find(({ HomeID }) => HomeID === selectedId)
  if (selectedHome || pending) return selectedHome ?? homes[0]
  const share = ({ HomeID }: HomeWithRooms) => shareOf(demands.get(HomeID)) ?? -1
  const [nearest] = homesByName(homes).toSorted((a, b) => share(b) - share(a))
  if (nearest) setSelectedId(nearest.HomeID)
  return nearest
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
  const { from, today, to } = twoDaysOf(now, zone)
  const points = useMemo(
    () => (isAll ? (ofAll.data?.Points ?? []) : wholeOf(ofHome.data?.Series)),
    [isAll, ofAll.data, ofHome.data],
  )
  const series = useMemo(
    () =>
      powerSeries(points, {
        ...{ from, today, to, now, zone },
        limit: demand?.Limit ?? null,
        // A forecast from some of the meters is a lower bound; next to the contract it would look like the expected demand.
        forecast: demand && isWholeDemand(demand) ? demand.Forecast : null,
        words: {
          today: t('cards:power.today'),
          yesterday: t('cards:power.yesterday'),
          contract: t('cards:power.contract'),
          forecast: t('cards:power.forecast'),
          peak: t('cards:power.peak'),
          peakAtLeast: t('cards:power.peakAtLeast'),
        },
      }),
    [points, from, today, to, now, zone, demand, t],
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
              label={t('cards:power.label', { site: isAll ? t('cards:power.all') : HomeName })}
              zone={zone}
              from={today}
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
    <p className={styles.lead}>
      <PartialPower watts={watts} isPartial={meters.count < meters.total || missingCount > 0} />
      {says && share !== undefined && demand?.Limit && (
        <span className={share >= 1 ? styles.over : page.small}>
          {t('cards:power.ofContract', {
            share: Math.floor(share * 100),
            limit: formatLimitKw(demand.Limit),
          })}
        </span>
      )}
      {meters.count < meters.total && (
        <span className={styles.warning}>
          {t('cards:power.partly', { reporting: meters.count, meters: meters.total })}
        </span>
      )}
      {missingCount > 0 && summaries.length > 0 && (
        <span className={styles.warning}>
          {t('cards:power.sitesLost', { count: summaries.length, total: homes.length })}
        </span>
      )}
      {says && <ContractUnknown demand={demand} />}
    </p>
  )
}
