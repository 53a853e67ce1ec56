import type { Engine } from './engine.ts'
import { ruleKey } from './compile.ts'
import type { RuleKey } from '../rules/rule-rows.ts'

/** Maximum number of concurrent evaluations; each takes a connection. */
const AT_ONCE = 4
/** Delay before failed rules are retried, ms; doubles up to the longest. */
const RETRY = { first: 500, longest: 15_000 }

/**
 * Queue of rules to evaluate, never two evaluations of the same rule at a time: one that is added during its evaluation is evaluated once
 * more. Failed ones, for example while the database is unavailable, are retried.
 */
export function createRuleQueue(
  { clock, log }: Pick<Engine, 'clock' | 'log'>,
  decide: (key: RuleKey) => Promise<void>,
) {
  const pendingRules = new Map<string, RuleKey>()
  const running = new Map<string, Promise<void>>()
  let retry = RETRY.first
  let cancel: (() => void) | undefined
  let closed = false

  function begin(): void {
    if (cancel || closed) return
    for (const [name, key] of pendingRules) {
      if (running.size >= AT_ONCE) return
      if (running.has(name)) continue
      pendingRules.delete(name)
      running.set(
        name,
        work(name, key).finally(() => {
          running.delete(name)
          begin()
        }),
      )
    }
  }

  async function work(name: string, key: RuleKey): Promise<void> {
    try {
      await decide(key)
      retry = RETRY.first
    } catch (err) {
      log.warn({ err, automationId: key.automationId }, 'rule evaluation failed, will retry')
      pendingRules.set(name, key)
      cancel ??= clock.after(retry, () => {
        cancel = undefined
        begin()
      })
      retry = Math.min(retry * 2, RETRY.longest)
    }
  }

  return {
    add(keys: Iterable<RuleKey>): void {
      if (closed) return
      for (const key of keys) pendingRules.set(ruleKey(key), key)
      begin()
    },
    /** Resolves when nothing is running; failed rules may still be queued. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running.values())
    },
    async close(): Promise<void> {
      closed = true
      cancel?.()
      await Promise.all(running.values())
    },
  }
}
