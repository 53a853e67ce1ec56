import { CloseOutlined, DownloadOutlined, PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Card, Spin } from 'antd'
import { useCallback, useMemo, useState, type FC } from 'react'
import { useParams } from 'react-router'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import type { HistoryDevice, HistoryPick } from '../../../contract/devices/history-calls.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { safeFileName } from '../../lib/export/file-names.ts'
import { saveFile } from '../../lib/save-file.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { Page } from '../../ui/page/page.tsx'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useMay } from '../../data/session.ts'
import type { ChartZoom } from '../../ui/chart/time-chart.tsx'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { PeriodPicker } from '../../ui/inputs/period-picker/period-picker.tsx'
import { LAST_24H } from '../../ui/inputs/period-picker/period.ts'
import { usePeriod } from '../../ui/inputs/period-picker/use-period.ts'
import { useAddressParams, type AddressChange } from '../../ui/page/use-address.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { ChooseQuantities } from './choose-quantities.tsx'
import { HistoryChart } from '../../domain/history/history-chart.tsx'
import { historyCsv } from './history-csv.ts'
import { historyLinesOf } from '../../domain/history/history-model.ts'
import page from '../../ui/page/page.module.css'
import styles from '../../domain/history/history.module.css'
import { arrange, formatPick, parsePicks, samePick, type ChosenQuantity } from '../../domain/history/picks.ts'
import { useQuantityWords } from '../../domain/history/quantity-words.ts'
import { useFirstQuantities } from './use-first-quantities.ts'
import { StateChanges } from './state-changes.tsx'
import { quantitiesQuery, useHistory } from '../../domain/history/use-history.ts'

/** Maximum number of points that a screen can resolve. */
const POINTS = { wide: 1_500, phone: 500 }

/** History of any stored quantity of a home (§2 /history): one or more devices over a period, including states. */
export default function HistoryPage() {
  const t = useT()
  const { HomeID = '' } = useParams()
  const home = useHomes()?.find((candidate) => candidate.HomeID === HomeID)
  const query = useQuery(quantitiesQuery(HomeID))
  return (
    <Page title={t('shell:pages.historyData')} key={HomeID}>
      {query.data && home ? (
        query.data.length === 0 ? (
          <Card>
            <EmptyState
              drawing="meter"
              message={t('history:none')}
              next={<ButtonLink to={pathTo('DeviceList', { HomeID })}>{t('screens:devices.all')}</ButtonLink>}
            />
          </Card>
        ) : (
          <History home={home} devices={query.data} />
        )
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Card>
          <ListSkeleton rows={8} />
        </Card>
      )}
    </Page>
  )
}

const History: FC<{ home: HomeWithRooms; devices: readonly HistoryDevice[] }> = ({ home, devices }) => {
  const t = useT()
  const words = useQuantityWords()
  const phone = usePhone()
  const now = useNow()
  const zone = home.TimeZone
  const { value, onChange, period, zoom } = usePeriod(zone, now, LAST_24H)
  const { params, change } = useAddressParams()
  const [choosing, setChoosing] = useState(false)
  const picks = parsePicks(params.getAll('q'))
  const { chosen, missing, crowded } = arrange(picks, devices)
  const setPicks = useCallback(
    (next: readonly HistoryPick[], as?: AddressChange) =>
      change((all) => {
        all.delete('q')
        for (const pick of next) all.append('q', formatPick(pick))
      }, as),
    [change],
  )
  const startWith = useCallback((next: readonly HistoryPick[]) => setPicks(next, 'typing'), [setPicks])
  const isBeginning = useFirstQuantities(home.HomeID, devices, params.has('q'), startWith)
  const labelOf = ({ device, quantity }: ChosenQuantity) =>
    t('history:label', { device: words.deviceName(device), quantity: words.quantityName(device, quantity) })

  return (
    <>
      <Card>
        <div className={`${page.spread} ${styles.bar}`}>
          <PeriodPicker value={value} onChange={onChange} zone={zone} withHours />
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setChoosing(true)}>
            {t('history:choose')}
          </Button>
        </div>
        {chosen.length > 0 && (
          <ul className={`${page.tightRow} ${styles.chips}`} aria-label={t('history:chosen')}>
            {chosen.map((choice) => (
              <li key={formatPick(choice.pick)}>
                {labelOf(choice)}
                {choice.device.PeripheralName === null && (
                  <span className={page.small}>{t('history:removed')}</span>
                )}
                <Button
                  type="text"
                  size="small"
                  icon={<CloseOutlined />}
                  aria-label={t('history:remove', { name: labelOf(choice) })}
                  onClick={() => setPicks(picks.filter((pick) => !samePick(pick, choice.pick)))}
                />
              </li>
            ))}
          </ul>
        )}
        {(missing.length > 0 || crowded.length > 0) && (
          <Alert
            className={page.above16 ?? ''}
            type="warning"
            showIcon
            message={
              missing.length > 0
                ? t('history:missing', { count: missing.length })
                : t('history:crowded', { names: crowded.map(labelOf).join(t('screens:listComma')) })
            }
            action={
              <Button size="small" onClick={() => setPicks(chosen.map(({ pick }) => pick))}>
                {t('history:drop')}
              </Button>
            }
          />
        )}
      </Card>
      <Card>
        {isBeginning ? (
          <ListSkeleton rows={8} />
        ) : chosen.length === 0 ? (
          <EmptyState
            message={t('history:chooseFirst')}
            next={<Button onClick={() => setChoosing(true)}>{t('history:choose')}</Button>}
          />
        ) : (
          <Shown
            key={`${period.from} ${period.to}`}
            homeId={home.HomeID}
            selectedQuantities={chosen}
            labelOf={labelOf}
            zone={zone}
            from={period.from}
            to={period.to}
            now={now}
            zoom={zoom}
            points={phone ? POINTS.phone : POINTS.wide}
            showDay={(day) => onChange({ ...value, range: day })}
          />
        )}
      </Card>
      <ChooseQuantities
        open={choosing}
        close={() => setChoosing(false)}
        devices={devices}
        rooms={home.RoomList}
        picks={picks}
        onChange={setPicks}
      />
    </>
  )
}

interface ShownProps {
  homeId: string
  selectedQuantities: readonly ChosenQuantity[]
  labelOf: (quantity: ChosenQuantity) => string
  zone: string
  from: number
  to: number
  now: number
  zoom: ChartZoom
  points: number
  /** Opens a day, `2025-10-01`. */
  showDay: (day: string) => void
}

/** Chart of the chosen quantities; zooming fetches the visible part in finer resolution. */
const Shown: FC<ShownProps> = (props) => {
  const { homeId, selectedQuantities, labelOf, zone, from, to, now, zoom, points, showDay } = props
  const t = useT()
  const date = useFormatDate()
  const words = useQuantityWords()
  const mayExport = useMay('history_download', 'Export')
  const view = zoom.view ?? { from, to }
  const picks = selectedQuantities.map(({ pick }) => pick)
  const query = useHistory({
    HomeID: homeId,
    picks,
    from: view.from,
    to: view.to,
    points,
    running: view.from <= now && now < view.to,
  })
  const labels = JSON.stringify(selectedQuantities.map(labelOf))
  const lines = useMemo(
    () => historyLinesOf(selectedQuantities, query.data ?? [], labelOf),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the labels identify the choice
    [query.data, labels],
  )
  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : query.fetchStatus === 'paused' ? (
      <EmptyState message={t('charts:offline')} />
    ) : (
      <ListSkeleton rows={8} />
    )
  if (!query.isPlaceholderData && !zoom.view && lines.every(({ series }) => series.Timestamps.length === 0)) {
    const last = Math.max(...selectedQuantities.map(({ quantity }) => quantity.Last ?? 0))
    const day = formatDay(dayOf(last, zone))
    return (
      <EmptyState
        message={t('history:noneInRange')}
        next={
          last > 0 && (
            <Button onClick={() => showDay(day)}>{t('history:showLast', { day: date(day) })}</Button>
          )
        }
      />
    )
  }
  const save = () => {
    const headings = {
      time: t('history:csv.time'),
      iso: t('history:csv.iso'),
      device: t('history:csv.device'),
      id: t('devices:columns.id'),
      quantity: t('history:csv.quantity'),
      value: t('history:csv.value'),
      unit: t('history:csv.unit'),
      span: t('history:csv.span'),
      minHeading: t('history:csv.least'),
      maxHeading: t('history:csv.most'),
      state: t('history:csv.state'),
    }
    const devices = new Set(selectedQuantities.map(({ device }) => words.deviceName(device)))
    const [device] = devices
    const name = devices.size === 1 && device !== undefined ? device : t('shell:pages.historyData')
    const text = historyCsv(lines, view, { zone, headings, words })
    const range = `${formatDay(dayOf(view.from, zone))} ${formatDay(dayOf(view.to - 1, zone))}`
    saveFile(`${safeFileName(`${name} ${range}`)}.csv`, text, 'text/csv;charset=utf-8')
  }
  return (
    <>
      {query.error && (
        <Alert
          className={page.above16 ?? ''}
          type="warning"
          showIcon
          message={t('screens:loadFailed')}
          action={
            <Button size="small" onClick={() => void query.refetch()}>
              {t('screens:retry')}
            </Button>
          }
        />
      )}
      <Spin spinning={query.isPlaceholderData} delay={300}>
        <HistoryChart
          label={t('shell:pages.historyData')}
          lines={lines}
          zone={zone}
          from={from}
          to={to}
          now={now}
          zoom={zoom}
          tools={
            mayExport && (
              <Button icon={<DownloadOutlined />} onClick={save}>
                CSV
              </Button>
            )
          }
        />
        <StateChanges lines={lines} view={view} zone={zone} />
      </Spin>
    </>
  )
}
