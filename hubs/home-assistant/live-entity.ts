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
 * onChangedLater  called when a value has expired or switched off by itself
 * earlier       the same entity as announced before, whose values are kept
 */
export function createLiveEntity(
  entity: Entity,
  clock: Clock,
  onChangedLater: () => void,
  earlier?: LiveEntity,
): LiveEntity {
  const { availability, expireAfter, offDelay } = entity
  const memory = sameRole(earlier?.entity, entity) && earlier ? earlier.memory : newMemory()
  const { values, said } = memory
  let cancelOff: (() => void) | undefined
  let hasNewValue = false
  let isAvailable = computeAvailability()

  function computeAvailability(): boolean {
    if (!availability) return true
    const states = availability.topics.map(({ topic }) => said.get(topic))
    switch (availability.mode) {
      case 'all':
        return states.every((answer) => answer === true)
      case 'any':
        return states.includes(true)
      case 'none-away':
        return !states.includes(false)
      case 'latest':
        return [...said.values()].at(-1) ?? false
    }
  }
  const isExpired = () => expireAfter !== undefined && clock.now() - memory.heardAt > expireAfter * 1000

  return {
    entity,
    memory,
    take(aspect, value, reportedAt) {
      const at = reportedAt ?? clock.now()
      hasNewValue = true
      const before = isExpired() ? undefined : values.get(aspect)
      memory.heardAt = Math.max(memory.heardAt, at)
      // A retained press happened before this device was announced.
      if (aspect === 'press') return reportedAt === undefined && countPress(values, value, at)
      if (value === null) values.delete(aspect)
      else values.set(aspect, value)
      if (offDelay !== undefined && aspect === 'state') {
        cancelOff?.()
        cancelOff = undefined
        if (value === true)
          cancelOff = clock.after(Math.max(0, at + offDelay * 1000 - clock.now()), () => {
            cancelOff = undefined
            values.set('state', false)
            onChangedLater()
          })
      }
      return before !== (value ?? undefined)
    },
    hear(topic, message) {
      if (!availability) return false
      for (const availabilityTopic of availability.topics) {
        if (availabilityTopic.topic !== topic) continue
        const state = availabilityTopic.read(message)
        if (state === undefined) continue
        // Deleted first, so that the newest is last in the map.
        said.delete(topic)
        said.set(topic, state)
      }
      const wasAvailable = isAvailable
      isAvailable = computeAvailability()
      return isAvailable !== wasAvailable
    },
    value: (aspect) => (isAvailable && !isExpired() ? values.get(aspect) : undefined),
    get away() {
      return !isAvailable
    },
    get heard() {
      return hasNewValue
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
