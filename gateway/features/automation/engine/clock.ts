import type { Engine } from './engine.ts'
import { sql } from '../../../kernel/db.ts'

/** Interval between two polls for due schedules and timers, ms. */
export const TICK_MS = 15_000
/** Horizon of each poll, ms: longer than the interval, so that a late tick misses nothing. */
export const MAX_LOOK_AHEAD_MS = 20_000
/** Timers due within this time run together, ms; also the maximum delay that this causes. */
const SLOT_MS = 100

/** Runs everything that is due at a time, epoch ms. */
export type RunDue = (now: number) => Promise<void>

/**
 * Wakes when schedules and timers become due. No in-memory timer outlasts the polling interval, so that rows of other gateways are seen and
 * changes of the system clock take effect.
 *
 * runDue  called at such a time; never concurrently, but once more if it was requested during a call
 */
export function createDueClock({ db, clock, log }: Pick<Engine, 'db' | 'clock' | 'log'>, runDue: RunDue) {
  /** Functions that cancel the timer of each slot. */
  const timers = new Map<number, () => void>()
  let closed = false
  let running: Promise<void> | undefined
  let isRequested = false
  let polling: Promise<void> | undefined

  function runNow(): Promise<void> {
    if (running) isRequested = !closed
    else
      running = work().finally(() => {
        running = undefined
      })
    return running as Promise<void>
  }

  async function work(): Promise<void> {
    do {
      isRequested = false
      await runDue(clock.now()).catch((err: unknown) => log.warn({ err }, 'due timers failed, will retry'))
    } while (isRequested)
  }

  /** Arms an in-memory timer for a time, epoch ms, unless the next poll comes first. */
  function dueAt(at: number): void {
    const delay = at - clock.now()
    if (closed || delay > MAX_LOOK_AHEAD_MS) return
    const slot = Math.ceil(at / SLOT_MS)
    if (timers.has(slot)) return
    const cancel = clock.after(Math.max(0, slot * SLOT_MS - clock.now()), () => {
      timers.delete(slot)
      void runNow()
    })
    timers.set(slot, cancel)
  }

  async function poll(): Promise<void> {
    const until = clock.now() + MAX_LOOK_AHEAD_MS
    const before = [...timers]
    const slots = await db.query<{ slot: number }>(sql`
      select ceil(due::numeric / ${SLOT_MS}::int)::bigint as slot from (
        select next_run_at as due from automations where next_run_at <= ${until}::bigint
        union all select due_at from automation_waits where due_at <= ${until}::bigint) d
      group by 1`)
    // After a change of the system clock, existing timers would fire too late or much too early.
    for (const [slot, cancel] of before) {
      cancel()
      if (timers.get(slot) === cancel) timers.delete(slot)
    }
    const now = clock.now()
    for (const { slot } of slots) if (slot * SLOT_MS > now) dueAt(slot * SLOT_MS)
    if (slots.some(({ slot }) => slot * SLOT_MS <= now)) await runNow()
  }

  return {
    dueAt,
    /** Runs what is due and arms timers up to the next poll. */
    tick(): Promise<void> {
      polling = poll()
      return polling
    },
    /** Resolves when all current work is done. */
    async idle(): Promise<void> {
      await polling?.catch(() => {})
      await running
    },
    async close(): Promise<void> {
      closed = true
      isRequested = false
      for (const cancel of timers.values()) cancel()
      timers.clear()
      await polling?.catch(() => {})
      await running
    },
  }
}
