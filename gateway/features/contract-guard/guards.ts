import type { z } from 'zod'
import { type Load, Shed } from '../../../contract/automation/alarm-part.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { FIRST_DECISION_MS } from '../../../contract/automation/load-shedding.ts'
import type { GatewayEvents } from '../../kernel/events.ts'

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

/** Maximum interval between two decisions, ms, even if no meter reports: silent meters are notified, too. */
const MAX_DECISION_INTERVAL_MS = 60_000
/** Time for which the meters of a guard are cached, ms. */
const METERS_TTL_MS = 600_000

const keyOf = ({ tenant, automationId }: GuardKey): string => `${tenant}/${automationId}`

/** Cached state of a guard, used only to schedule its decisions. */
interface CachedGuard extends GuardKey {
  homeId: string
  meters: ReadonlySet<string>
  /** Time at which the meters were read. */
  at: number
  /** Parts of the rule that affect the decision: a changed rule is decided at once. */
  rule: string
  /** Whether a main meter has reported since the last decision. */
  hasReport: boolean
}

/**
 * Schedules decisions of guards: after a report of a main meter, while loads are off, after the third minute of a quarter of an hour,
 * after a change of the rule, and at least once a minute.
 */
export function createDueGuards() {
  const cache = new Map<string, CachedGuard>()
  /** Guards by home, for lookups on each of its reports. */
  const byHome = new Map<string, Set<string>>()

  function remove(rule: GuardKey): void {
    const key = keyOf(rule)
    const one = cache.get(key)
    if (!one) return
    cache.delete(key)
    const others = byHome.get(homeOf(one))
    if (others?.delete(key) && others.size === 0) byHome.delete(homeOf(one))
  }

  return {
    /** Records reports of meters; returns the guards that use them. */
    onReport(report: Pick<GatewayEvents['statusChanged'], 'tenant' | 'homeId' | 'uids'>): GuardKey[] {
      const found: GuardKey[] = []
      for (const key of byHome.get(homeOf(report)) ?? []) {
        const one = cache.get(key)
        if (!one || !report.uids.some((uid) => one.meters.has(uid))) continue
        one.hasReport = true
        found.push(one)
      }
      return found
    },

    isDue(rule: GuardRule, now: number): boolean {
      const one = cache.get(keyOf(rule))
      if (rule.isAtWork || !one || one.hasReport || one.rule !== ruleKeyOf(rule)) return true
      return rule.decidedAt === null || now >= nextDecisionAt(rule.decidedAt) || now - one.at >= METERS_TTL_MS
    },

    /** Marks the start of a decision: later reports cause the next one. */
    onDecisionStarted(rule: GuardKey): void {
      const one = cache.get(keyOf(rule))
      if (one) one.hasReport = false
    },

    /** Records the result of a decision; an undecided guard stays due. */
    onDecided(
      rule: GuardRule,
      { isDecided, meters }: { isDecided: boolean; meters: readonly string[] },
      now: number,
    ): void {
      const { tenant, automationId, homeId } = rule
      const key = keyOf(rule)
      const before = cache.get(key)
      const one = {
        ...{ tenant, automationId, homeId },
        meters: new Set(meters),
        at: now,
        rule: isDecided || !before ? ruleKeyOf(rule) : before.rule,
        hasReport: before?.hasReport === true || !isDecided,
      }
      remove(rule)
      cache.set(key, one)
      byHome.set(homeOf(one), (byHome.get(homeOf(one)) ?? new Set()).add(key))
    },

    /** Removes a guard after a failed decision, so that it is due. */
    forget: remove,

    retainOnly(rules: readonly GuardKey[]): void {
      const keys = new Set(rules.map(keyOf))
      for (const one of cache.values()) if (!keys.has(keyOf(one))) remove(one)
    },
  }
}

const homeOf = ({ tenant, homeId }: Pick<CachedGuard, 'tenant' | 'homeId'>): string => `${tenant}/${homeId}`
const ruleKeyOf = ({ isActive, shed }: GuardRule): string => JSON.stringify([isActive, shed])

/** Time of the next decision without reports: a minute later, or the decision time of its quarter. */
function nextDecisionAt(at: number): number {
  const decisionTime = at - (at % QUARTER_MS) + FIRST_DECISION_MS
  return Math.min(at + MAX_DECISION_INTERVAL_MS, decisionTime > at ? decisionTime : decisionTime + QUARTER_MS)
}
