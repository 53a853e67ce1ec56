import { z } from 'zod'
import { oneOf, type Capability, type Choices } from './capability.ts'

/** Position of the cover; stopped half way counts as open. */
export const COVER_STATES: Choices = [
  [1, 'coverClosed'],
  [2, 'coverOpen'],
  [3, 'opening', 'on'],
  [4, 'closing', 'on'],
]

export const STOP = 0
export const MOVES: Choices = [
  [1, 'open'],
  [STOP, 'stop'],
  [2, 'close'],
]

/** Percent open: 0 closed, 100 fully open. */
const Percent = z.number().int().min(0).max(100)

const command = { Move: oneOf(MOVES), TargetPosition: Percent }

/**
 * Motorized cover. Position in percent, absent if the motor does not know it. Move and TargetPosition are the last requested
 * values; they are reported at once, which confirms the command while the cover is still moving.
 *
 * heavy  it may injure people, so screens ask for confirmation before it moves, but not before it stops
 */
export const coverCapability = ({ heavy }: { heavy: boolean }): Capability => ({
  name: 'cover',
  status: { CoverState: oneOf(COVER_STATES), Position: Percent, ...command },
  command,
  units: { Position: '%', TargetPosition: '%' },
  choices: { CoverState: COVER_STATES, Move: MOVES },
  summary: ['CoverState', 'Position'],
  ...(heavy && { needsConfirmation: ({ Move }) => (Move === STOP ? undefined : 'moveGate') }),
})
