import type { ConditionTrace, RunCause, SkipReason } from '../../../../contract/automation/run-calls.ts'
import type { Action, ORDERS } from '../../../../contract/automation/action.ts'
import type { Db } from '../../../store/db.ts'

/**
 * Minimum time that a command of a rule waits for a hub whose gateway ended, ms: hubs reconnect within 1 to 60 s, and another gateway
 * takes up a run within 40 s.
 */
export const MIN_HUB_WAIT_MS = 90_000

/** A run that is decided: what is to be done, why, and as whom. */
export interface RunPlan {
  tenant: string
  homeId: string
  /** At most 48 characters; chosen by who plans it. */
  runId: string
  automationId: string | null
  sceneId: string | null
  name: string | null
  cause: RunCause
  /** A person's display name, of cause person and undo. */
  by: string | null
  /** Of an automation: whose rights are looked at again when it begins; null for a person who was just allowed to. */
  ownerId: string | null
  /** Which turn of the conditions, and for when it was planned (epoch ms): at most one run of each. */
  edgeNo: number | null
  plannedAt: number | null
  /** How many runs caused each other before this one. */
  depth: number
  actions: readonly Action[]
  order: (typeof ORDERS)[number]
  /** In order: whether the rest is left out once an action was not confirmed; left out no. */
  stopOnFailure?: boolean
  /** End of the time that a command may wait for an offline hub, epoch ms; null if it may not wait. */
  catchUpUntil: number | null
  conditions: readonly ConditionTrace[]
  /** Of cause end and undo: the run whose fields become what they were, in place of actions. */
  restores: string | null
  /** Instead of being carried out: why it only nearly ran, or was missed. */
  notRun?: { state: 'skipped' | 'missed' | 'loopStopped' | 'refused'; reason: SkipReason | null }
}

/** What the engine asks of runs. */
export interface Runs {
  /**
   * Stores a run in the transaction in which it is decided.
   *
   * returns  false when another gateway has stored one of the same turn or time
   */
  plan(tx: Db, run: RunPlan): Promise<boolean>
  /** The same of several runs, in their order. */
  planAll(tx: Db, runs: readonly RunPlan[]): Promise<boolean[]>
  /**
   * Prepares runs that were stored in this transaction, after which nothing but their first commands is left to be sent when they
   * begin. It may be left out: what is not prepared is when it begins.
   */
  prepare(tx: Db, runs: readonly RunPlan[]): Promise<void>
  /** Ends what runs of some automations of a company have not sent yet, in the transaction in which nobody answers for these any more. */
  refuse(tx: Db, tenant: string, automationIds: readonly string[]): Promise<void>
  /** Begins a stored run, once its transaction has committed. It is carried out whatever becomes of the caller. */
  begin(tenant: string, runId: string): void
}
