import type { CommandState } from './command-calls.ts'

/** Order of the command states; final states are last. */
const STEP: Record<CommandState, number> = {
  accepted: 0,
  sent: 1,
  acknowledged: 2,
  confirmed: 3,
  failed: 3,
  timedOut: 3,
}

/** Whether a command in one state cannot enter another. Messages about a command may arrive from two gateways in any order. */
export const isRegression = (current: CommandState, next: CommandState): boolean =>
  STEP[next] < STEP[current] || STEP[current] === STEP.confirmed
