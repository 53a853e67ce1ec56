import type { ConditionTrace } from '../../../../contract/automation/run-calls.ts'
import type { RunCause, SkipReason } from '../../../../contract/automation/run-states.ts'
import type { Action, ORDERS } from '../../../../contract/automation/action.ts'
import type { Db } from '../../../kernel/db.ts'

/**
 * Minimum time that a rule's command waits for a hub whose gateway ended, ms: hubs reconnect within 1 to 60 s, and another gateway
 * claims a run within 40 s.
 */
export const MIN_HUB_WAIT_MS = 90_000

/** A decided run: its actions, cause and owner. */
export interface RunPlan {
  tenant: string
  homeId: string
  /** At most 48 characters; chosen by the planner. */
  runId: string
  automationId: string | null
  sceneId: string | null
  name: string | null
  cause: RunCause
  /** Display name of a person, for causes person and undo. */
  by: string | null
  /** Owner of the automation, whose rights are checked again at the start; null for a run by a person whose rights were just checked. */
  ownerId: string | null
  /** Number of the edge of the conditions, and planned time (epoch ms): at most one run of each. */
  edgeNo: number | null
  plannedAt: number | null
  /** Number of runs in the causal chain before this one. */
  depth: number
  actions: readonly Action[]
  order: (typeof ORDERS)[number]
  /** With order inOrder: whether the rest is skipped after an action that was not confirmed; default false. */
  stopOnFailure?: boolean
  /** End of the time that a command may wait for an offline hub, epoch ms; null if it may not wait. */
  catchUpUntil: number | null
  conditions: readonly ConditionTrace[]
  /** For causes end and undo: the run whose previous field values are restored instead of running actions. */
  restores: string | null
  /** For a run that is not executed: its state and the reason. */
  notRun?: { state: 'skipped' | 'missed' | 'loopStopped' | 'refused'; reason: SkipReason | null }
}

export interface Runs {
  /**
   * Stores a run in the transaction that decides it.
   *
   * returns  false if another gateway has stored one with the same edge or time
   */
  plan(tx: Db, run: RunPlan): Promise<boolean>
  planAll(tx: Db, runs: readonly RunPlan[]): Promise<boolean[]>
  /**
   * Prepares runs that were stored in this transaction, so that only their first commands have to be sent when they begin. Optional:
   * an unprepared run is prepared when it begins.
   */
  prepare(tx: Db, runs: readonly RunPlan[]): Promise<void>
  /** Cancels unsent commands of automations that have lost their owner, in the transaction of that change. */
  refuse(tx: Db, tenant: string, automationIds: readonly string[]): Promise<void>
  /** Begins a stored run after its transaction commits. It continues regardless of the caller. */
  begin(tenant: string, runId: string): void
}
