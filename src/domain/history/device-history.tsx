import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useMemo, useState, type FC } from 'react'
import { Link } from 'react-router'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { LoadFailed } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { HistoryChart } from './history-chart.tsx'
import { historyLinesOf } from './history-model.ts'
import page from '../../ui/page/page.module.css'
import styles from './history.module.css'
import { arrange, firstPicks, formatPick } from './picks.ts'
import { useQuantityWords } from './quantity-words.ts'
import { quantitiesQuery, useHistory } from './use-history.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const POINTS = 300
const MAX_SHOWN = 4
const HEIGHT = 180

/** Last 24 hours of a device within its panel, with a link to its full history; renders nothing if nothing is stored. */
const DeviceHistory: FC<{ device: Peripheral }> = ({ device: { HomeID, PeripheralUID } }) => {
  const t = useT()
  const words = useQuantityWords()
  const now = useNow()
  const zone = useTimeZone(HomeID)
  const [to] = useState(() => Math.ceil(now / MINUTE) * MINUTE)
  const quantities = useQuery(quantitiesQuery(HomeID, PeripheralUID))
  const [device] = quantities.data ?? []
  const picks = useMemo(() => (device ? firstPicks(device, MAX_SHOWN) : []), [device])
  const query = useHistory({ HomeID, picks, from: to - DAY, to, points: POINTS, running: false })
  const lines = useMemo(
    () =>
      device && query.data
        ? historyLinesOf(arrange(picks, [device]).chosen, query.data, ({ quantity }) =>
            words.quantityName(device, quantity),
          )
        : [],
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- words change only with the language, which re-renders the panel
    [device, picks, query.data],
  )
  if (quantities.data && !device) return null
  const error = quantities.error ?? query.error
  const address = new URLSearchParams(picks.map((pick) => ['q', formatPick(pick)]))
  return (
    <section className={styles.section}>
      <h2>{t('history:day')}</h2>
      {error ? (
        <LoadFailed error={error} retry={() => void (quantities.error ? quantities : query).refetch()} />
      ) : !query.data || zone === undefined ? (
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      ) : lines.every(({ series }) => series.Timestamps.length === 0) ? (
        <p className={page.small}>{t('history:noneInRange')}</p>
      ) : (
        <HistoryChart
          label={t('history:day')}
          lines={lines}
          zone={zone}
          from={to - DAY}
          to={to}
          now={now}
          height={HEIGHT}
        />
      )}
      <Link to={`${pathTo('historyData', { HomeID })}?${address}`}>{t('history:open')}</Link>
    </section>
  )
}
export default DeviceHistory
