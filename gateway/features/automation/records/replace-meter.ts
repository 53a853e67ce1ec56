import { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { VirtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { dayOf } from '../../../../contract/time/periods.ts'
import { SINCE_ALWAYS } from '../../../../contract/meters/meter-facts.ts'
import { defaultRoleOf, mayHangBelow } from '../../../../contract/devices/meter-roles.ts'
import type { SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { factsOfHome, historyOfFact, upsertFact } from '../../../domain/meters/meter-facts.ts'
import { transferMeters } from '../../../domain/meters/move-meter.ts'
import { columnsOf } from '../../../store/sql.ts'
import { sql } from '../../../kernel/db.ts'

export interface DeviceReplacement {
  HomeID: string
  Old: string
  New: string
}

/**
 * Replaces a meter by another from today on: the old meter's children move below the new one, which takes the old one's parent
 * unless it has its own, and virtual meters count it. Earlier energy stays with the old meter. The caller has locked the facts of
 * the home.
 *
 * zone     of the home
 * returns  number of sub-meters and virtual meters that name the new one
 * errors   CONFLICT with `{ New: loop | role | taken }`
 */
export async function replaceInMeters(
  replaced: DeviceReplacement,
  zone: string,
  context: SignedIn,
): Promise<number> {
  const below = await inTree(replaced, context)
  const sums = await inTerms(replaced, zone, context)
  if (below + sums > 0) context.change('metering.update', { HomeID: replaced.HomeID })
  return below + sums
}

async function inTree({ HomeID, Old, New }: DeviceReplacement, context: SignedIn): Promise<number> {
  const { db, actor } = context
  const devices = await db.query<Peripheral>(sql`select ${columnsOf(Peripheral)} from peripherals
    where tenant = ${actor.tenant} and home_id = ${HomeID}
      and (parent_meter = ${Old} or peripheral_uid in (${Old}, ${New})) order by peripheral_uid for update`)
  const old = devices.find(({ PeripheralUID }) => PeripheralUID === Old)
  const replacements = devices.flatMap((before) => {
    const ParentMeter = parentOf(before, { Old, New }, old?.ParentMeter ?? null)
    return ParentMeter === before.ParentMeter ? [] : [{ before, after: { ...before, ParentMeter } }]
  })
  for (const { after } of replacements)
    await db.query(sql`update peripherals set parent_meter = ${after.ParentMeter}
      where tenant = ${actor.tenant} and peripheral_uid = ${after.PeripheralUID}`)
  const afters = replacements.map(({ after }) => after)
  await assertValidTree({ HomeID, New }, afters, context)
  await transferMeters(context, HomeID, replacements)
  for (const after of afters) context.change('peripheral.update', after)
  return afters.filter(({ ParentMeter }) => ParentMeter === New).length
}

function parentOf(
  { PeripheralUID, ParentMeter }: Peripheral,
  { Old, New }: Pick<DeviceReplacement, 'Old' | 'New'>,
  above: string | null,
): string | null {
  if (PeripheralUID !== New) return ParentMeter === Old && PeripheralUID !== Old ? New : ParentMeter
  const isPlaced = ParentMeter !== null && ParentMeter !== Old
  return isPlaced || above === New ? ParentMeter : above
}

async function assertValidTree(
  { HomeID, New }: Pick<DeviceReplacement, 'HomeID' | 'New'>,
  replacedDevices: readonly Peripheral[],
  { db, actor }: SignedIn,
): Promise<void> {
  const loop = await db.query(sql`
    with recursive above as (
      select parent_meter as uid from peripherals where tenant = ${actor.tenant} and peripheral_uid = ${New}
      union select p.parent_meter from peripherals p join above on p.peripheral_uid = above.uid
        where p.tenant = ${actor.tenant})
    select 1 from above where uid = ${New}`)
  if (loop.length > 0)
    throw new GatewayError('CONFLICT', 'A meter cannot stand above itself', { New: 'loop' })
  const { on } = await factsOfHome(db, actor.tenant, HomeID)
  const roleOf = (uid: string) => on(uid, 'role', Infinity) ?? defaultRoleOf(uid)
  for (const { PeripheralUID, ParentMeter } of replacedDevices)
    if (ParentMeter !== null && !mayHangBelow(roleOf(PeripheralUID), roleOf(ParentMeter)))
      throw new GatewayError('CONFLICT', 'The roles of these meters do not go together', { New: 'role' })
}

async function inTerms(
  { HomeID, Old, New }: DeviceReplacement,
  zone: string,
  context: SignedIn,
): Promise<number> {
  const { db, actor, clock } = context
  // A meter may have a second register, which counts as a separate meter.
  const named = new Map([Old, `${Old}.return`].map((id) => [id, id.replace(Old, () => New)]))
  const found = await db.query<VirtualMeter>(sql`select ${columnsOf(VirtualMeter)} from virtual_meters
    where tenant = ${actor.tenant} and home_id = ${HomeID} and exists (select from jsonb_array_elements(terms) t
      where t ->> 'PeripheralUID' = any(${[...named.keys()]}::text[])) order by virtual_meter_id for update`)
  const at = clock.now()
  const today = dayOf(at, zone)
  for (const before of found) {
    const Terms = before.Terms.map((term) => ({
      ...term,
      PeripheralUID: named.get(term.PeripheralUID) ?? term.PeripheralUID,
    }))
    if (new Set(Terms.map(({ PeripheralUID }) => PeripheralUID)).size < Terms.length)
      throw new GatewayError('CONFLICT', `Both meters count for ${before.VirtualMeterName}`, { New: 'taken' })
    const key = { tenant: actor.tenant, HomeID, MeterID: before.VirtualMeterID }
    const history = await historyOfFact(db, key, 'terms')
    if (history.length === 0)
      await upsertFact(db, key, 'terms', { from: SINCE_ALWAYS, value: before.Terms }, { by: null, at })
    await upsertFact(db, key, 'terms', { from: today, value: Terms }, { by: actor.name, at })
    const after = { ...before, Terms, Version: before.Version + 1 }
    await db.query(sql`update virtual_meters set terms = ${JSON.stringify(Terms)}::jsonb, version = ${after.Version}
      where tenant = ${actor.tenant} and home_id = ${HomeID} and virtual_meter_id = ${before.VirtualMeterID}`)
    context.change('virtualMeter.update', after)
  }
  return found.length
}
