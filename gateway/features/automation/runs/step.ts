import type { CommandValues } from '../../../../contract/device-kinds/capability.ts'
import type { Command, CommandFailure } from '../../../../contract/procedures/commands.ts'
import type { ACTION_STATES, RunState } from '../../../../contract/procedures/runs.ts'

export type StepState = (typeof ACTION_STATES)[number]

/** One device's action of a run, as it is stored. Where its commands stand is in the table of commands. */
export interface Step {
  /** Of its commands' RequestIDs, from 1. */
  n: number
  uid: string
  values: CommandValues
  /** Seconds to wait: from the beginning of the run, or in order after the step before. */
  after: number
  /**
   * Numbers of the steps after which it begins, in place of what the order of its run says: of a scene that is carried out in another
   * order than the automation that runs it.
   */
  follows?: readonly number[]
  /** Whether it is left out when one that it follows was not confirmed. */
  stops?: boolean
  /** Whether it may wait for a hub that is away. */
  catchUp: boolean
  /** What the fields were when it was sent; undefined before that, null when nobody knew. */
  before?: CommandValues | null
  /** Set once it needs no command any more. */
  end?: { state: StepState; reason: CommandFailure | null; at: number }
  /** Its hub was away: waits until it is back. */
  waits?: boolean
}

/** The commands of a run by RequestID. */
export type CommandsOfRun = ReadonlyMap<
  string,
  Pick<Command, 'State' | 'Reason' | 'RequestedAt' | 'SettledAt'>
>

/** The RequestID of a step's first command, and of its second. */
export const requestId = (runId: string, { n }: Pick<Step, 'n'>, attempt: 1 | 2): string =>
  attempt === 1 ? `${runId}-${n}` : `${runId}-${n}-r`

/** The command that a step was sent with last. */
export function lastCommand(runId: string, step: Step, commands: CommandsOfRun) {
  const second = commands.get(requestId(runId, step, 2))
  const first = commands.get(requestId(runId, step, 1))
  return second ? { command: second, attempt: 2 as const } : first && { command: first, attempt: 1 as const }
}

/** Where a step stands, as screens are told. */
export function stateOf(
  runId: string,
  step: Step,
  commands: CommandsOfRun,
): { State: StepState; Reason: CommandFailure | null } {
  if (step.end) return { State: step.end.state, Reason: step.end.reason }
  if (step.waits) return { State: 'catchUp', Reason: 'hubOffline' }
  const last = lastCommand(runId, step, commands)
  return last
    ? { State: last.command.State, Reason: last.command.Reason }
    : { State: 'waiting', Reason: null }
}

/** How many steps are confirmed, have failed or ended otherwise, and are under way. */
export function countSteps(steps: readonly Step[]): { confirmed: number; failed: number; open: number } {
  const counts = { confirmed: 0, failed: 0, open: 0 }
  for (const { end } of steps) {
    if (!end) counts.open += 1
    else if (end.state === 'confirmed') counts.confirmed += 1
    else if (end.state !== 'left') counts.failed += 1
  }
  return counts
}

/** How a run ended: partly while a step of it waits for its hub. */
export function endState(steps: readonly Step[]): RunState {
  const { confirmed, failed, open } = countSteps(steps)
  if (open > 0) return 'partly'
  if (failed === 0) return 'done'
  return confirmed > 0 ? 'partly' : 'failed'
}
