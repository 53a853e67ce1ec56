import type { OnOff } from '../../contract/devices/capabilities/capability.ts'
import type { IRContainer } from '../../contract/devices/capabilities/camera-and-ir.ts'
import type { Model } from './model.ts'

interface Cover {
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

const moveTo = (state: Cover, target: number): Cover => ({ ...state, target })

/** Moves at constant speed. People open it when they arrive, and close it when they leave. */
export const cover: Model<Cover> = {
  make: () => ({ position: 0, target: 0, move: 0, lit: null }),
  step(state, seconds, { lit }) {
    const desiredPosition = lit > 0 ? 100 : 0
    const requestedTarget =
      state.lit === null || lit > 0 !== state.lit > 0
        ? { ...moveTo(state, desiredPosition), move: desiredPosition > 0 ? (1 as const) : (2 as const), lit }
        : { ...state, lit }
    const maxStep = (seconds / WAY_SECONDS) * 100
    const distance = requestedTarget.target - requestedTarget.position
    return {
      ...requestedTarget,
      position: requestedTarget.position + Math.sign(distance) * Math.min(Math.abs(distance), maxStep),
    }
  },
  report: ({ position, target, move }) => ({
    CoverState: position < target ? OPENING : position > target ? CLOSING : position > 0 ? OPEN : CLOSED,
    Position: Math.round(position),
    Move: move,
    TargetPosition: target,
  }),
  command(state, { Move, TargetPosition }) {
    if (typeof TargetPosition === 'number') return moveTo(state, TargetPosition)
    if (Move === 0) {
      // Stops at the current position, rounded to a percent.
      const position = Math.round(state.position)
      return { ...state, position, target: position, move: 0 }
    }
    if (Move === 1) return { ...moveTo(state, 100), move: 1 }
    return Move === 2 ? { ...moveTo(state, 0), move: 2 } : state
  },
  draws: () => 0,
}

interface Siren {
  on: OnOff
  /** Seconds for which it has sounded without a break. */
  seconds: number
}

/** Maximum sounding time; noise regulations require a limit for sirens on buildings. */
const MAX_SOUNDING_SECONDS = 180

/** Sounds after a command until the next command or the time limit. */
export const siren: Model<Siren> = {
  make: () => ({ on: 0, seconds: 0 }),
  step(state, elapsedSeconds) {
    if (state.on === 0) return state
    const seconds = state.seconds + elapsedSeconds
    return seconds < MAX_SOUNDING_SECONDS ? { ...state, seconds } : { on: 0, seconds: 0 }
  },
  report: ({ on }) => ({ Switch: on }),
  command: (state, { Switch = state.on }) => ({ on: Switch as OnOff, seconds: 0 }),
  draws: () => 0,
}

/** Learned buttons, and the one sent last: null before the first. */
interface IRRemote {
  containers: readonly IRContainer[]
  sent: Pick<IRContainer, 'ContMID' | 'ContDID'> | null
}

const container = (ContMID: string, ContDID: string, ContMName: string): IRContainer => ({
  ContMID,
  ContDID,
  ContMName,
})

/** A remote that has learned the buttons of a projector and a fan. */
export const irRemote: Model<IRRemote> = {
  make: () => ({
    containers: [
      container('power', 'projector', '投影機電源'),
      container('input', 'projector', '投影機輸入切換'),
      container('fan-on', 'fan', '電扇開關'),
      container('fan-speed', 'fan', '電扇風量'),
    ],
    sent: null,
  }),
  step: (state) => state,
  report: ({ containers, sent }) => ({ IRContainers: containers, ...(sent && { SendIR: sent }) }),
  command: (state, { SendIR }) => ({ ...state, sent: (SendIR ?? state.sent) as IRRemote['sent'] }),
  draws: () => 0,
}
