import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Command, CommandFailure } from '../../../../contract/devices/command-calls.ts'
import type { ACTION_STATES, RunState } from '../../../../contract/automation/run-calls.ts'

export type StepState = (typeof ACTION_STATES)[number]

/** Stored action of a run on one device. The states of its commands are in the commands table. */
export interface RunStep {
  /** Number in its commands' RequestIDs, from 1. */
  n: number
  uid: string
  values: CommandValues
  /** Delay in seconds: from the start of the run, or in order, after the previous step. */
  after: number
  /**
   * Numbers of the steps after which it begins, if the order of its run does not apply: for a scene with another order than the
   * automation that runs it.
   */
  follows?: readonly number[]
  /** Whether this step is skipped if one that it follows was not confirmed. */
  stops?: boolean
  /** Whether this step may wait for an offline hub. */
  catchUp: boolean
  /** Whether the step may wait for a hub whose gateway ended: true for commands of rules, except to outputs that need a confirmation. */
  survives?: boolean
  /** Values of the fields before it was sent; undefined until then, null if unknown. */
  before?: CommandValues | null
  /** Set once it needs no further command. */
  end?: { state: StepState; reason: CommandFailure | null; at: number }
  /** Whether this step waits for its hub to reconnect. */
  waits?: boolean
  /** Start of a wait for a hub whose gateway ended, epoch ms; the steps that follow wait too. */
  heldUpAt?: number
}

export type CommandsOfRun = ReadonlyMap<
  string,
  Pick<Command, 'State' | 'Reason' | 'RequestedAt' | 'SettledAt'>
>

export const requestId = (runId: string, { n }: Pick<RunStep, 'n'>, attempt: number): string =>
  attempt === 1 ? `${runId}-${n}` : `${runId}-${n}-r${attempt === 2 ? '' : attempt}`

export const runIdOf = (id: string): string => id.replace(/-\d+(-r\d*)?$/, '')

/** Reasons that a command never reached its hub. */
const UNDELIVERED = new Set<CommandFailure | null>(['hubOffline', 'unreachable', 'tooLate'])

/** Whether a command is known not to have reached its hub. */
export const isUndelivered = ({ State, Reason }: Pick<Command, 'State' | 'Reason'>): boolean =>
  State === 'failed' && UNDELIVERED.has(Reason)

type CommandOfRun = NonNullable<ReturnType<CommandsOfRun['get']>>

export function attemptsOf(runId: string, step: RunStep, commands: CommandsOfRun): CommandOfRun[] {
  const found: CommandOfRun[] = []
  for (;;) {
    const command = commands.get(requestId(runId, step, found.length + 1))
    if (!command) return found
    found.push(command)
  }
}

export const lastCommand = (
  runId: string,
  step: RunStep,
  commands: CommandsOfRun,
): CommandOfRun | undefined => attemptsOf(runId, step, commands).at(-1)

/** State of a step as screens receive it. */
export function stateOf(
  runId: string,
  step: RunStep,
  commands: CommandsOfRun,
): { State: StepState; Reason: CommandFailure | null } {
  if (step.end) return { State: step.end.state, Reason: step.end.reason }
  const last = lastCommand(runId, step, commands)
  if (step.waits) return { State: 'catchUp', Reason: last?.Reason ?? 'hubOffline' }
  return last ? { State: last.State, Reason: last.Reason } : { State: 'waiting', Reason: null }
}

/** Numbers of confirmed steps, of failed or otherwise ended ones, and of open ones. */
export function countSteps(steps: readonly RunStep[]): { confirmed: number; failed: number; open: number } {
  const counts = { confirmed: 0, failed: 0, open: 0 }
  for (const { end } of steps) {
    if (!end) counts.open += 1
    else if (end.state === 'confirmed') counts.confirmed += 1
    else if (end.state !== 'left') counts.failed += 1
  }
  return counts
}

/** Final state of a run; partly while one of its steps waits for its hub. */
export function endState(steps: readonly RunStep[]): RunState {
  const { confirmed, failed, open } = countSteps(steps)
  if (open > 0) return 'partly'
  if (failed === 0) return 'done'
  return confirmed > 0 ? 'partly' : 'failed'
}
