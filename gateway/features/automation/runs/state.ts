import type { Deps } from '../../deps.ts'
import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import { createRequestCoalescer } from '../../../store/coalesce-requests.ts'
import type { Db } from '../../../kernel/db.ts'
import { loadDevices, type TargetDevice } from '../targets/targets.ts'
import { MAX_ACTIONS } from '../../../../contract/automation/action.ts'
import type { Clock } from '../../../kernel/ports.ts'
import type { ControlPort, UnsentCommand } from './ports.ts'
import { attemptsOf, type CommandsOfRun, requestId, runIdOf } from './step.ts'
import { type RunLease, type StoredRun, readCommandsOfRuns, type RunChange, saveRuns } from './store.ts'

type BatchedRuns = ReturnType<typeof createRunBatch>

/** Database access of runs, in which concurrent requests share one statement. */
export const createRunBatch = (db: Db) => ({
  /** Changes a run that this gateway leases; see `saveRuns`. */
  save: createRequestCoalescer<RunChange, RunLease | undefined>({
    run: (changes) => saveRuns(db, changes),
    groupOf: ({ lease }) => lease.tenant,
    keyOf: ({ lease }) => lease.runId,
  }),

  /** States of the commands of a run, by RequestID. */
  readCommands: createRequestCoalescer<{ tenant: string; runId: string }, CommandsOfRun>({
    async run(items) {
      const all = await readCommandsOfRuns(
        db,
        items[0]?.tenant ?? '',
        items.map(({ runId }) => runId),
      )
      return items.map(({ runId }) => all.get(runId) ?? new Map())
    },
    groupOf: ({ tenant }) => tenant,
  }),

  /** Devices of a home as stored now, by UID. */
  devices: createRequestCoalescer<
    { tenant: string; homeId: string; uids: readonly string[] },
    ReadonlyMap<string, TargetDevice>
  >({
    async run(items) {
      const { tenant = '', homeId = '' } = items[0] ?? {}
      const uids = [...new Set(items.flatMap((each) => each.uids))]
      const devices = await loadDevices(db, { tenant, homeId }, { uids })
      const byId = new Map(devices.map((device) => [device.uid, device]))
      return items.map(() => byId)
    },
    groupOf: ({ tenant, homeId }) => `${tenant}/${homeId}`,
  }),
})

/** Commands per second that runs send to a home after an initial burst of `AT_ONCE`, the maximum of one list of actions. */
const A_SECOND = 60
const AT_ONCE = MAX_ACTIONS
const SECOND = 1_000

type CommandRateLimiter = ReturnType<typeof createCommandRateLimiter>

/**
 * Limits the rate of commands that runs send to the hubs of a home. Counts the commands of this gateway's runs; commands of people
 * are neither counted nor delayed.
 */
export function createCommandRateLimiter(clock: Pick<Clock, 'now'>) {
  const homes = new Map<string, { tokens: number; refilledAt: number }>()

  function tokensOf(home: string) {
    const now = clock.now()
    const known = homes.get(home) ?? { tokens: AT_ONCE, refilledAt: now }
    homes.set(home, known)
    const seconds = Math.floor((now - known.refilledAt) / SECOND)
    // After the clock was set back, counting restarts.
    if (seconds < 0) known.refilledAt = now
    else {
      known.tokens = Math.min(AT_ONCE, known.tokens + seconds * A_SECOND)
      known.refilledAt = known.tokens === AT_ONCE ? now : known.refilledAt + seconds * SECOND
    }
    return known
  }

  return {
    /** Takes up to the wanted number of commands; returns how many may be sent now. */
    take(home: string, requestedCount: number): number {
      const known = tokensOf(home)
      const grantedCount = Math.min(requestedCount, known.tokens)
      known.tokens -= grantedCount
      return grantedCount
    },
    /** Time at which more may be sent, epoch ms. */
    nextAt: (home: string): number => tokensOf(home).refilledAt + SECOND,
  }
}

export type RunDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log' | 'identity'>

export interface ActiveRun {
  run?: StoredRun
  commands: Map<string, NonNullable<ReturnType<CommandsOfRun['get']>>>
  wake(): void
}

/** A stored run that begins, or ended before it began. */
export interface PreparedRun {
  run: StoredRun
  lease: RunLease
  /** First commands, sent after the transaction commits. */
  commands: readonly UnsentCommand[]
  /** Runs that it superseded. */
  superseded: readonly StoredRun[]
}

export interface RunsState extends RunDeps {
  control: ControlPort
  notify: Notify
  activeRuns: Map<string, ActiveRun>
  /** Runs prepared in the transaction that stored them, until they begin. */
  prepared: Map<string, PreparedRun>
  batchedRuns: BatchedRuns
  pace: CommandRateLimiter
  isClosed: boolean
}

export const runKey = (tenant: string, runId: string): string => `${tenant}/${runId}`

export const homeOf = ({ tenant, homeId }: Pick<StoredRun, 'tenant' | 'homeId'>): string =>
  runKey(tenant, homeId)

/** Run of this gateway that a command belongs to, if any. */
export function activeRunOf(
  { activeRuns }: RunsState,
  tenant: string,
  id: string,
  uid: string,
): ActiveRun | undefined {
  const found = activeRuns.get(runKey(tenant, runIdOf(id)))
  const { run } = found ?? {}
  const isOfRun = run?.steps.some((step) => {
    if (step.uid !== uid) return false
    // The event of a command may arrive before the response to its sender.
    const known = attemptsOf(run.runId, step, found?.commands ?? new Map()).length
    return Array.from({ length: known + 1 }, (_, i) => requestId(run.runId, step, i + 1)).includes(id)
  })
  return isOfRun ? found : undefined
}
