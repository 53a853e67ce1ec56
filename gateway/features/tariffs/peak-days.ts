import { isDeepStrictEqual } from 'node:util'
import type { homeTariff, PeakDayList } from '../../../contract/tariffs/home-tariff-calls.ts'
import { dayOf, parseDay } from '../../../contract/time/periods.ts'
import { mayBePeakDay, type PeakDays } from '../../../contract/tariffs/peak-days.ts'
import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { type Db, sql } from '../../kernel/db.ts'

/**
 * Rejects the replacement of a list that has changed since the caller read it.
 *
 * seen    list that the caller read; undefined to replace any
 * errors  CONFLICT with `{ Seen: 'changed' }`
 */
export function assertListUnchanged(seen: readonly object[] | undefined, before: readonly object[]): void {
  if (seen !== undefined && !isDeepStrictEqual(seen, before))
    throw new GatewayError('CONFLICT', 'Somebody else has changed this list', { Seen: 'changed' })
}

/** Locks a company's off-peak days and carbon factors until the transaction ends, so that concurrent replacements are not merged. */
export const lockRules = async (db: Db, tenant: string): Promise<void> => {
  await db.query(sql`select pg_advisory_xact_lock(hashtext('pricing rules'), hashtext(${tenant}))`)
}

/** Time zone of announced peak days. */
const GRID_ZONE = 'Asia/Taipei'

export const peakDayHandlers: Pick<HandlersOf<typeof homeTariff>, 'listPeakDay' | 'updatePeakDay'> = {
  listPeakDay: ({ Year }, { db, actor }) => readYear(db, actor.tenant, Year),

  updatePeakDay: async ({ Year, Days, CompleteThrough, Seen }, context) => {
    const { db, actor, clock } = context
    assertDays(Year, Days)
    // The next day is announced by four in the afternoon.
    const latest = dayOf(clock.now(), GRID_ZONE) + 1
    if (CompleteThrough !== null && !CompleteThrough.startsWith(`${Year}-`))
      throw new GatewayError('INVALID', `${CompleteThrough} is not in ${Year}`, {
        CompleteThrough: 'invalid',
      })
    if (CompleteThrough !== null && parseDay(CompleteThrough) > latest)
      throw new GatewayError('INVALID', 'Days after tomorrow are not announced yet', {
        CompleteThrough: 'future',
      })
    await lockRules(db, actor.tenant)
    const before = await readYear(db, actor.tenant, Year)
    assertListUnchanged(
      Seen,
      before.Days.map((one) => ({ Date: one })),
    )
    await db.query(sql`
      insert into peak_days (tenant, year, days, complete_through)
      values (${actor.tenant}, ${Year}, ${Days.map(({ Date }) => Date).toSorted()}::text[], ${CompleteThrough})
      on conflict (tenant, year) do update set days = excluded.days, complete_through = excluded.complete_through`)
    const after = await readYear(db, actor.tenant, Year)
    context.change('pricing.update', { HomeID: null })
    context.audit({ before, after })
    return after
  },
}

/** Errors: INVALID at each day of another year, or that Taipower cannot announce. */
function assertDays(Year: number, days: readonly { Date: string }[]): void {
  const fields = Object.fromEntries(
    days.flatMap(({ Date }, i): [string, FieldReason][] =>
      !Date.startsWith(`${Year}-`)
        ? [[`Days.${i}.Date`, 'invalid']]
        : mayBePeakDay(parseDay(Date))
          ? []
          : [[`Days.${i}.Date`, 'notSummerWeekday']],
    ),
  )
  if (Object.keys(fields).length > 0)
    throw new GatewayError('INVALID', 'Some days cannot be announced peak days', fields)
}

async function readYear(db: Db, tenant: string, year: number): Promise<PeakDayList> {
  const [row] = await db.query<PeakDayList>(sql`
    select days as "Days", complete_through as "CompleteThrough" from peak_days
    where tenant = ${tenant} and year = ${year}::int`)
  return row ?? { Days: [], CompleteThrough: null }
}

/** Announced peak days that a company entered. */
export async function peakDaysOfCompany(db: Db, tenant: string): Promise<PeakDays> {
  const rows = await db.query<{ year: number; days: string[]; through: string | null }>(sql`
    select year, days, complete_through as through from peak_days where tenant = ${tenant} order by year`)
  return {
    Days: rows.flatMap(({ days }) => days.map(parseDay)),
    CompleteThrough: Object.fromEntries(
      rows.flatMap(({ year, through }) => (through === null ? [] : [[year, parseDay(through)]])),
    ),
  }
}
