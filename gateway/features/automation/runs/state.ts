import type { Deps } from '../../deps.ts'
import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import type { BatchedRuns } from './batch-runs.ts'
import type { CommandRateLimiter } from './pace.ts'
import type { ControlPort, UnsentCommand } from './ports.ts'
import { attemptsOf, type CommandsOfRun, requestId, runIdOf } from './step.ts'
import type { RunLease, StoredRun } from './store.ts'

export type RunDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log' | 'identity'>

export interface ActiveRun {
  run?: StoredRun
  commands: Map<string, NonNullable<ReturnType<CommandsOfRun['get']>>>
  wake(): void
}

/** A stored run that begins, or ended before it began. */
export interface PreparedRun {
  run: StoredRun
  hold: RunLease
  /** First commands, sent after the transaction commits. */
  commands: readonly UnsentCommand[]
  /** Runs that it superseded. */
  older: readonly StoredRun[]
}

export interface RunsState extends RunDeps {
  control: ControlPort
  tellPeople: Notify
  live: Map<string, ActiveRun>
  /** Runs prepared in the transaction that stored them, until they begin. */
  prepared: Map<string, PreparedRun>
  gathered: BatchedRuns
  pace: CommandRateLimiter
  closed: boolean
}

export const runKey = (tenant: string, runId: string): string => `${tenant}/${runId}`

export const homeOf = ({ tenant, homeId }: Pick<StoredRun, 'tenant' | 'homeId'>): string =>
  runKey(tenant, homeId)

/** Run of this gateway that a command belongs to, if any. */
export function activeRunOf(
  { live }: RunsState,
  tenant: string,
  id: string,
  uid: string,
): ActiveRun | undefined {
  const found = live.get(runKey(tenant, runIdOf(id)))
  const { run } = found ?? {}
  const isOfRun = run?.steps.some((step) => {
    if (step.uid !== uid) return false
    // The event of a command may arrive before the response to its sender.
    const known = attemptsOf(run.runId, step, found?.commands ?? new Map()).length
    return Array.from({ length: known + 1 }, (_, i) => requestId(run.runId, step, i + 1)).includes(id)
  })
  return isOfRun ? found : undefined
}
