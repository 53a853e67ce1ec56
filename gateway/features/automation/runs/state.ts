import type { Deps } from '../../../deps.ts'
import type { Tell } from '../../../lib/notices.ts'
import type { Gathered } from './gathered.ts'
import type { Pace } from './pace.ts'
import type { ControlPort, StoredCommand } from './ports.ts'
import { attemptsOf, type CommandsOfRun, requestId, runIdOf } from './step.ts'
import type { Hold, StoredRun } from './store.ts'

export type RunDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log' | 'identity'>

/** A run that this gateway carries out. */
export interface Live {
  run?: StoredRun
  commands: Map<string, NonNullable<ReturnType<CommandsOfRun['get']>>>
  wake(): void
}

/** A run that begins, or is over before it began, as it is stored. */
export interface Prepared {
  run: StoredRun
  hold: Hold
  /** Its first commands, which are sent once the transaction has committed. */
  commands: readonly StoredCommand[]
  /** Runs that ended because of it. */
  older: readonly StoredRun[]
}

export interface RunsState extends RunDeps {
  control: ControlPort
  tellPeople: Tell
  live: Map<string, Live>
  /** Runs that were prepared in the transaction that has stored them, until they begin. */
  prepared: Map<string, Prepared>
  gathered: Gathered
  pace: Pace
  closed: boolean
}

export const keyOf = (tenant: string, runId: string): string => `${tenant}/${runId}`

export const homeOf = ({ tenant, homeId }: Pick<StoredRun, 'tenant' | 'homeId'>): string =>
  keyOf(tenant, homeId)

/** The run that this gateway carries out and that a command is of, if there is one. */
export function liveOf({ live }: RunsState, tenant: string, id: string, uid: string): Live | undefined {
  const found = live.get(keyOf(tenant, runIdOf(id)))
  const { run } = found ?? {}
  const isOfRun = run?.steps.some((step) => {
    if (step.uid !== uid) return false
    // The event of a command may arrive before the answer to its sender.
    const known = attemptsOf(run.runId, step, found?.commands ?? new Map()).length
    return Array.from({ length: known + 1 }, (_, i) => requestId(run.runId, step, i + 1)).includes(id)
  })
  return isOfRun ? found : undefined
}
