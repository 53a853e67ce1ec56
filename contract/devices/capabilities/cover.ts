import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

/** Where it stands: one that stopped half way is open. */
export const COVER_STATES: Choices = [
  [1, 'coverClosed'],
  [2, 'coverOpen'],
  [3, 'opening', 'on'],
  [4, 'closing', 'on'],
]

/** What it is asked to do. */
export const STOP = 0
export const MOVES: Choices = [
  [1, 'open'],
  [STOP, 'stop'],
  [2, 'close'],
]

/** Percent open: 0 closed, 100 wide open. */
const Percent = z.number().int().min(0).max(100)

const command = { Move: oneOf(MOVES), TargetPosition: Percent }

/**
 * Something with a motor that opens and closes. Position in percent, absent where the motor does not know it. Move and
 * TargetPosition are the last that was asked for and are reported at once, which confirms the command; the way takes as
 * long as it takes.
 *
 * heavy  it may hurt whoever stands in its way, so screens ask before it moves; stopping it is never asked about
 */
export const coverCapability = ({ heavy }: { heavy: boolean }): Capability => ({
  name: 'cover',
  status: { CoverState: oneOf(COVER_STATES), Position: Percent, ...command },
  command,
  units: { Position: '%', TargetPosition: '%' },
  choices: { CoverState: COVER_STATES, Move: MOVES },
  summary: ['CoverState', 'Position'],
  ...(heavy && { asksFirst: ({ Move }) => (Move === STOP ? undefined : 'moveGate') }),
})
