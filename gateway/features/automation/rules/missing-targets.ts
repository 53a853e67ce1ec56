import type { AutomationProblem } from '../../../../contract/automation/automation.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { type Subject, subjectField } from '../../../../contract/automation/subject-fields.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { findMissingActionTarget, loadTargets } from '../targets/targets.ts'
import { actionLists, type RuleOfAutomation } from './stored-rule.ts'
import type { EngineHomeKey } from './ports.ts'

/** A missing thing that a rule names, and its path in the rule. */
export interface MissingTarget {
  path: string
  Reason: Extract<AutomationProblem['Reason'], `${string}Gone`>
  Subject: string
}

/** A field that a rule reads, with its path in the rule. */
interface Read {
  PeripheralUID: string
  Field: string
  path: string
}

/** Missing targets of a rule: devices, groups, scenes, rooms, conference rooms, and fields of conditions. */
export async function findMissingTargets(
  db: Db,
  home: EngineHomeKey,
  rule: RuleOfAutomation,
): Promise<MissingTarget[]> {
  return [
    ...(await goneRooms(db, home, rule)),
    ...(await goneReads(db, home, readsOf(rule))),
    ...(await goneTargets(db, home, rule)),
  ]
}

const readsOf = ({ Conditions, Booking }: RuleOfAutomation): Read[] => [
  ...(Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID, Field }, i) => ({
    PeripheralUID,
    Field,
    path: `Conditions.PeripheralUIDs.${i}`,
  })),
  ...(Booking?.Presence ? [{ ...Booking.Presence, path: 'Booking.Presence' }] : []),
]

async function goneRooms(
  db: Db,
  { tenant, homeId }: EngineHomeKey,
  { Booking }: RuleOfAutomation,
): Promise<MissingTarget[]> {
  if (!Booking) return []
  const id = Booking.ConferenceRoomID
  const found = await db.query(sql`select 1 from conference_rooms
    where tenant = ${tenant} and home_id = ${homeId} and conference_room_id = ${id} and active`)
  if (found.length > 0) return []
  return [{ path: 'Booking.ConferenceRoomID', Reason: 'conferenceRoomGone', Subject: id }]
}

async function goneReads(db: Db, home: EngineHomeKey, reads: readonly Read[]): Promise<MissingTarget[]> {
  const subjects = await readRuleSubjects(
    db,
    home,
    reads.map(({ PeripheralUID }) => PeripheralUID),
  )
  return reads.flatMap(({ PeripheralUID, Field, path }): MissingTarget[] => {
    const subject = PeripheralUID === HOME_SUBJECT ? { PeripheralUID } : subjects.get(PeripheralUID)
    if (!subject) return [{ path: `${path}.PeripheralUID`, Reason: 'deviceGone', Subject: PeripheralUID }]
    if (subjectField(subject, Field)) return []
    return [{ path: `${path}.Field`, Reason: 'fieldGone', Subject: PeripheralUID }]
  })
}

/** Subjects of conditions by id: devices and virtual meters of a home; missing ones are absent. */
export async function readRuleSubjects(
  db: Db,
  { tenant, homeId }: EngineHomeKey,
  uids: readonly string[],
): Promise<Map<string, Subject>> {
  if (uids.length === 0) return new Map()
  const rows = await db.query<{ uid: string; type: string | null; rows: ModbusRow[] | null }>(sql`
    select p.peripheral_uid as uid, p.peripheral_type as type, t.rows from peripherals p
    left join modbus_tables t on t.tenant = p.tenant and t.modbus_table_id = p.modbus_table_id
    where p.tenant = ${tenant} and p.home_id = ${homeId} and p.peripheral_uid = any(${[...uids]}::text[])
    union all select virtual_meter_id, null, null from virtual_meters
    where tenant = ${tenant} and home_id = ${homeId} and virtual_meter_id = any(${[...uids]}::text[])`)
  return new Map(
    rows.map(({ uid, type, rows: table }) => [
      uid,
      {
        PeripheralUID: uid,
        type: type ?? undefined,
        modbusKeys: table ? Object.fromEntries(table.map(({ Key, Unit }) => [Key, Unit])) : undefined,
      },
    ]),
  )
}

async function goneTargets(db: Db, home: EngineHomeKey, rule: RuleOfAutomation): Promise<MissingTarget[]> {
  const lists = actionLists(rule)
  const targets = await loadTargets(
    db,
    home,
    lists.flatMap(({ actions }) => actions),
  )
  return lists.flatMap(({ path, actions }) =>
    actions.flatMap((action, i) => {
      const gone = findMissingActionTarget(action, targets)
      return gone ? [{ path: `${path}.${i}.${gone.field}`, Reason: gone.Reason, Subject: gone.Subject }] : []
    }),
  )
}
