import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useMemo, useState, type FC } from 'react'
import { Link } from 'react-router'
import type { HistoryDevice } from '../../../contract/devices/history-calls.ts'
import { readPath } from '../../../contract/devices/kinds/history-fields.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { LoadFailed } from '../../ui/page/states.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { seriesColor } from '../../ui/chart/energy-colors.ts'
import { Legend } from '../../ui/chart/legend.tsx'
import { HistoryChart } from './history-chart.tsx'
import { historyLinesOf, timeSeriesOf } from './history-model.ts'
import page from '../../ui/page/page.module.css'
import styles from './history.module.css'
import { arrange, devicePicks, type DevicePicks, formatPick, parsePick, samePick } from './picks.ts'
import { useQuantityWords } from './quantity-words.ts'
import { quantitiesQuery, useHistory } from './use-history.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const POINTS = 300
/** Number of quantities in the legend: as many as fit in two rows; on phones the names of zones are too long for more than one zone. */
const MAX_LINES = 4
const MAX_ZONE_LINES_ON_PHONE = 2
const HEIGHT = 180
const NONE: DevicePicks = { offered: [], main: [] }

/** Last 24 hours of a device within its panel, with a link to its full history; renders nothing if nothing is stored. */
const DeviceHistory: FC<{ device: Peripheral }> = ({ device: { HomeID, PeripheralUID } }) => {
  const t = useT()
  const words = useQuantityWords()
  const now = useNow()
  const phone = usePhone()
  const zone = useTimeZone(HomeID)
  const [to] = useState(() => Math.ceil(now / MINUTE) * MINUTE)
  const quantities = useQuery(quantitiesQuery(HomeID, PeripheralUID))
  const [device] = quantities.data ?? []
  const { offered: picks, main } = useMemo(
    () => (device ? devicePicks(device, maxLines(device, phone)) : NONE),
    [device, phone],
  )
  /** Fields of the shown lines, the last chosen first; a third unit takes the place of the one chosen earlier. */
  const [chosenFields, setChosenFields] = useState<readonly string[]>()
  const shownFields = chosenFields ?? main
  const query = useHistory({ HomeID, picks, from: to - DAY, to, points: POINTS, running: false })
  const lines = useMemo(
    () =>
      device && query.data
        ? historyLinesOf(
            picks.flatMap((pick) => arrange([pick], [device]).chosen),
            query.data,
            ({ quantity }) => words.quantityName(device, quantity),
          ).map((line, i) => ({ ...line, color: seriesColor(i) }))
        : [],
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- words change only with the language, which re-renders the panel
    [device, picks, query.data],
  )
  const legend = useMemo(() => timeSeriesOf(lines), [lines])
  const shown = useMemo(() => {
    const order = shownFields.map((Field) => ({ PeripheralUID, Field }))
    const fitting = device ? arrange(order, [device]).chosen : []
    return lines.filter(
      ({ pick, quantity }) =>
        quantity.Kind === 'state' || fitting.some((chosen) => samePick(chosen.pick, pick)),
    )
  }, [lines, shownFields, device, PeripheralUID])
  const hidden = new Set(
    legend.map(({ key }) => key).filter((key) => !shown.some(({ pick }) => formatPick(pick) === key)),
  )
  const toggle = (key: string) => {
    const fields = shownFields.filter((shownField) => shown.some(({ pick }) => pick.Field === shownField))
    const field = parsePick(key)?.Field
    if (field === undefined) return
    setChosenFields(fields.includes(field) ? fields.filter((one) => one !== field) : [field, ...fields])
  }
  if (quantities.data && !device) return null
  const error = quantities.error ?? query.error
  // What the chart shows: a chart has two units at most.
  const address = new URLSearchParams(shown.map(({ pick }) => ['q', formatPick(pick)]))
  return (
    <section className={page.section}>
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
          lines={shown}
          legend={
            <div className={styles.legend}>
              <Legend series={legend} hidden={hidden} toggle={toggle} />
            </div>
          }
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

const maxLines = ({ Quantities }: HistoryDevice, isPhone: boolean): number =>
  isPhone && Quantities.some(({ Field }) => readPath(Field).zone !== undefined)
    ? MAX_ZONE_LINES_ON_PHONE
    : MAX_LINES

export default DeviceHistory
