import { capabilityOf, deviceTypes } from '../../../contract/device-kinds/registry.ts'
import {
  VIRTUAL_PREFIX,
  VirtualMeter,
  type VirtualMeterKey,
  type virtualMeter,
} from '../../../contract/resources/virtual-meter.ts'
import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import type { HandlersOf, SignedIn } from '../../context.ts'
import { GatewayError } from '../../errors.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Sql, sql } from '../../store/db.ts'
import { findHome, holdHome } from '../../lib/find-home.ts'
import { dropFact, type MeterKey } from '../../lib/meters/meter-facts.ts'
import { refuseOlder } from '../../lib/refuse-older.ts'
import { unlessTaken } from '../../lib/unless-taken.ts'
import type { EnergyPorts } from './ports.ts'

const TAKEN = 'Another virtual meter of the home already has that name'
/** What people can still tell apart; a home with more has a fault of a program. */
const MOST = 200
const METER_TYPES = deviceTypes.map(({ type }) => type).filter((type) => capabilityOf(type, 'meter'))

export const virtualMeterHandlers = ({
  virtualMeterGone,
}: Pick<EnergyPorts, 'virtualMeterGone'>): HandlersOf<typeof virtualMeter.operations> => ({
  list: async ({ HomeID }, { db, actor }) => {
    await findHome(db, actor.tenant, HomeID)
    return db.query<VirtualMeter>(sql`select ${columnsOf(VirtualMeter)} from virtual_meters
      where tenant = ${actor.tenant} and home_id = ${HomeID} order by lower(virtual_meter_name)`)
  },

  create: async (input, context) => {
    const { db, actor, random } = context
    await holdHome(db, actor.tenant, input.HomeID)
    await checkTerms(input, context)
    const [count] = await db.query<{ meters: number }>(sql`select count(*) as meters from virtual_meters
      where tenant = ${actor.tenant} and home_id = ${input.HomeID}`)
    if ((count?.meters ?? 0) >= MOST)
      throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MOST} virtual meters`)
    const record: VirtualMeter = {
      VirtualMeterID: `${VIRTUAL_PREFIX}${random.uuid()}`,
      ...input,
      Version: 1,
    }
    await unlessTaken(
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

  update: async ({ HomeID, VirtualMeterID, Version, ...changes }, context) => {
    const { db, actor } = context
    const before = await hold({ HomeID, VirtualMeterID }, context)
    refuseOlder(Version, before)
    const after: VirtualMeter = { ...before, ...changes, Version: before.Version + 1 }
    if (changes.Terms) await checkTerms(after, context)
    await unlessTaken(
      'VirtualMeterName',
      TAKEN,
      db.query(sql`update virtual_meters
        set virtual_meter_name = ${after.VirtualMeterName}, terms = ${JSON.stringify(after.Terms)}::jsonb,
          version = ${after.Version}
        where ${one(actor.tenant, before)}`),
    )
    // These terms have always been its terms.
    if (changes.Terms) await dropFact(db, keyOf(actor.tenant, before), 'terms')
    context.change('virtualMeter.update', after)
    context.audit({ before, after })
    return after
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await hold(key, context)
    await db.query(sql`delete from virtual_meters where ${one(actor.tenant, key)}`)
    await db.query(sql`delete from meter_facts where tenant = ${actor.tenant} and home_id = ${key.HomeID}
      and meter_key = ${key.VirtualMeterID}`)
    await virtualMeterGone(context, key.VirtualMeterID)
    context.change('virtualMeter.remove', key)
    context.audit({ before })
    return key
  },
})

const one = (tenant: string, { HomeID, VirtualMeterID }: VirtualMeterKey): Sql =>
  sql`tenant = ${tenant} and home_id = ${HomeID} and virtual_meter_id = ${VirtualMeterID}`

const keyOf = (tenant: string, { HomeID, VirtualMeterID }: VirtualMeterKey): MeterKey => ({
  tenant,
  HomeID,
  MeterID: VirtualMeterID,
})

/** The virtual meter as it is, held against others until the transaction ends. Errors: NOT_FOUND. */
async function hold(key: VirtualMeterKey, { db, actor }: SignedIn): Promise<VirtualMeter> {
  await holdHome(db, actor.tenant, key.HomeID)
  const [record] = await db.query<VirtualMeter>(sql`select ${columnsOf(VirtualMeter)} from virtual_meters
    where ${one(actor.tenant, key)} for update`)
  if (!record) throw new GatewayError('NOT_FOUND', `Virtual meter ${key.VirtualMeterID} does not exist`)
  return record
}

/** Makes sure every term is a meter that is or was in the home. Errors: NOT_FOUND, with each that is not. */
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
