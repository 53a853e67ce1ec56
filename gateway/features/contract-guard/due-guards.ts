import { QUARTER_MS } from '../../../contract/time/periods.ts'
import { FIRST_DECISION_MS } from '../../../contract/automation/load-shedding.ts'
import type { GatewayEvents } from '../../kernel/events.ts'
import type { GuardKey, GuardRule } from './guards.ts'

/** A guard is decided at least so often, ms, though none of its meters is heard: their silence is something to tell of as well. */
const MAX_DECISION_INTERVAL_MS = 60_000
/** Which meters a guard goes by is asked again after so many ms. */
const METERS_KNOWN_FOR = 600_000

const keyOf = ({ tenant, automationId }: GuardKey): string => `${tenant}/${automationId}`

/** What a gateway remembers of a guard, only to know when to decide it. */
interface Known extends GuardKey {
  homeId: string
  meters: ReadonlySet<string>
  /** When it was asked for the meters. */
  at: number
  /** What of the rule decides: another one is decided at once. */
  rule: string
  /** A main meter has reported since it was decided. */
  hasReport: boolean
}

/**
 * Which guards there is reason to decide: a main meter has reported, loads are off, the third minute of a quarter is over, the rule is
 * another one, or it was not decided for a minute.
 */
export function createDueGuards() {
  const known = new Map<string, Known>()
  /** Those of a home, which each of its reports asks for. */
  const byHome = new Map<string, Set<string>>()

  function forget(rule: GuardKey): void {
    const key = keyOf(rule)
    const one = known.get(key)
    if (!one) return
    known.delete(key)
    const others = byHome.get(homeOf(one))
    if (others?.delete(key) && others.size === 0) byHome.delete(homeOf(one))
  }

  return {
    /** Notes whose meters have reported; answers the guards that go by them. */
    heard(reported: Pick<GatewayEvents['statusChanged'], 'tenant' | 'homeId' | 'uids'>): GuardKey[] {
      const found: GuardKey[] = []
      for (const key of byHome.get(homeOf(reported)) ?? []) {
        const one = known.get(key)
        if (!one || !reported.uids.some((uid) => one.meters.has(uid))) continue
        one.hasReport = true
        found.push(one)
      }
      return found
    },

    isDue(rule: GuardRule, now: number): boolean {
      const one = known.get(keyOf(rule))
      if (rule.isAtWork || !one || one.hasReport || one.rule !== writtenOf(rule)) return true
      return rule.decidedAt === null || now >= nextLook(rule.decidedAt) || now - one.at >= METERS_KNOWN_FOR
    },

    /** A decision begins: what is heard from now on is a reason for the next one. */
    begins(rule: GuardKey): void {
      const one = known.get(keyOf(rule))
      if (one) one.hasReport = false
    },

    /** What came of it. One that was not decided is due still. */
    ended(
      rule: GuardRule,
      { isDecided, meters }: { isDecided: boolean; meters: readonly string[] },
      now: number,
    ): void {
      const { tenant, automationId, homeId } = rule
      const key = keyOf(rule)
      const before = known.get(key)
      const one = {
        ...{ tenant, automationId, homeId },
        meters: new Set(meters),
        at: now,
        rule: isDecided || !before ? writtenOf(rule) : before.rule,
        hasReport: before?.hasReport === true || !isDecided,
      }
      forget(rule)
      known.set(key, one)
      byHome.set(homeOf(one), (byHome.get(homeOf(one)) ?? new Set()).add(key))
    },

    /** Knows nothing more of a guard, so that it is due: it could not be decided. */
    forget,

    /** Forgets guards that there are no more. */
    keep(rules: readonly GuardKey[]): void {
      const keys = new Set(rules.map(keyOf))
      for (const one of known.values()) if (!keys.has(keyOf(one))) forget(one)
    },
  }
}

const homeOf = ({ tenant, homeId }: Pick<Known, 'tenant' | 'homeId'>): string => `${tenant}/${homeId}`
const writtenOf = ({ isActive, shed }: GuardRule): string => JSON.stringify([isActive, shed])

/** When a guard is decided again of which nothing is heard: a minute later, or when its quarter is old enough. */
function nextLook(at: number): number {
  const mark = at - (at % QUARTER_MS) + FIRST_DECISION_MS
  return Math.min(at + MAX_DECISION_INTERVAL_MS, mark > at ? mark : mark + QUARTER_MS)
}
