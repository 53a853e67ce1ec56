import { formatEnergy, formatShare } from '../../../../contract/kernel/numbers.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import { useThemeMode } from '../../../ui/theme/theme-mode.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { MissingDataNote } from '../../../domain/energy/missing-data.tsx'
import { nameMeters } from '../../../domain/energy/use-names.ts'
import { REST_COLOR, seriesColor } from '../../../ui/chart/energy-colors.ts'
import type { ChartView } from '../../../ui/chart/model.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import type { DeviceSnapshot } from '../../../../contract/devices/peripheral.ts'
import { callQuery } from '../../../data/api.ts'
import { devicesQuery } from '../../../data/homes.ts'
import { useMay } from '../../../data/session.ts'
import { QueryCard, CardFrame, Empty, type EnergyCardProps } from './card-frame.tsx'
import pageStyles from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { MonthNotes } from './coverage-notes.tsx'
import { NoMeters } from './no-meters.tsx'
import { sharesOf, silentOf, type Share } from './shares.ts'
import { useMonths, type HomeMonth } from './use-card-energy.ts'

const MAX_SHOWN = 5
const NO_MONTHS: readonly HomeMonth[] = []

interface Rank extends Share {
  home: HomeWithRooms
  span: ChartView
}

/** Devices with the highest energy in homes this month. */
export function RankingCard({ homes, title, extra }: EnergyCardProps) {
  const t = useT()
  const query = useMonths(homes, 'meter')
  const now = useNow()
  const [home] = homes
  const isAll = homes.length > 1
  const months = query.data ?? NO_MONTHS
  const names = useMeterNames(homes, months)
  const ranks = months.flatMap(({ home, span, data }) =>
    sharesOf(data.Series).map((share): Rank => ({ ...share, home, span })),
  )
  const sum = ranks.reduce((all, { kWh }) => all + Math.max(0, kWh), 0)
  const devices = ranks.filter(({ key }) => key !== 'untracked').toSorted((a, b) => b.kWh - a.kWh)
  const silentNames = months.flatMap(({ home, span, data }) =>
    silentOf(data.Series, span, now).map((key) => names.nameOf(home, key)),
  )
  const renderBody = () => {
    if (months.every(({ data }) => data.Meters.Total === 0) && devices.length === 0)
      return <NoMeters homeId={home.HomeID} />
    if (devices.length === 0) return <Empty why={t('cards:noReadings')} />
    return (
      <>
        <ol className={styles.ranking}>
          {devices.slice(0, MAX_SHOWN).map((rank) => (
            <RankRow key={`${rank.home.HomeID} ${rank.key}`} {...{ rank, names, sum, isAll }} />
          ))}
        </ol>
        {silentNames.length > 0 && (
          <p className={`${pageStyles.small} ${pageStyles.warning}`}>
            {t('cards:silent', { names: silentNames.join(t('screens:listComma')) })}
          </p>
        )}
        <MonthNotes months={months} homes={homes} />
      </>
    )
  }
  return (
    <CardFrame
      title={title ?? t('dashboard:cards.ranking')}
      to={isAll ? undefined : `${monthPage(home)}&part=ranking`}
      extra={extra}
      busy={query.isPending}
    >
      <QueryCard query={query}>{renderBody()}</QueryCard>
    </CardFrame>
  )
}

const monthPage = ({ HomeID }: HomeWithRooms) => `${pathTo('Electricity', { HomeID })}?range=month`

interface RankRowProps {
  rank: Rank
  names: ReturnType<typeof useMeterNames>
  /** Energy of all devices, kWh. */
  sum: number
  /** Whether the row names its site. */
  isAll: boolean
}

function RankRow({ rank: { home, key, kWh, coverage, span }, names, sum, isAll }: RankRowProps) {
  const mode = useThemeMode()
  const share = sum > 0 ? Math.max(0, kWh) / sum : 0
  return (
    <li>
      <Link to={`${monthPage(home)}&meters=${encodeURIComponent(key)}`}>
        <span className={pageStyles.column}>
          <span className={pageStyles.ellipsis}>{names.nameOf(home, key)}</span>
          {isAll && <span className={pageStyles.small}>{home.HomeName}</span>}
          <MissingDataNote coverage={coverage} span={span} />
        </span>
        <span className={pageStyles.bar} aria-hidden="true">
          <span style={{ width: `${share * 100}%`, background: names.colorOf(home, key)[mode] }} />
        </span>
        <AmountValue amount={formatEnergy(kWh)} />
        <span className={`${pageStyles.muted} ${pageStyles.figures}`}>{formatShare(share)}</span>
      </Link>
    </li>
  )
}

/** Names and colors of the meters of homes; by id while the devices load. With several homes, all rows have one color. */
function useMeterNames(homes: EnergyCardProps['homes'], months: readonly HomeMonth[]) {
  const t = useT()
  const mayRead = useMay('device', 'Read')
  const [home] = homes
  const isAll = homes.length > 1
  // All meters of a single home determine the colors. A disabled query still returns what another page has loaded.
  const ofFirst = useQuery({
    ...callQuery(meterData.getAllMeterData, { HomeID: home.HomeID }),
    enabled: !isAll,
  }).data
  const all = isAll ? undefined : ofFirst
  const devices = useQueries({
    queries: homes.map(({ HomeID }) => ({ ...devicesQuery(HomeID), enabled: mayRead })),
    combine: dataOf,
  })
  const metersByHome = useMemo(
    () =>
      new Map(
        months.map(({ home: { HomeID }, data }) => {
          const ids = all ?? data.Series.map(({ Key }) => ({ PeripheralUID: Key }))
          const at = homes.findIndex((candidate) => candidate.HomeID === HomeID)
          return [HomeID, nameMeters(t, devices[at], ids)]
        }),
      ),
    [t, homes, months, all, devices],
  )
  const meterOf = ({ HomeID }: HomeWithRooms, key: string) => metersByHome.get(HomeID)?.get(key)
  return {
    nameOf: (of: HomeWithRooms, key: string) =>
      key === 'untracked'
        ? t('energy:untracked')
        : (meterOf(of, key)?.name ?? t('energy:meterGone', { id: key })),
    colorOf: (of: HomeWithRooms, key: string) =>
      isAll ? seriesColor(0) : (meterOf(of, key)?.color ?? REST_COLOR),
  }
}

const dataOf = (queries: readonly { data: DeviceSnapshot | undefined }[]) => queries.map(({ data }) => data)
