import { type Load, Shed } from '../../../contract/automation/alarm-part.ts'
import type { z } from 'zod'
import { type Db, sql } from '../../kernel/db.ts'

/** A rule that limits a home's demand. */
export interface GuardRule {
  tenant: string
  automationId: string
  homeId: string
  homeName: string
  name: string
  ownerId: string | null
  shed: Shed
  /** Whether the rule acts: enabled, without a problem, and its home neither paused nor in maintenance. */
  isActive: boolean
  /** Time of the last decision on any gateway, epoch ms; null if never. */
  decidedAt: number | null
  /** Whether a load that it shed is not restored. */
  isAtWork: boolean
}

export type GuardKey = Pick<GuardRule, 'tenant' | 'automationId'>

const COLUMNS = sql`a.tenant, a.automation_id as "automationId", a.home_id as "homeId", h.home_name as "homeName", a.automation_name as name,
  a.owner_id as "ownerId", a.rule->'Alarm'->'Shed' as shed`

/** Reads every guard, or one, active or not. `now` in epoch ms. */
export async function readGuards(db: Db, now: number, only?: GuardKey): Promise<GuardRule[]> {
  const rows = await db.query<GuardRule & { shed: z.input<typeof Shed> }>(sql`
    select ${COLUMNS}, a.enabled and a.problem is null
      and not exists (select from automation_pauses p where p.tenant = a.tenant and p.home_id = a.home_id
        and (p.until is null or p.until > ${now}::bigint))
      and not exists (select from maintenances m where m.tenant = a.tenant and m.home_id = a.home_id and m.scope = 'home'
        and m.ended_at is null and m.until > ${now}::bigint) as "isActive",
      g.at as "decidedAt", exists (select from sheddings s where s.tenant = a.tenant and s.automation_id = a.automation_id
        and s.given_back_at is null) as "isAtWork"
    from automations a join homes h on h.tenant = a.tenant and h.home_id = a.home_id
      left join guard_states g on g.tenant = a.tenant and g.automation_id = a.automation_id
    where a.automation_type = 4 and a.rule->'Alarm' ? 'Shed'
      and ${only ? sql`a.tenant = ${only.tenant} and a.automation_id = ${only.automationId}` : sql`true`}
    order by a.tenant, a.automation_id`)
  return rows.map((row) => ({ ...row, shed: Shed.parse(row.shed) }))
}

/** A load that was shed and not restored. Times in epoch ms, powers in kW. */
export interface OpenShedding {
  sheddingId: string
  tenant: string
  homeId: string
  automationId: string
  name: string
  ownerId: string | null
  peripheralUid: string | null
  groupId: string | null
  values: Record<string, unknown>
  state: 'sent' | 'off' | 'failed'
  kw: number | null
  shedAt: number
  confirmedAt: number | null
  /** Minimum time that it stays off, seconds. */
  minOff: number
  runId: string
  /** Run that restores it, until that is finished. */
  givenBackRunId: string | null
}

const OPEN = sql`shedding_id as "sheddingId", tenant, home_id as "homeId", automation_id as "automationId",
  automation_name as name, owner_id as "ownerId", peripheral_uid as "peripheralUid", group_id as "groupId", values, state, kw,
  shed_at as "shedAt", confirmed_at as "confirmedAt", min_off as "minOff", run_id as "runId",
  given_back_run_id as "givenBackRunId"`

/** Reads and locks the open sheddings of a guard until the transaction ends. */
export const lockOpenSheddings = (
  tx: Db,
  { tenant, automationId }: Pick<GuardRule, 'tenant' | 'automationId'>,
): Promise<OpenShedding[]> =>
  tx.query<OpenShedding>(sql`
    select ${OPEN} from sheddings where tenant = ${tenant} and automation_id = ${automationId} and given_back_at is null
    order by shed_at, shedding_id for update`)

/** Locks open sheddings of rules that are no longer guards: deleted, changed, or of another type. Skips rows locked by other gateways. */
export const lockOrphanedSheddings = (tx: Db): Promise<OpenShedding[]> =>
  tx.query<OpenShedding>(sql`
    select ${OPEN} from sheddings s where given_back_at is null and not exists (
      select from automations a where a.tenant = s.tenant and a.automation_id = s.automation_id
        and a.automation_type = 4 and a.rule->'Alarm' ? 'Shed')
    order by shedding_id limit 100 for update skip locked`)

/** Whether a shedding belongs to a load of its rule. */
export const isSheddingOf = (
  { peripheralUid, groupId }: OpenShedding,
  { PeripheralUID, GroupID }: Load,
): boolean => (peripheralUid !== null ? peripheralUid === PeripheralUID : groupId === GroupID)
