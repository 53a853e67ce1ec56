import { isDeepStrictEqual } from 'node:util'
import type { insight, PeriodForecast, Budget } from '../../../contract/energy/insight-calls.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import {
  type ClassOf,
  FACTOR_DAYS,
  FIRST_DAY,
  type Forecast,
  forecastOf,
  type Horizon,
  knownDays,
  MIN_HISTORY_DAYS,
  ORIGIN_DAYS,
  type PastDay,
  peakForecastOf,
  quartersOfShape,
  shapesOf,
} from '../../../contract/energy/forecast.ts'
import {
  dayOf,
  firstDayOf,
  formatDay,
  monthOfDay,
  weekdayOf,
  DAY_TYPES,
} from '../../../contract/time/periods.ts'
import type { BillingPeriod } from '../../domain/tariffs/billing-periods.ts'
import { dayTypeOf } from '../../../contract/tariffs/tariff-terms.ts'
import type { Handler } from '../../kernel/context.ts'
import type { Clock } from '../../kernel/ports.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { minutesOf, quartersOf } from './load-profile.ts'
import type { Billing, InsightPorts, LoadDay } from './logic/ports.ts'

/** Energy budget of a home; null if none was entered. */
async function readBudget(db: Db, tenant: string, HomeID: string): Promise<Budget | null> {
  const [row] = await db.query<Budget>(sql`
    select unit as "Unit", period as "Period", amount as "Amount" from home_budgets
    where tenant = ${tenant} and home_id = ${HomeID}`)
  return row ?? null
}

export const budgetHandler: Handler<(typeof insight)['updateBudget']> = async (
  { HomeID, Budget: budget, Seen },
  context,
) => {
  const { db, actor } = context
  // Locks the home row, so that concurrent updates run one after the other.
  const home = await db.query(sql`select 1 from homes
    where tenant = ${actor.tenant} and home_id = ${HomeID} for no key update`)
  if (!home.length) throw new GatewayError('NOT_FOUND', `Home ${HomeID} does not exist`)
  const before = await readBudget(db, actor.tenant, HomeID)
  if (Seen !== undefined && !isDeepStrictEqual(Seen, before))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this budget', { Seen: 'changed' })
  if (budget === null)
    await db.query(sql`delete from home_budgets where tenant = ${actor.tenant} and home_id = ${HomeID}`)
  else
    await db.query(sql`insert into home_budgets (tenant, home_id, unit, period, amount)
      values (${actor.tenant}, ${HomeID}, ${budget.Unit}, ${budget.Period}, ${budget.Amount})
      on conflict (tenant, home_id) do update
        set unit = excluded.unit, period = excluded.period, amount = excluded.amount`)
  context.change('pricing.update', { HomeID })
  context.audit({ before: { Budget: before }, after: { Budget: budget } })
  return { HomeID, Budget: budget }
}

type Call = (typeof insight)['getForecast']

/** Data that forecasts are computed from. */
interface Known {
  home: HomeClock
  billing: Billing
  /** Every day up to today, from the first one with data or the first one needed. */
  days: readonly PastDay[]
  loads: ReadonlyMap<number, LoadDay>
  today: number
}

/** Minimum known share of a day's intervals. */
const KNOWN = 0.9
/** Minimum known share for a peak, which could be in an unknown interval. */
const PEAK_KNOWN = 0.98

/** §GetForecast: for the calendar month and the current billing period. */
export const forecastHandler =
  (clock: Pick<Clock, 'now'>, { energy, readBilling }: InsightPorts): Handler<Call> =>
  async ({ HomeID }, { db, actor }): Promise<ResultsOf<Call>> => {
    const home = await energy.readHome(actor.tenant, HomeID)
    const today = dayOf(clock.now(), home.zone)
    const billing = await readBilling(db, actor.tenant, home)
    const bill = billing.periodOn(today)
    const month = { FromDay: firstDayOf(monthOfDay(today)), EndDay: firstDayOf(monthOfDay(today) + 1) }
    const maxDays = Math.max(bill.EndDay - bill.FromDay, month.EndDay - month.FromDay)
    const firstDay = (await energy.readFirstDay(actor.tenant, home)) ?? today
    const earliest = Math.max(firstDay, today - maxDays - ORIGIN_DAYS - FACTOR_DAYS)
    const from = Math.min(earliest, bill.FromDay, month.FromDay)
    const ComputedPercent = await energy.computedPercent(actor.tenant, home, from, today)
    const loads = await energy.loadProfile(actor.tenant, home, from, today)
    const days = [...loads].filter(([day]) => day >= firstDay).map(([day, load]) => pastDayOf(day, load))
    const known: Known = { home, billing, days, loads, today }
    return {
      HasBalance: await energy.hasBalance(actor.tenant, home),
      Month: periodOf(known, month, undefined),
      Bill: periodOf(known, bill, bill),
      Budget: await readBudget(db, actor.tenant, HomeID),
      PeakDays: billing.lackingPeakDays([bill]),
      ComputedPercent,
    }
  }

function pastDayOf(day: number, { kWh, known, total }: LoadDay): PastDay {
  const share = total ? known / total : 0
  return {
    day,
    kWh: share >= KNOWN ? kWh.reduce((sum, one) => sum + one, 0) : null,
    peakKw: share >= PEAK_KNOWN ? kWh.reduce((maximum, one) => Math.max(maximum, one), 0) * 4 : null,
  }
}

/** Forecast of a current period; `bill` if it is a billing period. */
function periodOf(
  known: Known,
  { FromDay, EndDay }: Pick<BillingPeriod, 'FromDay' | 'EndDay'>,
  bill: BillingPeriod | undefined,
): PeriodForecast {
  const { days, today, billing } = known
  const horizon: Horizon = { from: FromDay, today, end: EndDay }
  const byWeekday: ClassOf = (day) => (billing.offPeakDays.has(day) ? 0 : weekdayOf(day))
  const byType: ClassOf = (day) => DAY_TYPES.indexOf(dayTypeOf(day, billing.offPeakDays))
  const elapsedDays = days.filter(({ day }) => FromDay <= day)
  const forecast = forecastOf(days, horizon, byWeekday)
  const peak = peakForecastOf(days, horizon, byType)
  const ofDay = new Map(elapsedDays.map(({ day, kWh }) => [day, kWh]))
  return {
    From: formatDay(FromDay),
    Through: formatDay(EndDay - 1),
    SoFarKwh: knownDays(elapsedDays) ? elapsedDays.reduce((sum, { kWh }) => sum + (kWh ?? 0), 0) : null,
    DaysOver: today - FromDay,
    DaysKnown: knownDays(elapsedDays),
    Refused: forecast ? null : refusalOf(known, horizon, knownDays(elapsedDays)),
    Forecast: forecast && {
      Method: forecast.method,
      Kwh: { Low: forecast.low, Mid: forecast.total, High: forecast.high },
      Cost: bill ? costOf(known, bill, forecast, byWeekday) : null,
      Errors: { Rule: forecast.errors.rule, Floor: forecast.errors.floor },
      Origins: forecast.origins,
    },
    Peak: { SoFarKw: peak.soFar, UpToKw: peak.upTo },
    Days: Array.from({ length: EndDay - FromDay }, (_, i) => {
      const day = FromDay + i
      const counted = ofDay.get(day) ?? null
      return {
        Date: formatDay(day),
        Kwh: counted ?? forecast?.ofDay(day) ?? null,
        IsForecast: counted === null,
      }
    }),
  }
}

/** Data missing for a forecast, and the day on which it will be available. */
function refusalOf(
  { days, today }: Known,
  { from, end }: Horizon,
  ofPeriod: number,
): NonNullable<PeriodForecast['Refused']> {
  const knownCount = knownDays(days)
  if (knownCount < MIN_HISTORY_DAYS) {
    // As many more days as are missing, if all of them are known.
    const enoughOn = Math.max(today + MIN_HISTORY_DAYS - knownCount, from + FIRST_DAY - 1)
    return { Reason: 'history', Have: knownCount, Needed: MIN_HISTORY_DAYS, EnoughOn: formatDay(enoughOn) }
  }
  if (today - from < FIRST_DAY - 1)
    return {
      Reason: 'tooEarly',
      Have: today - from,
      Needed: FIRST_DAY - 1,
      EnoughOn: formatDay(Math.min(from + FIRST_DAY - 1, end)),
    }
  return { Reason: 'noDay', Have: ofPeriod, Needed: 1, EnoughOn: null }
}

/** NT$ of the bill at low, middle and high energy; null if a day has no price. */
function costOf(
  { home, billing, loads, today }: Known,
  bill: BillingPeriod,
  { low, high, total, soFar, ofDay }: Forecast,
  classOf: ClassOf,
): { Low: number | null; Mid: number; High: number | null } | null {
  const shape = shapesOf(
    [...loads].flatMap(([day, { kWh, known, total: all }]) =>
      day >= today - FACTOR_DAYS && known >= KNOWN * all ? [{ day, kWh }] : [],
    ),
    classOf,
  )
  const rest = total - soFar
  const at = (kWh: number | null): number | null => {
    if (kWh === null) return null
    const scale = rest > 0 ? Math.max(0, kWh - soFar) / rest : 0
    const profile = new Map<number, Pick<LoadDay, 'kWh'>>()
    for (let day = bill.FromDay; day < bill.EndDay; day++) {
      const load = loads.get(day)
      if (load && load.known >= KNOWN * load.total && load.total > 0) profile.set(day, load)
      else {
        const minutes = minutesOf(day, quartersOf(day, home.zone), home.zone)
        profile.set(day, { kWh: quartersOfShape(ofDay(day) * scale, shape(day), minutes) })
      }
    }
    return billing.billOf(bill, profile)?.Total ?? null
  }
  const Mid = at(total)
  return Mid === null ? null : { Low: at(low), Mid, High: at(high) }
}
