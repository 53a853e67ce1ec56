import type { CommandState } from './command-calls.ts'

/** How far a command is in each state; its ends are the furthest. */
const STEP: Record<CommandState, number> = {
  accepted: 0,
  sent: 1,
  acknowledged: 2,
  confirmed: 3,
  failed: 3,
  timedOut: 3,
}

/** Whether a command that stands in one state cannot enter another: news of one command may come from two gateways, in any order. */
export const isRegression = (stands: CommandState, next: CommandState): boolean =>
  STEP[next] < STEP[stands] || STEP[stands] === STEP.confirmed
