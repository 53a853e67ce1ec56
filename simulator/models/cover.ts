import type { Model } from './model.ts'

export interface Cover {
  /** Percent open, with fractions while it moves. */
  position: number
  /** Target position, and the last movement command: 0 stop, 1 open, 2 close. */
  target: number
  move: 0 | 1 | 2
  /** Share of lit lamps when people last moved it; null before the first visit. */
  lit: number | null
}

/** Seconds from closed to open. */
const WAY_SECONDS = 20

const CLOSED = 1
const OPEN = 2
const OPENING = 3
const CLOSING = 4

const going = (state: Cover, target: number): Cover => ({ ...state, target })

/** Moves at constant speed. People open it when they arrive, and close it when they leave. */
export const cover: Model<Cover> = {
  make: () => ({ position: 0, target: 0, move: 0, lit: null }),
  step(state, seconds, { lit }) {
    const wanted = lit > 0 ? 100 : 0
    const asked =
      state.lit === null || lit > 0 !== state.lit > 0
        ? { ...going(state, wanted), move: wanted > 0 ? (1 as const) : (2 as const), lit }
        : { ...state, lit }
    const maxStep = (seconds / WAY_SECONDS) * 100
    const distance = asked.target - asked.position
    return {
      ...asked,
      position: asked.position + Math.sign(distance) * Math.min(Math.abs(distance), maxStep),
    }
  },
  report: ({ position, target, move }) => ({
    CoverState: position < target ? OPENING : position > target ? CLOSING : position > 0 ? OPEN : CLOSED,
    Position: Math.round(position),
    Move: move,
    TargetPosition: target,
  }),
  command(state, { Move, TargetPosition }) {
    if (typeof TargetPosition === 'number') return going(state, TargetPosition)
    if (Move === 0) {
      // Stops at the current position, rounded to a percent.
      const position = Math.round(state.position)
      return { ...state, position, target: position, move: 0 }
    }
    if (Move === 1) return { ...going(state, 100), move: 1 }
    return Move === 2 ? { ...going(state, 0), move: 2 } : state
  },
  draws: () => 0,
}
