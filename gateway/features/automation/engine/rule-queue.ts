import type { Engine } from './engine.ts'
import { ruleKey } from './compile.ts'
import type { RuleKey } from './rule-rows.ts'

/** Rules that are decided at a time: each takes a connection. */
const AT_ONCE = 4
/** Before what failed is tried again, ms: doubled each time, up to the longest. */
const RETRY = { first: 500, longest: 15_000 }

/**
 * Decides rules, each one at a time: one that is named while it is decided is decided once more. What fails, because the database is
 * away, stays and is tried again.
 */
export function createRuleQueue(
  { clock, log }: Pick<Engine, 'clock' | 'log'>,
  decide: (key: RuleKey) => Promise<void>,
) {
  const waiting = new Map<string, RuleKey>()
  const running = new Map<string, Promise<void>>()
  let retry = RETRY.first
  let cancel: (() => void) | undefined
  let closed = false

  function begin(): void {
    if (cancel || closed) return
    for (const [name, key] of waiting) {
      if (running.size >= AT_ONCE) return
      if (running.has(name)) continue
      waiting.delete(name)
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
      waiting.set(name, key)
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
      for (const key of keys) waiting.set(ruleKey(key), key)
      begin()
    },
    /** Resolves when nothing is at work; what failed may wait still. */
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
