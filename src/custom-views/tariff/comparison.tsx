import {
  amountText,
  formatComplete,
  formatFigure,
  formatLimitKw,
  formatMoney,
  formatWhole,
  moneyText,
  roundEstimate,
  withPlus,
} from '../../../contract/kernel/numbers.ts'
import { Alert, Button, Card, InputNumber } from 'antd'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bills, type PlanBills } from '../../../contract/tariffs/bill-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { callQuery } from '../../data/api.ts'
import { NoValue } from '../../ui/tags/power-value.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate, useFormatPeriod } from '../../ui/page/format-when.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../ui/page/states.tsx'
import { PriceAge } from '../../domain/tariff/price-age.tsx'
import { cheapestOf, contractChange, divideBySupply, reasonsOf } from './compared-plans.ts'
import { AdviceUnavailable, refusalsOf } from './refused-advice.tsx'
import page from '../../ui/page/page.module.css'
import styles from './tariff.module.css'
import { useTariffAddress, usePlans } from './use-tariff.ts'

/** Months that are compared: the default of the call. */
const MONTHS = 12

/** Cost of the last twelve months under every plan, and under another contract. */
export function Comparison({ homeId }: { homeId: string }) {
  const t = useT()
  const { detail, setDetail } = useTariffAddress()
  const kw = detail('kw')
  const triedKw = kw === undefined ? undefined : Number(kw)
  const [enteredKw, type] = useState<number | null>(triedKw ?? null)
  const query = useQuery({
    ...callQuery(bills.compareTariff, {
      HomeID: homeId,
      ...(triedKw !== undefined && { Capacities: { regular: triedKw } }),
    }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={t('tariff:compare.title')}>
      <div className={`${page.stack} ${page.tightStack}`}>
        <form
          className={`${page.row} ${styles.row}`}
          onSubmit={(event) => {
            event.preventDefault()
            setDetail('kw', enteredKw === null ? undefined : String(enteredKw))
          }}
        >
          <label className={`${page.row} ${styles.row}`}>
            {t('tariff:compare.contract')}
            <InputNumber
              min={1}
              max={1_000_000}
              precision={0}
              suffix="kW"
              placeholder={String(query.data?.Current?.Capacities.regular ?? '')}
              value={enteredKw}
              onChange={type}
            />
          </label>
          <Button htmlType="submit" loading={query.isFetching}>
            {t('tariff:compare.try')}
          </Button>
        </form>
        {(query.isPlaceholderData || !query.data) && query.fetchStatus === 'fetching' && (
          <p role="status" className={page.note}>
            {t('tariff:compare.busy')}
          </p>
        )}
        {query.data ? (
          <div
            className={`${page.stack} ${page.tightStack} ${query.isPlaceholderData ? page.stale : ''}`}
            aria-busy={query.isPlaceholderData}
          >
            <Plans compared={query.data} isTrial={triedKw !== undefined} />
          </div>
        ) : query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={10} />
        )}
      </div>
    </Card>
  )
}

function Plans({
  compared,
  isTrial,
}: {
  compared: ResultsOf<typeof bills.compareTariff>
  /** Whether the bills assume a trial contract. */
  isTrial: boolean
}) {
  const t = useT()
  const date = useFormatDate()
  const daysText = useFormatPeriod()
  const { nameOf } = usePlans()
  const { Periods, Current, Plans: plans } = compared
  const [first, last] = [Periods[0], Periods.at(-1)]
  if (!first || !last || Periods.every(({ kWh }) => kWh === 0))
    return <EmptyState message={t('tariff:compare.none')} />
  const knownMean = Periods.reduce((sum, billed) => sum + energyKnown(billed), 0) / Periods.length
  const highest = Math.max(...plans.flatMap(({ Bills }) => Bills.map(({ Total }) => Total ?? 0)))
  const { sameSupply, otherSupply } = divideBySupply(plans, Current?.PlanID)
  // Cost of a year under today's terms; differs from the actual cost if these terms are newer than the period.
  const currentPlan = sameSupply.find(({ PlanID }) => PlanID === Current?.PlanID)
  const isCurrentBest = currentPlan?.Difference === 0
  // Under one contract for all plans: what a trial contract saves is not an effect of the plan.
  const base = currentPlan ?? (isTrial ? null : Current)
  const cheapest = base && !base.Refused ? cheapestOf(sameSupply, base) : undefined
  const contract = contractChange(Current, currentPlan, isTrial)
  const refusals = refusalsOf(Current && !currentPlan ? [Current, ...sameSupply] : sameSupply)
  const row = (plan: PlanBills, isCurrent: boolean) => (
    <PlanRow
      key={isCurrent ? 'current' : plan.PlanID}
      plan={plan}
      current={isCurrent ? null : Current}
      periods={Periods}
      highest={highest}
      name={
        isCurrent
          ? t(isCurrentBest || !currentPlan ? 'tariff:compare.current' : 'tariff:compare.asBilled', {
              plan: nameOf(plan.PlanID),
            })
          : nameOf(plan.PlanID)
      }
    />
  )
  return (
    <>
      <p className={page.note}>
        {t('tariff:compare.range', {
          days: daysText(first.From, last.Through),
          kwh: formatFigure(Periods.reduce((sum, { kWh }) => sum + kWh, 0)),
        })}
      </p>
      {knownMean < 1 && (
        <Alert
          type="warning"
          showIcon
          message={t('tariff:compare.partly', { known: formatComplete(knownMean) })}
          description={t('tariff:compare.partlyIn', {
            months: Periods.filter((billed) => energyKnown(billed) < 1)
              .map(({ From }) => date(From.slice(0, 7)))
              .join(' · '),
          })}
        />
      )}
      <PriceAge prices={compared.Prices} />
      <AdviceUnavailable refusals={refusals} />
      {base && (cheapest || refusals.length === 0) && (
        <Alert
          type={cheapest ? 'success' : 'info'}
          showIcon
          message={
            cheapest
              ? t(isTrial ? 'tariff:compare.verdictTrial' : 'tariff:compare.verdict', {
                  plan: nameOf(cheapest.plan.PlanID),
                  current: nameOf(base.PlanID),
                  by: moneyText(cheapest.saving),
                })
              : t('tariff:compare.staysBest')
          }
          description={
            contract &&
            t(contract.saving > 0 ? 'tariff:compare.contractBy' : 'tariff:compare.contractCosts', {
              kw: formatLimitKw(contract.kw),
              by: moneyText(Math.abs(contract.saving)),
              month: formatWhole(roundEstimate(Math.abs(contract.saving) / MONTHS)),
            })
          }
        />
      )}
      <ul className={page.rows}>
        {Current && row(isCurrentBest ? { ...Current, Best: currentPlan.Best } : Current, true)}
        {sameSupply
          .filter((plan) => !(isCurrentBest && plan === currentPlan))
          .map((plan) => row(plan, false))}
      </ul>
      {otherSupply.length > 0 && (
        <details>
          <summary>{t('tariff:compare.others', { count: otherSupply.length })}</summary>
          <p className={page.note}>{t('tariff:compare.othersWhy')}</p>
          <ul className={page.rows}>{otherSupply.map((plan) => row(plan, false))}</ul>
        </details>
      )}
    </>
  )
}

type BilledPeriod = ResultsOf<typeof bills.compareTariff>['Periods'][number]

/** Share of a period whose energy is known, in any hour. */
const energyKnown = ({ Known, EnergyKnown }: BilledPeriod): number => EnergyKnown ?? Known

interface RowProps {
  plan: PlanBills
  /** The present plan, for comparison. */
  current: PlanBills | null
  periods: readonly BilledPeriod[]
  highest: number
  name: string
}

function PlanRow({ plan, current, periods, highest, name }: RowProps) {
  const t = useT()
  const date = useFormatDate()
  const { versionsOf } = usePlans()
  const { Difference, Best, Priced, Refused } = plan
  const hasContract = versionsOf(plan.PlanID).some(({ Seasons }) =>
    Seasons.some(({ CapacityRates }) => CapacityRates.regular !== undefined),
  )
  const reasons = Difference === null || Difference === 0 ? undefined : reasonsOf(plan, current)
  const signedText = (delta: number) => amountText(withPlus(delta, formatMoney(delta)))
  const monthOf = (i: number) => date(periods[i]?.From.slice(0, 7) ?? '')
  return (
    <li className={styles.plan}>
      <span className={page.column}>
        <strong>{name}</strong>
        {plan.Capacities.regular !== undefined && hasContract && (
          <small className={page.note}>
            {t('tariff:compare.at', { kw: formatLimitKw(plan.Capacities.regular) })}
          </small>
        )}
        {Best && Best.Regular !== plan.Capacities.regular && (
          <small className={page.note}>
            {t('tariff:compare.best', { kw: formatLimitKw(Best.Regular), total: moneyText(Best.Total) })}
          </small>
        )}
        {Refused && <small className={page.note}>{t('tariff:compare.refused.row')}</small>}
        {Priced > 0 && Priced < periods.length && (
          <small className={page.note}>
            {t('tariff:compare.priced', { priced: Priced, of: periods.length })}
          </small>
        )}
      </span>
      <span className={`${page.figures} ${page.end}`}>
        {Priced > 0 ? (
          moneyText(plan.Total)
        ) : (
          <NoValue why={t(Refused ? 'tariff:compare.refused.row' : 'energy:withoutTariff')} />
        )}
      </span>
      <span className={`${page.figures} ${page.end}`}>
        {Difference !== null && Difference !== 0 && (
          <span className={Difference < 0 ? page.good : page.fault}>
            {t('tariff:compare.aYear', { by: signedText(Difference) })}
          </span>
        )}
        {reasons && (
          <>
            <br />
            <small className={page.note}>
              {t('tariff:compare.energyBy', { by: signedText(reasons.energy) })}
              <br />
              {t('tariff:compare.standingBy', { by: signedText(reasons.standing) })}
            </small>
          </>
        )}
        {plan.Drivers.length > 0 && (
          <>
            <br />
            <small className={page.note}>
              {t('tariff:compare.drivers', { months: plan.Drivers.map(monthOf).join(' · ') })}
            </small>
          </>
        )}
      </span>
      <span className={styles.bars}>
        {plan.Bills.map(({ Total }, i) => {
          const partly = periods[i] !== undefined && energyKnown(periods[i]) < 1
          const text = [
            `${monthOf(i)} ${moneyText(Total)}`,
            ...(partly ? [t('tariff:compare.partlyBar')] : []),
          ].join(' · ')
          return (
            <span
              key={periods[i]?.From}
              className={styles.bar}
              data-driver={plan.Drivers.includes(i)}
              data-partly={partly}
              style={{ height: `${((Total ?? 0) / (highest || 1)) * 100}%` }}
              title={text}
            >
              <span className="visually-hidden">{text}</span>
            </span>
          )
        })}
      </span>
    </li>
  )
}
