import type { FieldReason } from '../../../../contract/kernel/reasons.ts'
import type { AutomationType } from '../../../../contract/resources/automation.ts'
import { GatewayError } from '../../../errors.ts'
import { type Db, sql } from '../../../store/db.ts'
import { checkActions } from '../check-actions.ts'
import { findGone, type Gone } from './find-gone.ts'
import { shapeProblems } from './shape-problems.ts'
import { actionLists, type StoredRule, subjectsOf } from './stored-rule.ts'

interface Checked {
  tenant: string
  homeId: string
  type: AutomationType
  rule: StoredRule
  /** What stands already: a part that is the same as before may name what is gone. */
  before?: StoredRule | undefined
  now: number
}

/**
 * Makes sure that a rule has the parts of its type, and names what there is in its home, with fields and values that it
 * has. What it names is held (`holdSubjects`).
 *
 * errors  INVALID; NOT_FOUND with notFound at each path that names nothing
 */
export async function checkRule(db: Db, checked: Checked): Promise<void> {
  const { tenant, homeId, type, rule, before, now } = checked
  refuse('INVALID', 'The rule is not one of its type', shapeProblems({ AutomationType: type, ...rule }))
  const { Schedule } = rule
  const isSame = JSON.stringify(Schedule) === JSON.stringify(before?.Schedule)
  if (Schedule && 'At' in Schedule && !('Weekdays' in Schedule) && !isSame && Schedule.At <= now)
    refuse('INVALID', 'This moment is over', { 'Schedule.At': 'pastTime' })
  const gone = (await findGone(db, { tenant, homeId }, rule)).filter(
    ({ path }) => !path.startsWith('Actions') && !path.startsWith('EndActions') && !stood(rule, before, path),
  )
  refuse('NOT_FOUND', 'A condition is about something that does not exist', reasons(gone, false))
  refuse('INVALID', 'A condition is about a field that the device does not have', reasons(gone, true))
  const known = before && actionLists(before).flatMap(({ actions }) => actions)
  for (const { path, actions } of actionLists(rule))
    await checkActions(db, { tenant, homeId }, actions, { path, ...(known && { known }) })
}

const reasons = (gone: readonly Gone[], ofFields: boolean): Record<string, FieldReason> =>
  Object.fromEntries(
    gone
      .filter(({ Reason }) => (Reason === 'fieldGone') === ofFields)
      .map(({ path }) => [path, ofFields ? 'noSuchField' : 'notFound']),
  )

function refuse(code: 'INVALID' | 'NOT_FOUND', text: string, fields: Record<string, FieldReason>): void {
  if (Object.keys(fields).length > 0) throw new GatewayError(code, text, fields)
}

/** Whether the part of the rule that a path is in was there before: the booking, or any condition of the same device and field. */
function stood(rule: StoredRule, before: StoredRule | undefined, path: string): boolean {
  if (!before) return false
  const [part, , index] = path.split('.')
  if (part === 'Booking') return JSON.stringify(rule.Booking) === JSON.stringify(before.Booking)
  const one = rule.Conditions?.PeripheralUIDs[Number(index)]
  return (before.Conditions?.PeripheralUIDs ?? []).some(
    ({ PeripheralUID, Field }) => PeripheralUID === one?.PeripheralUID && Field === one.Field,
  )
}

/** Keeps what a rule names from being removed until the transaction ends; in the order in which others hold it. */
export async function holdSubjects(
  db: Db,
  { tenant, homeId }: Pick<Checked, 'tenant' | 'homeId'>,
  rule: Pick<StoredRule, 'Actions' | 'EndActions' | 'Conditions' | 'Booking'>,
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
