import type { Job } from '../../../kernel/feature.ts'
import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import type { Db } from '../../../kernel/db.ts'
import { executeRun, emitRun as tellScreens } from './execute-run.ts'
import {
  createRunBatch,
  createCommandRateLimiter,
  runKey,
  activeRunOf,
  type RunDeps,
  type RunsState,
} from './state.ts'
import { planSteps } from './plan-steps.ts'
import type { RunPlan, Runs } from './port.ts'
import type { ControlPort } from './ports.ts'
import { prepareRuns, storedOf } from './prepare-runs.ts'
import { abandonedRuns, findRun, insertRuns, markRunsRejected, waitingRuns } from './store.ts'
import type { RunStep } from './step.ts'

/** Interval of the search for runs that other gateways have abandoned, ms. */
const RECLAIM_INTERVAL_MS = 10_000

export type RunEngine = ReturnType<typeof createRuns>

/**
 * Engine that executes runs: it resolves their devices when they begin, sends each a command, and follows each command to its end.
 * Another gateway can continue any step; no command is sent twice.
 */
export function createRuns(deps: RunDeps, control: ControlPort, notify: Notify) {
  const state: RunsState = {
    ...deps,
    control,
    notify,
    activeRuns: new Map(),
    prepared: new Map(),
    batchedRuns: createRunBatch(deps.db),
    pace: createCommandRateLimiter(deps.clock),
    isClosed: false,
  }
  const { db, clock, events, log } = deps
  const working = new Set<Promise<void>>()

  function work(tenant: string, runId: string, planned: boolean): Promise<void> {
    if (state.isClosed) return Promise.resolve()
    const done = executeRun(state, { tenant, runId }, planned)
      .catch((err: unknown) => log.warn({ err, runId }, 'run failed, will resume'))
      .finally(() => working.delete(done))
    working.add(done)
    return done
  }

  async function recoverRuns(): Promise<void> {
    for (const { tenant, runId } of await abandonedRuns(db, clock.now()))
      if (!state.activeRuns.has(runKey(tenant, runId))) void work(tenant, runId, false)
  }

  const begin = (tenant: string, runId: string) => void work(tenant, runId, true)

  const off = [
    events.on('runPlanned', ({ tenant, runId }) => begin(tenant, runId)),
    events.on('commandChanged', ({ tenant, response }) => {
      const live = activeRunOf(state, tenant, response.RequestID, response.PeripheralUID)
      if (!live) return
      const { RequestID, State, Reason, Timestamp } = response
      const isSettled = State === 'confirmed' || State === 'failed' || State === 'timedOut'
      const RequestedAt = live.commands.get(RequestID)?.RequestedAt ?? Timestamp
      live.commands.set(RequestID, { State, Reason, RequestedAt, SettledAt: isSettled ? Timestamp : null })
      if (isSettled) live.wake()
    }),
    events.on('hubOnline', async ({ tenant, homeId, online }) => {
      if (!online) return
      // Newest first: older runs leave what it sets.
      for (const { runId } of await waitingRuns(db, tenant, homeId)) void work(tenant, runId, false)
    }),
  ]

  return {
    async plan(tx: Db, run: RunPlan): Promise<boolean> {
      const [isStored = false] = await insertRuns(tx, [run], clock.now())
      return isStored
    },
    planAll: (tx: Db, runs: readonly RunPlan[]) => insertRuns(tx, runs, clock.now()),
    async prepare(tx: Db, runs: readonly RunPlan[]): Promise<void> {
      if (runs.length === 0) return
      const now = clock.now()
      const prepared = await prepareRuns(
        state,
        tx,
        runs.map((run) => ({ run: storedOf(run, now) })),
      )
      tx.afterCommit(() => {
        for (const one of prepared) state.prepared.set(runKey(one.lease.tenant, one.lease.runId), one)
      })
    },
    async refuse(tx: Db, tenant: string, automationIds: readonly string[]): Promise<void> {
      const rejectedRuns = await markRunsRejected(tx, tenant, automationIds, clock.now())
      tx.afterCommit(() => {
        for (const run of rejectedRuns) {
          state.activeRuns.get(runKey(tenant, run.runId))?.wake()
          tellScreens(state, run)
        }
      })
    },
    begin(tenant: string, runId: string): void {
      begin(tenant, runId)
    },

    /**
     * Stores a run together with its device steps, for callers that need their number.
     *
     * returns  undefined if a run with that id exists
     */
    async planWhole(tx: Db, run: RunPlan): Promise<RunStep[] | undefined> {
      const steps = await planSteps(tx, { ...run, planned: [...run.actions] }, clock.now())
      const open = steps.filter((step) => !step.end)
      const notRun =
        open.length > 0
          ? {}
          : {
              notRun: {
                state: 'skipped',
                reason: steps.length > 0 ? 'handHadChangedIt' : 'nothingToDo',
              } as const,
            }
      const [isStored] = await insertRuns(tx, [{ ...run, ...notRun, steps }], clock.now())
      return isStored ? steps : undefined
    },

    /** Publishes the state of a run again. */
    async publish(tenant: string, runId: string): Promise<void> {
      const run = await findRun(db, tenant, runId)
      if (run) tellScreens(state, run)
    },

    sweeping: { name: 'runs', intervalMs: RECLAIM_INTERVAL_MS, run: recoverRuns } satisfies Job,

    /** Stops starting runs; another gateway continues the ones in progress. */
    async close(): Promise<void> {
      state.isClosed = true
      for (const stop of off) stop()
      for (const { wake } of state.activeRuns.values()) wake()
      await Promise.all(working)
    },
  } satisfies Runs & Record<string, unknown>
}
