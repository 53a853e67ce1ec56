import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Command, CommandFailure } from '../../../../contract/devices/command-calls.ts'
import type { ACTION_STATES, RunState } from '../../../../contract/automation/run-calls.ts'

export type StepState = (typeof ACTION_STATES)[number]

/** One device's action of a run, as it is stored. Where its commands stand is in the table of commands. */
export interface RunStep {
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
  /** Whether the step may wait for a hub whose gateway ended: true for commands of rules, except to outputs that need a confirmation. */
  survives?: boolean
  /** What the fields were when it was sent; undefined before that, null when nobody knew. */
  before?: CommandValues | null
  /** Set once it needs no command any more. */
  end?: { state: StepState; reason: CommandFailure | null; at: number }
  /** Its hub was away: waits until it is back. */
  waits?: boolean
  /** Since when it waits because the gateway of its hub ended, epoch ms: what follows it waits, too. */
  heldUpAt?: number
}

/** The commands of a run by RequestID. */
export type CommandsOfRun = ReadonlyMap<
  string,
  Pick<Command, 'State' | 'Reason' | 'RequestedAt' | 'SettledAt'>
>

/** The RequestID of a step's command, by the number of the attempt from 1. */
export const requestId = (runId: string, { n }: Pick<RunStep, 'n'>, attempt: number): string =>
  attempt === 1 ? `${runId}-${n}` : `${runId}-${n}-r${attempt === 2 ? '' : attempt}`

/** The run that a command belongs to, by its RequestID. */
export const runIdOf = (id: string): string => id.replace(/-\d+(-r\d*)?$/, '')

/** Reason that a command never reached its hub. */
const UNDELIVERED = new Set<CommandFailure | null>(['hubOffline', 'unreachable', 'tooLate'])

/** Whether a command is known not to have reached its hub. */
export const isUndelivered = ({ State, Reason }: Pick<Command, 'State' | 'Reason'>): boolean =>
  State === 'failed' && UNDELIVERED.has(Reason)

type CommandOfRun = NonNullable<ReturnType<CommandsOfRun['get']>>

/** The commands that a step was sent with, oldest first. */
export function attemptsOf(runId: string, step: RunStep, commands: CommandsOfRun): CommandOfRun[] {
  const found: CommandOfRun[] = []
  for (;;) {
    const command = commands.get(requestId(runId, step, found.length + 1))
    if (!command) return found
    found.push(command)
  }
}

/** The command that a step was sent with last. */
export const lastCommand = (
  runId: string,
  step: RunStep,
  commands: CommandsOfRun,
): CommandOfRun | undefined => attemptsOf(runId, step, commands).at(-1)

/** Where a step stands, as screens are told. */
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

/** How many steps are confirmed, have failed or ended otherwise, and are under way. */
export function countSteps(steps: readonly RunStep[]): { confirmed: number; failed: number; open: number } {
  const counts = { confirmed: 0, failed: 0, open: 0 }
  for (const { end } of steps) {
    if (!end) counts.open += 1
    else if (end.state === 'confirmed') counts.confirmed += 1
    else if (end.state !== 'left') counts.failed += 1
  }
  return counts
}

/** How a run ended: partly while a step of it waits for its hub. */
export function endState(steps: readonly RunStep[]): RunState {
  const { confirmed, failed, open } = countSteps(steps)
  if (open > 0) return 'partly'
  if (failed === 0) return 'done'
  return confirmed > 0 ? 'partly' : 'failed'
}
