import type {
  AutomationRule,
  Automation,
  AutomationProblem,
  AutomationState,
} from '../../../../contract/automation/automation.ts'
import { type Action, targetOf } from '../../../../contract/automation/action.ts'
import { loadActionsOf } from '../../../../contract/automation/rule-problems.ts'
import type { Recipients } from '../../../../contract/automation/alarm-part.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import type { LastRun, LastSkip } from '../../../../contract/automation/run-states.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { LAST_SKIP, lastRunOf } from '../../../domain/automation/last-run.ts'

/** Rule as stored in automations.rule. */
export type RuleOfAutomation = Omit<AutomationRule, 'AutomationName' | 'Description' | 'Enabled'>

/** A thing that a rule names: a row of automation_subjects. A RoomID is stored as text and is unique within the rule's home. */
export interface Subject {
  kind: 'device' | 'group' | 'scene' | 'room' | 'conferenceRoom' | 'home'
  subject: string
  role: 'condition' | 'action'
}

const PARTS = [
  'Schedule',
  'Booking',
  'Conditions',
  'Actions',
  'Alarm',
  'Notify',
  'Order',
  'StopOnFailure',
  'EndDuration',
  'EndActions',
  'Catching',
  'Grace',
] as const

/** Rule of an automation without its other fields; absent parts are omitted. */
export const ruleOf = (record: RuleOfAutomation): RuleOfAutomation =>
  Object.fromEntries(
    PARTS.flatMap((part) => (record[part] === undefined ? [] : [[part, record[part]]])),
  ) as RuleOfAutomation

/** Path of the loads that an alarm sheds; they are resolved like actions. */
export const LOADS = 'Alarm.Shed.Loads'

/** Actions of a rule and the loads that it sheds, with their paths. */
export const actionLists = ({
  Actions,
  EndActions,
  Alarm,
}: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Alarm'>): {
  path: 'Actions' | 'EndActions' | typeof LOADS
  actions: readonly Action[]
}[] => [
  { path: 'Actions', actions: Actions },
  ...(Array.isArray(EndActions) ? [{ path: 'EndActions' as const, actions: EndActions }] : []),
  ...(Alarm?.Shed ? [{ path: LOADS, actions: loadActionsOf(Alarm) } as const] : []),
]

/** Whether a rule sets devices, and so needs an owner; a rule that only notifies does not. */
export const setsDevices = (rule: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Alarm'>): boolean =>
  actionLists(rule).some(({ actions }) => actions.length > 0)

/** Individual recipients of a rule, with their paths. */
export const recipientsOf = ({
  Notify,
  Alarm,
}: Pick<RuleOfAutomation, 'Notify' | 'Alarm'>): { path: string; to: Exclude<Recipients, string> }[] =>
  [
    ...(Notify ? [{ path: 'Notify.To', to: Notify.To }] : []),
    ...(Alarm?.Escalate ?? []).map(({ To }, i) => ({ path: `Alarm.Escalate.${i}.To`, to: To })),
  ].flatMap(({ path, to }) => (to === 'readers' ? [] : [{ path, to }]))

/** Everything that a rule names, once for each role. */
export function subjectsOf(
  rule: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Conditions' | 'Booking' | 'Alarm'>,
): Subject[] {
  const found = new Map<string, Subject>()
  const add = (kind: Subject['kind'], subject: string, role: Subject['role']) =>
    found.set([kind, subject, role].join(' '), { kind, subject, role })
  for (const { PeripheralUID } of rule.Conditions?.PeripheralUIDs ?? [])
    add(PeripheralUID === HOME_SUBJECT ? 'home' : 'device', PeripheralUID, 'condition')
  if (rule.Booking) {
    add('conferenceRoom', rule.Booking.ConferenceRoomID, 'condition')
    if (rule.Booking.Presence) add('device', rule.Booking.Presence.PeripheralUID, 'condition')
  }
  for (const action of actionLists(rule).flatMap(({ actions }) => actions)) {
    const target = targetOf(action)
    if (target.kind === 'device') add('device', target.PeripheralUID, 'action')
    else if (target.kind === 'group') add('group', target.GroupID, 'action')
    else if (target.kind === 'scene') add('scene', target.SceneID, 'action')
    else add('room', String(target.RoomID), 'action')
  }
  return [...found.values()]
}

/** Whether two rules differ in effect; a caller who changes the effect becomes the owner. */
export const hasOtherEffect = (before: RuleOfAutomation, after: RuleOfAutomation): boolean =>
  JSON.stringify(inOrder(before)) !== JSON.stringify(inOrder(after))

const inOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(inOrder)
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
          .filter(([, each]) => each !== undefined)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, each]) => [key, inOrder(each)])
      : value

export const STATE_OF_PROBLEM = {
  deviceGone: 'broken',
  groupGone: 'broken',
  sceneGone: 'broken',
  roomGone: 'broken',
  conferenceRoomGone: 'broken',
  fieldGone: 'broken',
  ownerGone: 'suspended',
  noRight: 'suspended',
  tooOften: 'paused',
  loop: 'paused',
} as const satisfies Record<AutomationProblem['Reason'], AutomationState>

const BROKEN = Object.entries(STATE_OF_PROBLEM)
  .filter(([, state]) => state === 'broken')
  .map(([reason]) => reason)

/** Whether automation a is broken, regardless of its other states. */
export const IS_BROKEN = sql`(a.enabled and a.problem ->> 'Reason' = any(${BROKEN}::text[])) is true`

interface Row extends Omit<
  Automation,
  'State' | 'OwnerName' | 'LastRunAt' | 'LastResult' | 'LastRun' | 'LastSkip' | keyof RuleOfAutomation
> {
  rule: RuleOfAutomation
  LastRun: LastRun | null
  LastSkip: LastSkip | null
  owner: Parameters<typeof displayName>[0] | null
}

const COLUMNS = sql`a.home_id as "HomeID", a.automation_id as "AutomationID", a.automation_type as "AutomationType",
  a.automation_name as "AutomationName", a.description as "Description", a.enabled as "Enabled", a.rule, a.version as "Version",
  a.owner_id as "OwnerID", case when u.cognito_id is not null then jsonb_build_object('FirstName', u.first_name,
    'LastName', u.last_name, 'nickname', u.nickname, 'Email', u.email) end as owner,
  a.problem as "Problem", case when a.problem is null then coalesce(a.next_run_at, (select min(w.due_at) from automation_waits w
    where a.rule ? 'Booking' and w.tenant = a.tenant and w.automation_id = a.automation_id and w.kind = 'booking')) end as "NextRunAt",
  ${lastRunOf(sql`r.tenant = a.tenant and r.automation_id = a.automation_id`)} as "LastRun",
  ${LAST_SKIP} as "LastSkip", coalesce(today.runs, 0)::int as "RunsToday"`

const from = (now: number) => sql`automations a join homes h on h.tenant = a.tenant and h.home_id = a.home_id
  left join users u on u.cognito_id = a.owner_id
  left join lateral (select count(*) as runs from automation_runs r where r.tenant = a.tenant
    and r.automation_id = a.automation_id and r.state not in ('skipped', 'missed', 'refused', 'loopStopped')
    and r.began_at >= extract(epoch from date_trunc('day', to_timestamp(${now}::bigint / 1000) at time zone h.time_zone)
      at time zone h.time_zone) * 1000) today on true`

/** Automations as API results, with their state at a time; `rest` is the condition on automations as a. */
export async function readAutomations(db: Db, now: number, rest: Sql): Promise<Automation[]> {
  const rows = await db.query<Row>(sql`select ${COLUMNS} from ${from(now)} where ${rest}`)
  return rows.map(({ rule, owner, LastRun, LastSkip, ...row }) => ({
    ...row,
    ...rule,
    LastRunAt: LastRun?.At ?? null,
    LastResult: LastRun?.State ?? null,
    ...(LastRun && { LastRun }),
    ...(LastSkip && { LastSkip }),
    OwnerName: owner && displayName(owner),
    State: automationStateOf(row),
  }))
}

export const automationStateOf = ({
  Enabled,
  Problem,
}: Pick<Automation, 'Enabled' | 'Problem'>): AutomationState =>
  !Enabled ? 'disabled' : Problem ? STATE_OF_PROBLEM[Problem.Reason] : 'ready'

/** Automation as notifications need it. */
export const changeRecordOf = (tenant: string, record: Automation) => ({
  tenant,
  homeId: record.HomeID,
  automationId: record.AutomationID,
  type: record.AutomationType,
  name: record.AutomationName,
  ownerId: record.OwnerID,
})

export type AutomationRow = Pick<
  Automation,
  'HomeID' | 'AutomationID' | 'AutomationType' | 'Version' | 'OwnerID' | 'Problem' | keyof RuleOfAutomation
> &
  Pick<Automation, 'AutomationName' | 'Description' | 'Enabled'>

export async function insertAutomation(
  db: Db,
  tenant: string,
  record: AutomationRow,
  now: number,
): Promise<void> {
  await db.query(sql`insert into automations (tenant, automation_id, home_id, automation_type, automation_name, description,
      enabled, rule, owner_id, problem, version, created_at)
    values (${tenant}, ${record.AutomationID}, ${record.HomeID}, ${record.AutomationType}, ${record.AutomationName},
      ${record.Description}, ${record.Enabled}, ${JSON.stringify(ruleOf(record))}::jsonb, ${record.OwnerID},
      ${json(record.Problem)}::jsonb, ${record.Version}, ${now})`)
  await writeSubjects(db, tenant, record.AutomationID, ruleOf(record))
}

export async function updateAutomation(db: Db, tenant: string, record: AutomationRow): Promise<void> {
  await db.query(sql`update automations set automation_name = ${record.AutomationName}, description = ${record.Description},
      automation_type = ${record.AutomationType}, enabled = ${record.Enabled},
      rule = ${JSON.stringify(ruleOf(record))}::jsonb, owner_id = ${record.OwnerID},
      problem = ${json(record.Problem)}::jsonb, version = ${record.Version}
    where tenant = ${tenant} and automation_id = ${record.AutomationID}`)
  await writeSubjects(db, tenant, record.AutomationID, ruleOf(record))
}

async function writeSubjects(db: Db, tenant: string, id: string, rule: RuleOfAutomation): Promise<void> {
  const subjects = JSON.stringify(subjectsOf(rule))
  await db.query(sql`delete from automation_subjects where tenant = ${tenant} and automation_id = ${id}`)
  await db.query(sql`insert into automation_subjects (tenant, automation_id, kind, subject, role)
    select ${tenant}, ${id}, kind, subject, role
    from jsonb_to_recordset(${subjects}::jsonb) as s (kind text, subject text, role text)`)
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** Stored part of an automation, without computed fields; also the form that the audit keeps. */
export function automationRowOf(record: Automation): AutomationRow {
  const {
    OwnerName: _n,
    State: _s,
    LastRunAt: _l,
    LastResult: _r,
    LastRun: _o,
    LastSkip: _k,
    NextRunAt: _x,
    RunsToday: _t,
    ...written
  } = record
  return written
}
