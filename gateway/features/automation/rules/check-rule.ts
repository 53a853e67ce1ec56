import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import { ruleProblems } from '../../../../contract/automation/rule-problems.ts'
import type { AutomationType, AutomationProblem } from '../../../../contract/automation/automation.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { checkActions } from '../targets/check-actions.ts'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { type Subject, subjectField } from '../../../../contract/automation/subject-fields.ts'
import { findMissingActionTarget, loadTargets } from '../targets/targets.ts'
import type { SlowestMainMeter, EngineHomeKey } from './ports.ts'
import { actionLists, type RuleOfAutomation, subjectsOf, recipientsOf } from './stored-rule.ts'

/** A missing thing that a rule names, and its path in the rule. */
interface MissingTarget {
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
    ...(await missingRooms(db, home, rule)),
    ...(await missingReads(db, home, readsOf(rule))),
    ...(await missingTargets(db, home, rule)),
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

async function missingRooms(
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

async function missingReads(db: Db, home: EngineHomeKey, reads: readonly Read[]): Promise<MissingTarget[]> {
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

async function missingTargets(db: Db, home: EngineHomeKey, rule: RuleOfAutomation): Promise<MissingTarget[]> {
  const lists = actionLists(rule)
  const targets = await loadTargets(
    db,
    home,
    lists.flatMap(({ actions }) => actions),
  )
  return lists.flatMap(({ path, actions }) =>
    actions.flatMap((action, i) => {
      const missing = findMissingActionTarget(action, targets)
      return missing
        ? [{ path: `${path}.${i}.${missing.field}`, Reason: missing.Reason, Subject: missing.Subject }]
        : []
    }),
  )
}

/**
 * Checks that the recipients of a rule are people, departments and channels of its company. Earlier recipients may have been deleted.
 *
 * errors  NOT_FOUND with notFound at each missing recipient
 */
async function assertRecipientsInCompany(
  db: Db,
  tenant: string,
  rule: RuleOfAutomation,
  before?: RuleOfAutomation,
): Promise<void> {
  const known = new Set(before ? namesOf(before).map(({ id }) => id) : [])
  const named = namesOf(rule).filter(({ id }) => !known.has(id))
  if (named.length === 0) return
  const ids = named.map(({ id }) => id)
  const rows = await db.query<{ id: string }>(sql`
    select cognito_id::text as id from users where tenant = ${tenant} and cognito_id::text = any(${ids}::text[])
    union all select department_id::text from departments
    where tenant = ${tenant} and department_id::text = any(${ids}::text[])
    union all select notification_channel_id from notification_channels
    where tenant = ${tenant} and notification_channel_id = any(${ids}::text[])`)
  const found = new Set(rows.map(({ id }) => id))
  const missing = named.filter(({ id }) => !found.has(id))
  if (missing.length > 0)
    throw new GatewayError(
      'NOT_FOUND',
      'Who is told is not of the company',
      Object.fromEntries(missing.map(({ path }): [string, FieldReason] => [path, 'notFound'])),
    )
}

const namesOf = (rule: RuleOfAutomation): { path: string; id: string }[] => [
  ...recipientsOf(rule).flatMap(({ path, to }) => [
    ...to.Users.map((id, i) => ({ path: `${path}.Users.${i}`, id: String(id) })),
    ...to.Departments.map((id, i) => ({ path: `${path}.Departments.${i}`, id: String(id) })),
  ]),
  ...(rule.Alarm?.Escalate ?? []).flatMap(({ Channels = [] }, step) =>
    Channels.map((id, i) => ({ path: `Alarm.Escalate.${step}.Channels.${i}`, id })),
  ),
]

type Problems = Record<string, FieldReason>

interface Checked {
  tenant: string
  homeId: string
  type: AutomationType
  rule: RuleOfAutomation
  /** Stored rule: a part that is unchanged may name deleted things. */
  before?: RuleOfAutomation | undefined
  now: number
  readSlowestMainMeter: SlowestMainMeter
}

/**
 * Checks that a rule has the parts of its type, names existing things of its home with their fields and valid values, and
 * notifies only members of the company. The caller has locked what it names (`lockSubjects`).
 *
 * errors  INVALID; NOT_FOUND with notFound at each path that names nothing
 */
export async function checkRule(db: Db, checked: Checked): Promise<void> {
  const { tenant, homeId, type, rule, before, now, readSlowestMainMeter } = checked
  const home = { tenant, homeId }
  const uids = rule.Conditions?.PeripheralUIDs.map(({ PeripheralUID }) => PeripheralUID) ?? []
  const subjects = await readRuleSubjects(db, home, uids)
  const isSame = JSON.stringify(rule.Schedule) === JSON.stringify(before?.Schedule)
  const context = {
    subject: (uid: string) => subjects.get(uid),
    ...(!isSame && { now }),
    ...(rule.Alarm?.Shed && { slowestMainMeter: await readSlowestMainMeter(db, home, now) }),
  }
  const found: Problems = Object.fromEntries(
    ruleProblems({ AutomationType: type, ...rule }, context).map(({ path, reason }) => [
      path.join('.'),
      reason,
    ]),
  )
  for (const { path, Reason } of await findMissingTargets(db, home, rule))
    if (path.startsWith('Booking')) found[path] = Reason === 'fieldGone' ? 'noSuchField' : 'notFound'
  const problems = Object.entries(found).filter(
    ([path, reason]) => !(isOfMissing(reason) && existedBefore(rule, before, path)),
  )
  const missing = problems.filter(([, reason]) => reason === 'notFound')
  assertNoProblems('NOT_FOUND', 'A condition is about something that does not exist', missing)
  assertNoProblems('INVALID', 'The rule cannot be one of its type', problems)
  const known = before && actionLists(before).flatMap(({ actions }) => actions)
  for (const { path, actions } of actionLists(rule))
    await checkActions(db, home, actions, { path, ...(known && { known }) })
  await assertRecipientsInCompany(db, tenant, rule, before)
}

const isOfMissing = (reason: FieldReason): boolean => reason === 'notFound' || reason === 'noSuchField'

function assertNoProblems(
  code: 'INVALID' | 'NOT_FOUND',
  text: string,
  problems: [string, FieldReason][],
): void {
  if (problems.length > 0) throw new GatewayError(code, text, Object.fromEntries(problems))
}

/** Whether the part of the rule at a path existed before: the booking, or a condition with the same device and field. */
function existedBefore(rule: RuleOfAutomation, before: RuleOfAutomation | undefined, path: string): boolean {
  if (!before) return false
  const [part, , index] = path.split('.')
  if (part === 'Booking') return JSON.stringify(rule.Booking) === JSON.stringify(before.Booking)
  const one = rule.Conditions?.PeripheralUIDs[Number(index)]
  return (before.Conditions?.PeripheralUIDs ?? []).some(
    ({ PeripheralUID, Field }) => PeripheralUID === one?.PeripheralUID && Field === one.Field,
  )
}

/** Locks what a rule names against deletion until the transaction ends, in the common lock order. */
export async function lockSubjects(
  db: Db,
  { tenant, homeId }: Pick<Checked, 'tenant' | 'homeId'>,
  rule: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Conditions' | 'Booking' | 'Alarm'>,
): Promise<void> {
  const subjects = subjectsOf(rule)
  const ids = (kind: string) => subjects.filter((one) => one.kind === kind).map(({ subject }) => subject)
  const inHome = sql`tenant = ${tenant} and home_id = ${homeId}`
  await db.query(sql`select 1 from rooms where ${inHome} and room_id = any(${ids('room').map(Number)}::int[])
    order by room_id for share`)
  await db.query(sql`select 1 from conference_rooms where ${inHome}
    and conference_room_id = any(${ids('conferenceRoom')}::text[]) order by conference_room_id for share`)
  await db.query(sql`select 1 from peripherals where ${inHome} and peripheral_uid = any(${ids('device')}::text[])
    order by peripheral_uid for key share`)
  await db.query(sql`select 1 from groups where ${inHome} and group_id = any(${ids('group')}::text[])
    order by group_id for key share`)
  await db.query(sql`select 1 from scenes where ${inHome} and scene_id = any(${ids('scene')}::text[])
    order by scene_id for key share`)
}
