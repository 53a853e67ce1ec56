import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChartSpan } from '../../../../../contract/dashboards/cards.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { HistoryChart } from '../../../../domain/history/history-chart.tsx'
import { historyLinesOf } from '../../../../domain/history/history-model.ts'
import { arrange, formatPick } from '../../../../domain/history/picks.ts'
import { useQuantityWords } from '../../../../domain/history/quantity-words.ts'
import { quantitiesQuery, useHistory } from '../../../../domain/history/use-history.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { useNow } from '../../../../ui/page/use-now.ts'
import { QueryCard, CardFrame, Empty } from '../../cards/card-frame.tsx'
import page from '../../../../ui/page/page.module.css'
import { heightOf, type CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

const DAY = 86_400_000
const SPANS: Readonly<Record<ChartSpan, number>> = { day: DAY, week: 7 * DAY, month: 30 * DAY }
/** Interval at which the time span moves on. */
const REFETCH_INTERVAL_MS = 5 * 60_000
const POINTS = 300
/** Height of the card outside of the chart, px. */
const AROUND = 132

/** Stored quantities of one site over the last day, week or month. */
export default function ChartCard({ card, title, homes }: CardProps<'chart'>) {
  const t = useT()
  const words = useQuantityWords()
  const now = useNow()
  const { HomeID, Quantities, Span } = card
  const home = homes.find((candidate) => candidate.HomeID === HomeID)
  const to = Math.ceil(now / REFETCH_INTERVAL_MS) * REFETCH_INTERVAL_MS
  const from = to - SPANS[Span]
  const stored = useQuery(quantitiesQuery(HomeID))
  const { chosen, missing, crowded } = useMemo(
    () => arrange(Quantities, stored.data ?? []),
    [Quantities, stored.data],
  )
  const picks = useMemo(() => chosen.map(({ pick }) => pick), [chosen])
  const query = useHistory({ HomeID, picks, from, to, points: POINTS, running: false })
  const lines = useMemo(
    () =>
      query.data
        ? historyLinesOf(chosen, query.data, ({ device, quantity }) =>
            t('boards:ofDevice', {
              device: device.PeripheralName ?? device.PeripheralUID,
              quantity: words.quantityName(device, quantity),
            }),
          )
        : [],
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- words change only with the language, which draws the card again
    [chosen, query.data, t],
  )
  const address = new URLSearchParams(Quantities.map((pick) => ['q', formatPick(pick)]))
  const isGone = stored.data !== undefined && chosen.length === 0
  return (
    <CardFrame
      title={title ?? t(`boards:chart.${Span}`)}
      to={`${pathTo('historyData', { HomeID })}?${address}`}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={stored.isPending}
    >
      <QueryCard query={stored.data && !isGone ? query : { ...stored, isPlaceholderData: false }}>
        {isGone ? (
          <Empty why={t('boards:chart.gone')} />
        ) : lines.every(({ series }) => series.Timestamps.length === 0) ? (
          <Empty why={t('boards:chart.nothing')} />
        ) : (
          home && (
            <HistoryChart
              label={title ?? t(`boards:chart.${Span}`)}
              lines={lines}
              zone={home.TimeZone}
              from={from}
              to={to}
              now={now}
              height={Math.max(96, heightOf(card) - AROUND)}
            />
          )
        )}
        {!isGone && missing.length + crowded.length > 0 && (
          <p className={`${page.small} ${page.warning}`}>
            {t('boards:chart.without', { count: missing.length + crowded.length })}
          </p>
        )}
      </QueryCard>
    </CardFrame>
  )
}
