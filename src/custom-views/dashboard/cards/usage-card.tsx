import { energyText, formatEnergy, formatMoney } from '../../../../contract/kernel/numbers.ts'
import { Link } from 'react-router'
import type { EnergyPoint } from '../../../../contract/energy/meter-data-calls.ts'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { AmountValue } from '../../../ui/tags/power-value.tsx'
import type { ChartView } from '../../../ui/chart/model.ts'
import { useNow } from '../../../ui/page/use-now.ts'
import { ENERGY_MEASURES } from '../../../domain/energy/measures.ts'
import { useCarbonWords } from '../../../domain/energy/use-carbon-words.ts'
import { figureOf, totalOf } from '../../../domain/energy/totals.ts'
import { MissingDataNote, useMissingData } from '../../../domain/energy/missing-data.tsx'
import { formatMeasure } from '../../../domain/energy/use-figures.ts'
import { QueryCard, CardFrame, Empty } from './card-frame.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './cards.module.css'
import { CoverageNotes } from './coverage-notes.tsx'
import { NoMeters } from './no-meters.tsx'
import { useDailySums } from './use-card-energy.ts'
import { dayOf, monthOf, startOfDay, startOfMonth } from '../../../../contract/time/periods.ts'

interface Usage {
  today: EnergyPoint[]
  yesterday: EnergyPoint[]
  month: EnergyPoint[]
}

/** Splits a home's days into today, yesterday and this month, in its time zone. Missing days are in none. */
export function usageOf(days: readonly EnergyPoint[], now: number, zone: string): Usage {
  const today = dayOf(now, zone)
  const month = monthOf(now, zone)
  const ofDay = (day: number) => days.filter(({ Timestamp }) => dayOf(Timestamp, zone) === day)
  return {
    today: ofDay(today),
    yesterday: ofDay(today - 1),
    month: days.filter(({ Timestamp }) => monthOf(Timestamp, zone) === month),
  }
}

/** Time spans of today, yesterday and this month, in a home's time zone. */
export function spansOf(now: number, zone: string): Record<keyof Usage, ChartView> {
  const [today, month] = [dayOf(now, zone), monthOf(now, zone)]
  const [morning, midnight] = [startOfDay(today, zone), startOfDay(today + 1, zone)]
  return {
    today: { from: morning, to: midnight },
    yesterday: { from: startOfDay(today - 1, zone), to: morning },
    month: { from: startOfMonth(month, zone), to: startOfMonth(month + 1, zone) },
  }
}

export const togetherOf = (homes: readonly Usage[]): Usage => ({
  today: homes.flatMap(({ today }) => today),
  yesterday: homes.flatMap(({ yesterday }) => yesterday),
  month: homes.flatMap(({ month }) => month),
})

const pageOf = (HomeID: string, range: 'today' | 'month') =>
  `${pathTo('Electricity', { HomeID })}?range=${range}`

/** Energy of all homes today and this month, with cost and carbon, and the part of each of several homes. */
export function UsageCard({
  homes,
  title,
}: {
  homes: readonly HomeWithRooms[]
  /** Replaces the default card name. */
  title?: string | undefined
}) {
  const t = useT()
  const { sentenceOf } = useCarbonWords()
  const now = useNow()
  const query = useDailySums(homes)
  const byId = new Map(query.data?.map((usage) => [usage.HomeID, usage]))
  const knownUsages = homes.flatMap((home) => {
    const usage = byId.get(home.HomeID)
    return usage
      ? [
          {
            home,
            usage: usageOf(usage.Days, now, home.TimeZone),
            meters: usage.Meters,
            carbon: usage.Carbon,
            computed: usage.ComputedPercent,
          },
        ]
      : []
  })
  const percents = knownUsages.flatMap(({ computed }) => computed ?? [])
  const computed = percents.length > 0 ? Math.min(...percents) : undefined
  const sum = togetherOf(knownUsages.map(({ usage }) => usage))
  const meters = {
    Reporting: knownUsages.reduce((all, { meters }) => all + meters.Reporting, 0),
    Total: knownUsages.reduce((all, { meters }) => all + meters.Total, 0),
  }
  const [singleHome] = homes.length === 1 ? homes : []
  const first = homes[0]
  const spans = spansOf(now, first?.TimeZone ?? 'UTC')
  return (
    <CardFrame
      title={title ?? t('dashboard:cards.usage')}
      to={singleHome && pageOf(singleHome.HomeID, 'month')}
      busy={query.isPending}
    >
      <QueryCard query={query}>
        {meters.Total === 0 && totalOf(sum.month).kWh === null && first ? (
          <NoMeters homeId={first.HomeID} />
        ) : (
          <>
            <div className={styles.spans}>
              <Span
                name={t('cards:today')}
                to={singleHome && pageOf(singleHome.HomeID, 'today')}
                points={sum.today}
                span={spans.today}
                {...(computed === undefined && {
                  before: { points: sum.yesterday, span: spans.yesterday },
                })}
              />
              <Span
                name={t('cards:month')}
                to={singleHome && pageOf(singleHome.HomeID, 'month')}
                points={sum.month}
              />
            </div>
            {totalOf(sum.month).kWh === null && <Empty why={t('cards:noReadings')} />}
            <CoverageNotes
              points={sum.month}
              meters={meters}
              computed={computed}
              homeId={singleHome?.HomeID}
              cost
            />
            <p className={page.small}>{sentenceOf(knownUsages[0]?.carbon.slice(-1) ?? [])}</p>
            {homes.length > 1 && <Homes usages={knownUsages} now={now} />}
          </>
        )}
      </QueryCard>
    </CardFrame>
  )
}

/** Energy, cost and carbon of one time span. With `span`, also its missing share, which otherwise the notes of the card show. */
function Span(props: {
  name: string
  to: string | undefined
  points: readonly EnergyPoint[]
  span?: ChartView
  before?: { points: readonly EnergyPoint[]; span: ChartView }
}) {
  const { name, to, points, span, before } = props
  const t = useT()
  const lacks = useMissingData()
  const total = totalOf(points)
  const past = before && totalOf(before.points)
  return (
    <div className={page.links}>
      <h3>{to ? <Link to={to}>{name}</Link> : name}</h3>
      <dl className={`${page.wideRow} ${page.measures} ${styles.figures}`}>
        {ENERGY_MEASURES.map((measure) => (
          <div key={measure}>
            <dt>{t(`energy:measures.${measure}`)}</dt>
            <dd>
              <AmountValue
                amount={formatMeasure(measure, figureOf(total, measure))}
                large={measure === 'kwh'}
              />
            </dd>
          </div>
        ))}
      </dl>
      <p className={page.small}>
        {past ? t('cards:yesterdayWas', { energy: energyText(past.kWh) }) : t('cards:soFar')}
        {past && lacks({ coverage: past.Coverage, span: before.span }).missing !== undefined && (
          <span className={`${page.small} ${page.warning}`}> {t('cards:yesterdayPartly')}</span>
        )}
      </p>
      {span && <MissingDataNote coverage={total.Coverage} span={span} />}
    </div>
  )
}

function Homes(props: { usages: readonly { home: HomeWithRooms; usage: Usage }[]; now: number }) {
  const { usages, now } = props
  const t = useT()
  return (
    <ul className={`${page.links} ${styles.sites}`}>
      {usages.map(({ home, usage }) => {
        const month = totalOf(usage.month)
        const cells = [
          { label: t('cards:today'), amount: formatEnergy(totalOf(usage.today).kWh) },
          { label: t('cards:month'), amount: formatEnergy(month.kWh) },
          { label: t('energy:measures.cost'), amount: formatMoney(month.Cost) },
        ]
        return (
          <li key={home.HomeID}>
            <span className={page.column}>
              <Link to={pageOf(home.HomeID, 'month')} className={page.touch}>
                {home.HomeName}
              </Link>
              <MissingDataNote coverage={month.Coverage} span={spansOf(now, home.TimeZone).month} />
            </span>
            {cells.map(({ label, amount }) => (
              <span key={label} className={styles.cell}>
                <span className={page.small}>{label}</span>
                <AmountValue amount={amount} />
              </span>
            ))}
          </li>
        )
      })}
    </ul>
  )
}
