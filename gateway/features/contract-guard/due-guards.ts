import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { FIRST_DECISION_MS } from '../../../contract/automation/load-shedding.ts'
import type { GatewayEvents } from '../../kernel/events.ts'
import type { GuardKey, GuardRule } from './guards.ts'

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
    heard(report: Pick<GatewayEvents['statusChanged'], 'tenant' | 'homeId' | 'uids'>): GuardKey[] {
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
    begins(rule: GuardKey): void {
      const one = cache.get(keyOf(rule))
      if (one) one.hasReport = false
    },

    /** Records the result of a decision; an undecided guard stays due. */
    ended(
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

    keep(rules: readonly GuardKey[]): void {
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
