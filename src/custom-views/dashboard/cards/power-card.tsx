import { useMemo, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { isWholeDemand } from '../../../../contract/energy/demand.ts'
import { homesByName } from '../../../data/homes.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { wholeOf } from '../../../domain/energy/totals.ts'
import { formatPower } from '../../../lib/format-power.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { formatAxis } from '../../../ui/chart/format-axis.ts'
import { TimeChart } from '../../../ui/chart/time-chart.tsx'
import { PlainSelect, PlainSegmented } from '../../../ui/plain/plain-choice.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { usePhone } from '../../../ui/page/use-phone.ts'
import { ContractBar, ContractUnknown } from '../contract-bar.tsx'
import { PartialPower } from '../partial-power.tsx'
import { totalPower } from '../summarize.ts'
import type { HomeOverview } from '../use-overview.ts'
import { shareOf, twoDaysOf, useDemands, usePowerOf, usePowerOfAll, type Demand } from '../use-power.ts'
import { QueryCard, CardFrame, Empty } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { NoMeters } from './no-meters.tsx'
import { powerSeries } from './power-series.ts'
import { Bone } from '../../../ui/plain/skeleton.tsx'

const HEIGHT = 216
/** In the address, all homes together. */
const ALL = 'all'
/** More than so many are chosen from a list. */
const MOST_TABS = 5

interface Props {
  homes: readonly HomeWithRooms[]
  overview: readonly HomeOverview[]
}

/**
 * Today's power by the quarter of an hour, of the home that is nearest to its contract or of the one that was chosen; on a phone
 * what is drawn now and how much of the contract that is.
 */
export default function PowerCard({ homes, overview }: Props) {
  const t = useT()
  const phone = usePhone()
  const [params, setParams] = useSearchParams()
  const { demands, pending } = useDemands()
  const first = useFirstHome(homes, demands, pending)
  const asked = params.get('power')
  const isAll = homes.length > 1 && asked === ALL
  const home = homes.find(({ HomeID }) => HomeID === asked) ?? first
  const shown = isAll ? homes : home ? [home] : []
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
  const Choice = homes.length < MOST_TABS && !phone ? PlainSegmented : PlainSelect
  const choice =
    homes.length === 1 ? null : (
      <Choice label={t('cards:power.site')} options={options} value={value} onChange={choose} />
    )
  // Which home is shown must not change while somebody begins to look.
  if (pending && asked === null && homes.length > 1)
    return (
      <CardFrame title={t('dashboard:cards.power')} busy>
        <Bone />
      </CardFrame>
    )
  const [clockHome] = shown
  if (!clockHome) return null
  const given = {
    home: clockHome,
    isAll,
    overview: overview.filter((one) => shown.includes(one.home)),
    demand: isAll || !home ? undefined : demands.get(home.HomeID),
    choice,
  }
  return phone ? <Bar {...given} /> : <Curve key={value} {...given} />
}

/**
 * The home that was nearest to its contract when the demands arrived. Chosen once: the card must not move on to another home while
 * demands change.
 */
function useFirstHome(
  homes: readonly HomeWithRooms[],
  demands: ReadonlyMap<string, Demand>,
  pending: boolean,
): HomeWithRooms | undefined {
  const [chosen, setChosen] = useState<string>()
  const kept = homes.find(({ HomeID }) => HomeID === chosen)
  if (kept || pending) return kept ?? homes[0]
  const share = ({ HomeID }: HomeWithRooms) => shareOf(demands.get(HomeID)) ?? -1
  const [nearest] = homesByName(homes).toSorted((a, b) => share(b) - share(a))
  if (nearest) setChosen(nearest.HomeID)
  return nearest
}

interface Shown extends Pick<Props, 'overview'> {
  /** The one that is shown, or whose clock all are shown by. */
  home: HomeWithRooms
  isAll: boolean
  /** Of the one home; each home's contract is fined by itself, so that all together have none. */
  demand: Demand | undefined
  choice: ReactNode
}

/** Where a card's title leads: to today's curve of a home. */
const curveOf = ({ HomeID }: HomeWithRooms) => `${pathTo('Electricity', { HomeID })}?range=today`

function Bar({ home, isAll, overview, demand, choice }: Shown) {
  const t = useT()
  return (
    <CardFrame
      title={t('dashboard:cards.power')}
      to={isAll ? undefined : curveOf(home)}
      extra={choice}
      busy={false}
    >
      <Now overview={overview} demand={demand} />
      <ContractBar demand={demand} />
    </CardFrame>
  )
}

function Curve({ home, isAll, overview, demand, choice }: Shown) {
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
        // Drawn beside the contract, a lower bound would look like what is expected.
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
      <Now overview={overview} demand={demand} says />
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

/** What is drawn now by the meters that report, and how much of the contract that is. */
function Now(props: {
  overview: readonly HomeOverview[]
  demand: Demand | undefined
  /** Whether it says how much of the contract that is; a bar beside it does else. */
  says?: boolean
}) {
  const { overview, demand, says = false } = props
  const t = useT()
  const known = overview.flatMap(({ summary }) => summary ?? [])
  const { watts, meters } = totalPower(known)
  // Until its devices have loaded, or if they could not be, a site is in no sum.
  const lost = overview.length - known.length
  const share = shareOf(demand)
  return (
    <p className={styles.lead}>
      <PartialPower watts={watts} isPartial={meters.count < meters.total || lost > 0} />
      {says && share !== undefined && demand?.Limit && (
        <span className={share >= 1 ? styles.over : page.small}>
          {t('cards:power.ofContract', { share: Math.floor(share * 100), limit: formatPower(demand.Limit) })}
        </span>
      )}
      {meters.count < meters.total && (
        <span className={styles.warning}>
          {t('cards:power.partly', { reporting: meters.count, meters: meters.total })}
        </span>
      )}
      {lost > 0 && known.length > 0 && (
        <span className={styles.warning}>
          {t('cards:power.sitesLost', { count: known.length, total: overview.length })}
        </span>
      )}
      {says && <ContractUnknown demand={demand} />}
    </p>
  )
}
