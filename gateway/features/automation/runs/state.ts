import type { Deps } from '../../../kernel/deps.ts'
import type { Notify } from '../../../domain/notifications/notification-transport.ts'
import type { BatchedRuns } from './batch-runs.ts'
import type { CommandRateLimiter } from './pace.ts'
import type { ControlPort, UnsentCommand } from './ports.ts'
import { attemptsOf, type CommandsOfRun, requestId, runIdOf } from './step.ts'
import type { RunLease, StoredRun } from './store.ts'

export type RunDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log' | 'identity'>

/** A run that this gateway carries out. */
export interface ActiveRun {
  run?: StoredRun
  commands: Map<string, NonNullable<ReturnType<CommandsOfRun['get']>>>
  wake(): void
}

/** A run that begins, or is over before it began, as it is stored. */
export interface PreparedRun {
  run: StoredRun
  hold: RunLease
  /** Its first commands, which are sent once the transaction has committed. */
  commands: readonly UnsentCommand[]
  /** Runs that ended because of it. */
  older: readonly StoredRun[]
}

export interface RunsState extends RunDeps {
  control: ControlPort
  tellPeople: Notify
  live: Map<string, ActiveRun>
  /** Runs that were prepared in the transaction that has stored them, until they begin. */
  prepared: Map<string, PreparedRun>
  gathered: BatchedRuns
  pace: CommandRateLimiter
  closed: boolean
}

export const runKey = (tenant: string, runId: string): string => `${tenant}/${runId}`

export const homeOf = ({ tenant, homeId }: Pick<StoredRun, 'tenant' | 'homeId'>): string =>
  runKey(tenant, homeId)

/** The run that this gateway carries out and that a command is of, if there is one. */
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
    // The event of a command may arrive before the answer to its sender.
    const known = attemptsOf(run.runId, step, found?.commands ?? new Map()).length
    return Array.from({ length: known + 1 }, (_, i) => requestId(run.runId, step, i + 1)).includes(id)
  })
  return isOfRun ? found : undefined
}
