import type { Model } from './model.ts'

export interface Cover {
  /** Percent open, with the fraction of a way that is not finished. */
  position: number
  /** Where it was last asked to go, and by which movement: 0 stop, 1 open, 2 close. */
  target: number
  move: 0 | 1 | 2
  /** The share of lit lamps after which people last moved it; null before anybody has come by. */
  lit: number | null
}

/** Seconds from closed to open. */
const WAY_SECONDS = 20

const CLOSED = 1
const OPEN = 2
const OPENING = 3
const CLOSING = 4

const going = (state: Cover, target: number): Cover => ({ ...state, target })

/** Moves at an even pace. People open it as they come, and close it as they leave. */
export const cover: Model<Cover> = {
  make: () => ({ position: 0, target: 0, move: 0, lit: null }),
  step(state, seconds, { lit }) {
    const wanted = lit > 0 ? 100 : 0
    const asked =
      state.lit === null || lit > 0 !== state.lit > 0
        ? { ...going(state, wanted), move: wanted > 0 ? (1 as const) : (2 as const), lit }
        : { ...state, lit }
    const most = (seconds / WAY_SECONDS) * 100
    const way = asked.target - asked.position
    return { ...asked, position: asked.position + Math.sign(way) * Math.min(Math.abs(way), most) }
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
      // It stops where it is, to the percent.
      const here = Math.round(state.position)
      return { ...state, position: here, target: here, move: 0 }
    }
    if (Move === 1) return { ...going(state, 100), move: 1 }
    return Move === 2 ? { ...going(state, 0), move: 2 } : state
  },
  draws: () => 0,
}
