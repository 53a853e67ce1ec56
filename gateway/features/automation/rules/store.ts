import {
  type Automation,
  type AutomationProblem,
  type AutomationState,
} from '../../../../contract/automation/automation.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import { type Db, raw, type Sql, sql } from '../../../kernel/db.ts'
import { ruleOf, type RuleOfAutomation, subjectsOf } from './stored-rule.ts'

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

interface Row extends Omit<Automation, 'State' | 'OwnerName' | keyof RuleOfAutomation> {
  rule: RuleOfAutomation
  owner: Parameters<typeof displayName>[0] | null
}

const COLUMNS =
  raw(`a.home_id as "HomeID", a.automation_id as "AutomationID", a.automation_type as "AutomationType",
  a.automation_name as "AutomationName", a.description as "Description", a.enabled as "Enabled", a.rule, a.version as "Version",
  a.owner_id as "OwnerID", case when u.cognito_id is not null then jsonb_build_object('FirstName', u.first_name,
    'LastName', u.last_name, 'nickname', u.nickname, 'Email', u.email) end as owner,
  a.problem as "Problem", case when a.problem is null then coalesce(a.next_run_at, (select min(w.due_at) from automation_waits w
    where a.rule ? 'Booking' and w.tenant = a.tenant and w.automation_id = a.automation_id and w.kind = 'booking')) end as "NextRunAt",
  last.began_at as "LastRunAt", last.state as "LastResult", coalesce(today.runs, 0)::int as "RunsToday"`)

const from = (now: number) => sql`automations a join homes h on h.tenant = a.tenant and h.home_id = a.home_id
  left join users u on u.cognito_id = a.owner_id
  left join lateral (select began_at, state from automation_runs r where r.tenant = a.tenant
    and r.automation_id = a.automation_id and r.state <> 'skipped' order by r.began_at desc limit 1) last on true
  left join lateral (select count(*) as runs from automation_runs r where r.tenant = a.tenant
    and r.automation_id = a.automation_id and r.state not in ('skipped', 'missed', 'refused', 'loopStopped')
    and r.began_at >= extract(epoch from date_trunc('day', to_timestamp(${now}::bigint / 1000) at time zone h.time_zone)
      at time zone h.time_zone) * 1000) today on true`

/** Automations as API results, with their state at a time; `rest` is the condition on automations as a. */
export async function readAutomations(db: Db, now: number, rest: Sql): Promise<Automation[]> {
  const rows = await db.query<Row>(sql`select ${COLUMNS} from ${from(now)} where ${rest}`)
  return rows.map(({ rule, owner, ...row }) => ({
    ...row,
    ...rule,
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
    NextRunAt: _x,
    RunsToday: _t,
    ...written
  } = record
  return written
}
