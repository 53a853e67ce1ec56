import type { Clock } from '../../device-link/clock.ts'
import type { Aspect, Entity, Incoming, Value } from './entity.ts'

/** What a device has said. */
interface Memory {
  values: Map<Aspect, Value>
  /** Answers of the availability topics, in the order of their last message. */
  said: Map<string, boolean>
  /** When a value came last, also the same again, epoch ms; 0 while none has. */
  heardAt: number
}

/** An entity with what its device last said. */
export interface LiveEntity {
  readonly entity: Entity
  readonly memory: Memory
  /** Takes a value that was said at a moment, epoch ms, else now; tells whether anything has changed. */
  take(aspect: Aspect, value: Value | null, at?: number): boolean
  /** Takes what one of the availability topics says; tells whether that changed anything. */
  hear(topic: string, message: Incoming): boolean
  /** The value now, undefined while it is unknown, too old or the device is away. */
  value(aspect: Aspect): Value | undefined
  /** The device says that it is not there, or has not said that it is. */
  readonly away: boolean
  /** It has said something since it was announced. */
  readonly heard: boolean
  /** Forgets timers. */
  end(): void
}

/**
 * changedLater  a value has changed by itself, when its time was over
 * earlier       the same entity as it was announced before, whose values are taken over
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
      // What a topic kept was a press of before this device was announced.
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
        // Deleted first, so that the last one said stands last.
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

/** Every press is news, also one like the last; null is none. */
function countPress(values: Map<Aspect, Value>, press: Value | null, now: number): boolean {
  if (press === null) return false
  values.set('press', press)
  values.set('presses', Number(values.get('presses') ?? 0) + 1)
  values.set('pressedAt', now)
  return true
}
