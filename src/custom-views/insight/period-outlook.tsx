import { Alert, Card } from 'antd'
import { useMemo, type ReactNode } from 'react'
import type { Budget, PeriodForecast } from '../../../contract/energy/insight-calls.ts'
import { parseDay, startOfDay } from '../../../contract/time/periods.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { useEstimateWords } from '../../domain/energy/use-estimate-words.ts'
import { OTHERS_COLOR, seriesColor } from '../../ui/chart/energy-colors.ts'
import {
  amountText,
  CURRENCY,
  energyText,
  formatAxis,
  formatFigure,
  formatNumber,
  formatShare,
  formatWhole,
  powerText,
  roundCompared,
} from '../../../contract/kernel/numbers.ts'
import { TimeChart } from '../../ui/chart/time-chart.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './insight.module.css'

interface Props {
  title: string
  forecast: PeriodForecast
  budget: Budget | null
  zone: string
  /** Reason that a bill has no expected amount, shown if it has none; omitted if the period is not a bill. */
  noPrice?: ReactNode
}

/** Forecast of a running period: energy so far, expected value and range, peak, and budget, day by day. */
export function PeriodOutlook({ title, forecast, budget, zone, noPrice }: Props) {
  const t = useT()
  const { Refused, Forecast, Peak } = forecast
  const [kwhBudget, costBudget] = (['kWh', 'TWD'] as const).map((unit) =>
    budget?.Unit === unit ? budget.Amount : undefined,
  )
  return (
    <Card title={title}>
      <div className={page.stack}>
        {Refused && <Refusal refused={Refused} />}
        <dl className={`${page.tiles} ${page.measures}`}>
          <div>
            <dt>{t('insight:forecast.soFar', { count: forecast.DaysOver })}</dt>
            <dd>
              <strong className={page.figures}>
                {kwhBudget === undefined || forecast.SoFarKwh === null
                  ? energyText(forecast.SoFarKwh)
                  : inUnitOf(budget, forecast.SoFarKwh)}
              </strong>
            </dd>
          </div>
          {Forecast && (
            <Expected
              name={t('insight:forecast.expected')}
              range={Forecast.Kwh}
              kind="energy"
              limit={kwhBudget}
            />
          )}
          {Forecast?.Cost && (
            <Expected
              name={t('insight:forecast.expectedBill')}
              range={Forecast.Cost}
              kind="money"
              limit={costBudget}
            />
          )}
          <div>
            <dt>{t('insight:forecast.peak')}</dt>
            <dd>
              <strong className={page.figures}>{powerText(Peak.SoFarKw)}</strong>
              <br />
              <span className={page.small}>
                {Peak.UpToKw === null
                  ? t('insight:forecast.peakUnknown')
                  : t('insight:forecast.upTo', { kw: powerText(Peak.UpToKw) })}
              </span>
            </dd>
          </div>
        </dl>
        {Forecast && forecast.DaysKnown < forecast.DaysOver && (
          <p className={page.warning}>
            {t('insight:forecast.daysUnknown', { count: forecast.DaysOver - forecast.DaysKnown })}
          </p>
        )}
        {budget && <BudgetBar budget={budget} forecast={forecast} />}
        <DayBars forecast={forecast} zone={zone} label={title} />
        {Forecast && <Method forecast={Forecast} />}
        {Forecast && !Forecast.Cost && noPrice}
      </div>
    </Card>
  )
}

type Prediction = NonNullable<PeriodForecast['Forecast']>

interface ExpectedProps {
  name: string
  range: Prediction['Kwh']
  kind: 'energy' | 'money'
  /** Budget in the same unit, with which the value is compared. */
  limit: number | undefined
}

function Expected({ name, range: { Mid, Low, High }, kind, limit }: ExpectedProps) {
  const t = useT()
  const estimateText = useEstimateWords()
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong className={page.figures}>
          {estimateText({ mid: Mid, low: Low, high: High }, kind, limit)}
        </strong>
        <br />
        <span className={page.small}>
          {t(Low === null || High === null ? 'insight:forecast.noRange' : 'insight:forecast.range')}
        </span>
      </dd>
    </div>
  )
}

/** Data missing for a forecast, and the day from which there may be one. */
function Refusal({ refused }: { refused: NonNullable<PeriodForecast['Refused']> }) {
  const t = useT()
  const date = useFormatDate()
  const { Reason, Have, Needed, EnoughOn } = refused
  return (
    <Alert
      type="info"
      showIcon
      message={t(`insight:forecast.refused.${Reason}`, {
        have: Have,
        needed: Needed,
        day: date(EnoughOn ?? '–'),
      })}
    />
  )
}

/** Method of the forecast and the errors of earlier ones. */
function Method({ forecast }: { forecast: Prediction }) {
  const t = useT()
  const { Rule, Floor } = forecast.Errors
  return (
    <div className={page.column}>
      <p className={page.hint}>{t(`insight:forecast.methods.${forecast.Method}`)}</p>
      <p className={page.hint}>
        {Rule === null || Floor === null
          ? t('insight:forecast.errorsUnknown')
          : t('insight:forecast.errors', { rule: formatShare(Rule), floor: formatShare(Floor) })}
      </p>
    </div>
  )
}

function DayBars({ forecast, zone, label }: { forecast: PeriodForecast; zone: string; label: string }) {
  const t = useT()
  const now = useNow()
  const { Days } = forecast
  const series = useMemo(() => {
    const times = Days.map(({ Date }) => startOfDay(parseDay(Date), zone))
    const of = (isForecast: boolean) =>
      Days.map(({ Kwh, IsForecast }) => (IsForecast === isForecast ? Kwh : null))
    return [
      {
        key: 'counted',
        label: t('insight:forecast.counted'),
        color: seriesColor(0),
        draw: 'bars' as const,
        stack: 'day',
        times,
        values: of(false),
      },
      {
        key: 'expected',
        label: t('insight:forecast.expectedDay'),
        color: OTHERS_COLOR,
        draw: 'bars' as const,
        stack: 'day',
        times,
        values: of(true),
      },
    ]
  }, [Days, zone, t])
  const axes = useMemo(
    () => [{ unit: 'kWh', fromZero: true, format: formatAxis, formatValue: formatFigure }] as const,
    [],
  )
  if (Days.every(({ Kwh }) => Kwh === null)) return null
  const end = parseDay(forecast.Through) + 1
  return (
    <TimeChart
      label={label}
      zone={zone}
      from={startOfDay(parseDay(forecast.From), zone)}
      to={startOfDay(end, zone)}
      resolution="day"
      axes={axes}
      series={series}
      now={now}
      height={220}
    />
  )
}

const unitOf = (budget: Budget | null): string => (budget?.Unit === 'TWD' ? CURRENCY : 'kWh')

/** A budget as entered. */
export const budgetText = (budget: Budget): string =>
  amountText({ figure: formatNumber(budget.Amount), unit: unitOf(budget) })

/** An amount in the unit of a budget, as an integer. */
const inUnitOf = (budget: Budget | null, value: number): string =>
  amountText({ figure: formatWhole(value), unit: unitOf(budget) })

function BudgetBar({ budget, forecast }: { budget: Budget; forecast: PeriodForecast }) {
  const t = useT()
  const { Unit, Amount } = budget
  const kind = Unit === 'TWD' ? 'money' : 'energy'
  const range = Unit === 'TWD' ? forecast.Forecast?.Cost : forecast.Forecast?.Kwh
  // Costs so far are left out: monthly charges are due only with the bill.
  const soFar = Unit === 'TWD' ? 0 : (forecast.SoFarKwh ?? 0)
  const top = Math.max(Amount, range?.High ?? range?.Mid ?? 0, soFar) * 1.05
  const at = (value: number) => `${(value / top) * 100}%`
  const expected = range
    ? roundCompared({ mid: range.Mid, low: range.Low, high: range.High }, kind, Amount)
    : undefined
  return (
    <div className={page.column}>
      <span className={styles.budget} aria-hidden="true">
        <span className={styles.used} style={{ width: at(soFar) }} />
        {range && <span className={styles.toCome} style={{ width: at(Math.max(0, range.Mid - soFar)) }} />}
        <span className={styles.mark} style={{ insetInlineStart: at(Amount) }} />
      </span>
      {range && expected !== undefined ? (
        <p className={range.Mid > Amount ? page.warning : page.note}>
          {t(range.Mid > Amount ? 'insight:budget.over' : 'insight:budget.within', {
            budget: budgetText(budget),
            expected: inUnitOf(budget, expected),
            share: formatShare(range.Mid / Amount),
            by: inUnitOf(budget, Math.abs(expected - Amount)),
          })}
        </p>
      ) : (
        <p className={page.note}>{t('insight:budget.unknown', { budget: budgetText(budget) })}</p>
      )}
    </div>
  )
}
