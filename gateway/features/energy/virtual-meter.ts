import { capabilityOf, deviceTypes } from '../../../contract/devices/kinds/registry.ts'
import {
  VIRTUAL_PREFIX,
  VirtualMeter,
  type VirtualMeterKey,
  type virtualMeter,
} from '../../../contract/meters/virtual-meter.ts'
import { MAX_HISTORY_ENTRIES } from '../../../contract/meters/fact-calls.ts'
import { SINCE_ALWAYS } from '../../../contract/meters/meter-facts.ts'
import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import type { HandlersOf, SignedIn } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, type Sql, sql } from '../../kernel/db.ts'
import { findHome, lockHome } from '../../domain/homes/find-home.ts'
import {
  parseInputDay,
  assertNotFuture,
  deleteFact,
  lockMeterFacts,
  historyOfFact,
  type MeterKey,
  upsertFact,
} from '../../domain/meters/meter-facts.ts'
import { checkWeights, treeOfHome } from '../../domain/meters/home-tree.ts'
import { assertVersion } from '../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../store/database-errors.ts'
import type { EnergyPorts } from './ports.ts'

const TAKEN = 'Another virtual meter of the home already has that name'
/** Maximum number of virtual meters of a home. */
const MAX_VIRTUAL_METERS = 200
const METER_TYPES = deviceTypes.map(({ type }) => type).filter((type) => capabilityOf(type, 'meter'))

export const virtualMeterHandlers = ({
  onVirtualMeterDeleted,
}: Pick<EnergyPorts, 'onVirtualMeterDeleted'>): HandlersOf<typeof virtualMeter.operations> => ({
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<VirtualMeter>(sql`select ${columnsOf(VirtualMeter)} from virtual_meters
      where tenant = ${actor.tenant} and home_id = ${HomeID} order by lower(virtual_meter_name)`)
  },

  create: async (input, context) => {
    const { db, actor, random } = context
    await lockHome(db, actor.tenant, input.HomeID)
    await checkTerms(input, context)
    const [count] = await db.query<{ meters: number }>(sql`select count(*) as meters from virtual_meters
      where tenant = ${actor.tenant} and home_id = ${input.HomeID}`)
    if ((count?.meters ?? 0) >= MAX_VIRTUAL_METERS)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_VIRTUAL_METERS} virtual meters`)
    const record: VirtualMeter = {
      VirtualMeterID: `${VIRTUAL_PREFIX}${random.uuid()}`,
      ...input,
      Version: 1,
    }
    await conflictOnUniqueViolation(
      'VirtualMeterName',
      TAKEN,
      db.query(sql`insert into virtual_meters (tenant, virtual_meter_id, home_id, virtual_meter_name, terms)
        values (${actor.tenant}, ${record.VirtualMeterID}, ${record.HomeID}, ${record.VirtualMeterName},
          ${JSON.stringify(record.Terms)}::jsonb)`),
    )
    context.change('virtualMeter.add', record)
    context.audit({ after: record })
    return record
  },

  update: async ({ HomeID, VirtualMeterID, Version, From, ...changes }, context) => {
    const { db, actor } = context
    const { zone } = await lockMeterFacts(db, actor.tenant, HomeID)
    const before = await lockVirtualMeter({ HomeID, VirtualMeterID }, context)
    assertVersion(Version, before)
    const after: VirtualMeter = { ...before, ...changes, Version: before.Version + 1 }
    if (changes.Terms) {
      await checkTerms(after, context)
      after.Terms = await dateTerms(context, before, { terms: changes.Terms, From, zone })
    }
    await conflictOnUniqueViolation(
      'VirtualMeterName',
      TAKEN,
      db.query(sql`update virtual_meters
        set virtual_meter_name = ${after.VirtualMeterName}, terms = ${JSON.stringify(after.Terms)}::jsonb,
          version = ${after.Version}
        where ${one(actor.tenant, before)}`),
    )
    if (changes.Terms) {
      checkWeights(await treeOfHome(db, actor.tenant, HomeID))
      context.change('metering.update', { HomeID })
    }
    context.change('virtualMeter.update', after)
    context.audit({ before, after: { ...after, ...(From !== undefined && { From }) } })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    await lockMeterFacts(db, actor.tenant, key.HomeID)
    const before = await lockVirtualMeter(key, context)
    await assertNotCounted(db, actor.tenant, key)
    await db.query(sql`delete from virtual_meters where ${one(actor.tenant, key)}`)
    await db.query(sql`delete from meter_facts where tenant = ${actor.tenant} and home_id = ${key.HomeID}
      and meter_key = ${key.VirtualMeterID}`)
    await onVirtualMeterDeleted(context, key.VirtualMeterID)
    context.change('virtualMeter.remove', key)
    context.audit({ before })
    return key
  },
})

const one = (tenant: string, { HomeID, VirtualMeterID }: VirtualMeterKey): Sql =>
  sql`tenant = ${tenant} and home_id = ${HomeID} and virtual_meter_id = ${VirtualMeterID}`

/**
 * Sets the terms of a virtual meter from a day on. `From`: null replaces all history, undefined changes the latest entry.
 *
 * returns  the terms that are in force today
 * errors   INVALID, LIMIT_EXCEEDED
 */
async function dateTerms(
  { db, actor, clock }: SignedIn,
  before: VirtualMeter,
  { terms, From, zone }: { terms: VirtualMeter['Terms']; From: string | null | undefined; zone: string },
): Promise<VirtualMeter['Terms']> {
  const key = keyOf(actor.tenant, before)
  const put = (from: number, value: VirtualMeter['Terms'], by: string | null) =>
    upsertFact(db, key, 'terms', { from, value }, { by, at: clock.now() })
  const history = await historyOfFact(db, key, 'terms')
  const last = history.at(-1)
  if (From === null) {
    await deleteFact(db, key, 'terms')
    await put(SINCE_ALWAYS, terms, actor.name)
  } else if (From === undefined) {
    if (last) await put(last.from, terms, actor.name)
  } else {
    const from = parseInputDay(From)
    assertNotFuture(from, clock.now(), zone)
    if (history.length >= MAX_HISTORY_ENTRIES && !history.some((entry) => entry.from === from))
      throw new GatewayError('LIMIT_EXCEEDED', `A fact has at most ${MAX_HISTORY_ENTRIES} days`)
    if (!last) await put(SINCE_ALWAYS, before.Terms, null)
    await put(from, terms, actor.name)
    // A later entry remains in force.
    if (last && last.from > from) return last.value
  }
  return terms
}

/** Rejects the deletion of a meter that has counted in a total of the home. Errors: CONFLICT. */
async function assertNotCounted(
  db: Db,
  tenant: string,
  { HomeID, VirtualMeterID }: VirtualMeterKey,
): Promise<void> {
  const counted =
    await db.query(sql`select 1 from meter_facts where tenant = ${tenant} and home_id = ${HomeID}
    and ((meter_key = ${VirtualMeterID} and fact = 'role') or (fact = 'parent' and value = to_jsonb(${VirtualMeterID}::text)))
    limit 1`)
  if (counted.length)
    throw new GatewayError('CONFLICT', 'This virtual meter counts in totals of its home', {
      VirtualMeterID: 'counted',
    })
}

const keyOf = (tenant: string, { HomeID, VirtualMeterID }: VirtualMeterKey): MeterKey => ({
  tenant,
  HomeID,
  MeterID: VirtualMeterID,
})

/** Reads the virtual meter and locks its row until the transaction ends. Errors: NOT_FOUND. */
async function lockVirtualMeter(key: VirtualMeterKey, { db, actor }: SignedIn): Promise<VirtualMeter> {
  await lockHome(db, actor.tenant, key.HomeID)
  const [record] = await db.query<VirtualMeter>(sql`select ${columnsOf(VirtualMeter)} from virtual_meters
    where ${one(actor.tenant, key)} for update`)
  if (!record) throw new GatewayError('NOT_FOUND', `Virtual meter ${key.VirtualMeterID} does not exist`)
  return record
}

/** Checks that every term is a meter that is or was in the home. Errors: NOT_FOUND, with each that is not. */
async function checkTerms(
  { HomeID, Terms }: Pick<VirtualMeter, 'HomeID' | 'Terms'>,
  { db, actor }: SignedIn,
): Promise<void> {
  const uids = Terms.map(({ PeripheralUID }) => PeripheralUID)
  const found = await db.query<{ uid: string }>(sql`
    select peripheral_uid as uid from peripherals where tenant = ${actor.tenant} and home_id = ${HomeID}
      and peripheral_uid = any(${uids}) and peripheral_type = any(${METER_TYPES})
    union select peripheral_uid from meters
      where tenant = ${actor.tenant} and home_id = ${HomeID} and peripheral_uid = any(${uids})`)
  const known = new Set(found.map(({ uid }) => uid))
  const fields: Record<string, FieldReason> = {}
  for (const [i, uid] of uids.entries()) if (!known.has(uid)) fields[`Terms.${i}.PeripheralUID`] = 'notFound'
  if (Object.keys(fields).length)
    throw new GatewayError('NOT_FOUND', 'A term is not a meter of this home', fields)
}
