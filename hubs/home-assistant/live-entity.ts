import type { Clock } from '../../device-link/clock.ts'
import type { Aspect, Entity, Incoming, Value } from './entities/entity.ts'

/** Last values of a device. */
interface Memory {
  values: Map<Aspect, Value>
  /** Last value of each availability topic, the most recent one last. */
  said: Map<string, boolean>
  /** Time of the last value, repeated ones included, epoch ms; 0 before the first. */
  heardAt: number
}

export interface LiveEntity {
  readonly entity: Entity
  readonly memory: Memory
  /** Stores a value, reported at `at` (epoch ms, default now); returns whether anything changed. */
  take(aspect: Aspect, value: Value | null, at?: number): boolean
  /** Processes a message of an availability topic; returns whether availability changed. */
  hear(topic: string, message: Incoming): boolean
  /** The current value; undefined while it is unknown, expired or the device is offline. */
  value(aspect: Aspect): Value | undefined
  /** Whether the device reported offline, or has not yet reported online. */
  readonly away: boolean
  /** Whether a value has arrived since the announcement. */
  readonly heard: boolean
  end(): void
}

/**
 * changedLater  called when a value has expired or switched off by itself
 * earlier       the same entity as announced before, whose values are kept
 */
export function createLiveEntity(
  entity: Entity,
  clock: Clock,
  changedLater: () => void,
  earlier?: LiveEntity,
): LiveEntity {
  const { availability, expireAfter, offDelay } = entity
  const memory = sameRole(earlier?.entity, entity) && earlier ? earlier.memory : newMemory()
  const { values, said } = memory
  let cancelOff: (() => void) | undefined
  let heard = false
  let there = isThere()

  function isThere(): boolean {
    if (!availability) return true
    const answers = availability.topics.map(({ topic }) => said.get(topic))
    switch (availability.mode) {
      case 'all':
        return answers.every((answer) => answer === true)
      case 'any':
        return answers.includes(true)
      case 'none-away':
        return !answers.includes(false)
      case 'latest':
        return [...said.values()].at(-1) ?? false
    }
  }
  const tooOld = () => expireAfter !== undefined && clock.now() - memory.heardAt > expireAfter * 1000

  return {
    entity,
    memory,
    take(aspect, value, saidAt) {
      const at = saidAt ?? clock.now()
      heard = true
      const before = tooOld() ? undefined : values.get(aspect)
      memory.heardAt = Math.max(memory.heardAt, at)
      // A retained press happened before this device was announced.
      if (aspect === 'press') return saidAt === undefined && countPress(values, value, at)
      if (value === null) values.delete(aspect)
      else values.set(aspect, value)
      if (offDelay !== undefined && aspect === 'state') {
        cancelOff?.()
        cancelOff = undefined
        if (value === true)
          cancelOff = clock.after(Math.max(0, at + offDelay * 1000 - clock.now()), () => {
            cancelOff = undefined
            values.set('state', false)
            changedLater()
          })
      }
      return before !== (value ?? undefined)
    },
    hear(topic, message) {
      if (!availability) return false
      for (const one of availability.topics) {
        if (one.topic !== topic) continue
        const answer = one.read(message)
        if (answer === undefined) continue
        // Deleted first, so that the newest is last in the map.
        said.delete(topic)
        said.set(topic, answer)
      }
      const before = there
      there = isThere()
      return there !== before
    },
    value: (aspect) => (there && !tooOld() ? values.get(aspect) : undefined),
    get away() {
      return !there
    },
    get heard() {
      return heard
    },
    end: () => cancelOff?.(),
  }
}

const newMemory = (): Memory => ({ values: new Map(), said: new Map(), heardAt: 0 })

const sameRole = (one: Entity | undefined, other: Entity): boolean =>
  one !== undefined && JSON.stringify(one.role) === JSON.stringify(other.role)

/** Counts a press. Every press is a change, also one equal to the last; null is not a press. */
function countPress(values: Map<Aspect, Value>, press: Value | null, now: number): boolean {
  if (press === null) return false
  values.set('press', press)
  values.set('presses', Number(values.get('presses') ?? 0) + 1)
  values.set('pressedAt', now)
  return true
}
