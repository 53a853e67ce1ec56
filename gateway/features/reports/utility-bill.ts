import {
  MAX_UTILITY_BILLS,
  type UtilityBill,
  type utilityBill,
} from '../../../contract/tariffs/utility-bill.ts'
import { formatDay, parseDay } from '../../../contract/time/periods.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { findHome, lockHomeExclusively } from '../../domain/homes/find-home.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'

type Given = Omit<UtilityBill, 'UtilityBillID' | 'Version'>

/** Handlers of power company bills, as users entered them. */
export const utilityBillHandlers: HandlersOf<typeof utilityBill.operations> = {
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return readBills(db, sql`tenant = ${actor.tenant} and home_id = ${HomeID}`)
  },

  create: async (input, context) => {
    const { db, actor, random } = context
    const { tenant } = actor
    await lockHomeExclusively(db, tenant, input.HomeID)
    const [count] = await db.query<{ all: number }>(
      sql`select count(*) as all from utility_bills where tenant = ${tenant} and home_id = ${input.HomeID}`,
    )
    if ((count?.all ?? 0) >= MAX_UTILITY_BILLS)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_UTILITY_BILLS} bills`)
    const UtilityBillID = random.uuid()
    const bill = { ...input, UtilityBillID, SupplyNo: digits(input.SupplyNo), Version: 1 }
    await refuseOverlap(db, tenant, bill)
    await db.query(sql`
      insert into utility_bills (tenant, home_id, utility_bill_id, supply_no, from_day, through_day, kwh, peak_kw, power_factor,
        capacities, total)
      values (${tenant}, ${bill.HomeID}, ${UtilityBillID}, ${bill.SupplyNo}, ${parseDay(bill.From)}::int,
        ${parseDay(bill.Through)}::int, ${JSON.stringify(bill.kWh)}::jsonb, ${JSON.stringify(bill.PeakKw)}::jsonb,
        ${bill.PowerFactor}::float8, ${jsonOrNull(bill.Capacities)}::jsonb, ${bill.Total}::float8)`)
    context.change('utilityBill.add', { HomeID: bill.HomeID, UtilityBillID })
    context.audit({ after: bill })
    return bill
  },

  update: async ({ HomeID, UtilityBillID, Version, ...changes }, context) => {
    const { db, actor } = context
    const { tenant } = actor
    await lockHomeExclusively(db, tenant, HomeID)
    const before = await billOf(context, { HomeID, UtilityBillID })
    assertVersion(Version, before)
    const merged = { ...before, ...changes, Version: before.Version + 1 }
    const after = { ...merged, SupplyNo: digits(merged.SupplyNo) }
    await refuseOverlap(db, tenant, after)
    await db.query(sql`
      update utility_bills set supply_no = ${after.SupplyNo}, from_day = ${parseDay(after.From)}::int,
        through_day = ${parseDay(after.Through)}::int, kwh = ${JSON.stringify(after.kWh)}::jsonb,
        peak_kw = ${JSON.stringify(after.PeakKw)}::jsonb, power_factor = ${after.PowerFactor}::float8,
        capacities = ${jsonOrNull(after.Capacities)}::jsonb, total = ${after.Total}::float8, version = version + 1
      where ${isBill(tenant, { HomeID, UtilityBillID })}`)
    context.change('utilityBill.update', { HomeID, UtilityBillID })
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    await lockHomeExclusively(db, actor.tenant, key.HomeID)
    const before = await billOf(context, key)
    await db.query(sql`delete from utility_bills where ${isBill(actor.tenant, key)}`)
    context.change('utilityBill.remove', key)
    context.audit({ before })
    return key
  },
}

interface BillKey {
  HomeID: string
  UtilityBillID: string
}

const digits = (SupplyNo: string): string => SupplyNo.replace(/\D/g, '')
const jsonOrNull = (value: object | null): string | null => (value === null ? null : JSON.stringify(value))

const isBill = (tenant: string, { HomeID, UtilityBillID }: BillKey): Sql =>
  sql`tenant = ${tenant} and home_id = ${HomeID} and utility_bill_id = ${UtilityBillID}`

interface Stored extends Omit<UtilityBill, 'From' | 'Through'> {
  fromDay: number
  throughDay: number
}

/** Bills, newest first. */
export async function readBills(db: Db, where: Sql): Promise<UtilityBill[]> {
  const rows = await db.query<Stored>(sql`
    select home_id as "HomeID", utility_bill_id as "UtilityBillID", supply_no as "SupplyNo", from_day as "fromDay",
      through_day as "throughDay", kwh as "kWh", peak_kw as "PeakKw", power_factor as "PowerFactor",
      capacities as "Capacities", total as "Total", version as "Version"
    from utility_bills where ${where} order by from_day desc, supply_no, utility_bill_id`)
  return rows.map(({ fromDay, throughDay, ...bill }) => ({
    ...bill,
    From: formatDay(fromDay),
    Through: formatDay(throughDay),
  }))
}

/** Errors: NOT_FOUND. */
export async function billOf(
  { db, actor }: Pick<SignedIn, 'db' | 'actor'>,
  key: BillKey,
): Promise<UtilityBill> {
  const [bill] = await readBills(db, isBill(actor.tenant, key))
  if (!bill) throw new GatewayError('NOT_FOUND', `Bill ${key.UtilityBillID} does not exist`)
  return bill
}

/** Errors: INVALID if the bill ends before it begins, CONFLICT `From: overlap` if another bill of the supply has one of its days. */
async function refuseOverlap(
  db: Db,
  tenant: string,
  { HomeID, UtilityBillID, SupplyNo, From, Through }: Given & { UtilityBillID: string },
): Promise<void> {
  if (Through < From)
    throw new GatewayError('INVALID', 'The bill ends before it begins', { Through: 'dateOrder' })
  const overlapping = await db.query(sql`
    select 1 from utility_bills where tenant = ${tenant} and home_id = ${HomeID} and supply_no = ${SupplyNo}
      and utility_bill_id <> ${UtilityBillID} and from_day <= ${parseDay(Through)}::int and through_day >= ${parseDay(From)}::int
    limit 1`)
  if (overlapping.length)
    throw new GatewayError('CONFLICT', 'Another bill of this supply has some of these days', {
      From: 'overlap',
    })
}
