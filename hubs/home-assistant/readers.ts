import { LRUCache } from 'lru-cache'
import type { Clock } from '../../device-link/clock.ts'
import type { Entity, Read, Aspect, Incoming, Value } from './entities/entity.ts'
import { matchesFilter } from './entities/keys.ts'

/** Last values of a device. */
interface Memory {
  values: Map<Aspect, Value>
  /** Last value of each availability topic, the most recent one last. */
  availabilityByTopic: Map<string, boolean>
  /** Time of the last value, repeated ones included, epoch ms; 0 before the first. */
  lastMessageAt: number
}

export interface LiveEntity {
  readonly entity: Entity
  readonly memory: Memory
  /** Stores a value, reported at `at` (epoch ms, default now); returns whether anything changed. */
  setValue(aspect: Aspect, value: Value | null, at?: number): boolean
  /** Processes a message of an availability topic; returns whether availability changed. */
  updateAvailability(topic: string, message: Incoming): boolean
  /** The current value; undefined while it is unknown, expired or the device is offline. */
  value(aspect: Aspect): Value | undefined
  /** Whether the device reported offline, or has not yet reported online. */
  readonly isOffline: boolean
  /** Whether a value has arrived since the announcement. */
  readonly hasValue: boolean
  close(): void
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
  const { values, availabilityByTopic } = memory
  let cancelOff: (() => void) | undefined
  let hasNewValue = false
  let isAvailable = computeAvailability()

  function computeAvailability(): boolean {
    if (!availability) return true
    const states = availability.topics.map(({ topic }) => availabilityByTopic.get(topic))
    switch (availability.mode) {
      case 'all':
        return states.every((state) => state === true)
      case 'any':
        return states.includes(true)
      case 'none-away':
        return !states.includes(false)
      case 'latest':
        return [...availabilityByTopic.values()].at(-1) ?? false
    }
  }
  const isExpired = () => expireAfter !== undefined && clock.now() - memory.lastMessageAt > expireAfter * 1000

  return {
    entity,
    memory,
    setValue(aspect, value, reportedAt) {
      const at = reportedAt ?? clock.now()
      hasNewValue = true
      const before = isExpired() ? undefined : values.get(aspect)
      memory.lastMessageAt = Math.max(memory.lastMessageAt, at)
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
    updateAvailability(topic, message) {
      if (!availability) return false
      for (const availabilityTopic of availability.topics) {
        if (availabilityTopic.topic !== topic) continue
        const state = availabilityTopic.read(message)
        if (state === undefined) continue
        // Deleted first, so that the newest is last in the map.
        availabilityByTopic.delete(topic)
        availabilityByTopic.set(topic, state)
      }
      const wasAvailable = isAvailable
      isAvailable = computeAvailability()
      return isAvailable !== wasAvailable
    },
    value: (aspect) => (isAvailable && !isExpired() ? values.get(aspect) : undefined),
    get isOffline() {
      return !isAvailable
    },
    get hasValue() {
      return hasNewValue
    },
    close: () => cancelOff?.(),
  }
}

const newMemory = (): Memory => ({ values: new Map(), availabilityByTopic: new Map(), lastMessageAt: 0 })

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

/** An entity that reads a topic, with the values it reads. */
export interface Reader {
  liveEntity: LiveEntity
  /** Subscribed topic, or filter with wildcards. */
  topic: string
  reads: readonly Read[]
  /** The topic is an availability topic of the entity. */
  isAvailability: boolean
}

/** The stored message of a topic, with the time it arrived, epoch ms. */
interface RetainedValue {
  text: string
  at: number
}

/** Maximum number of topics whose last message is stored, of characters in all, and of characters in one. */
const MAX_TOPICS = 20_000
const MAX_CHARACTERS = 32 * 1024 * 1024
const MAX_MESSAGE = 256 * 1024

/**
 * Readers by topic, and the last messages of those topics. A broker sends a retained message once, on subscription; an entity that is
 * announced later and reads the same topic gets the stored copy.
 */
export function createReaders() {
  /** Readers by topic, or by filter if it has wildcards. */
  const readers = new Map<string, Map<Entity, Reader>>()
  /** Wildcard filters by their longest fixed level and its position, so that few are matched against each message. */
  const filters = new Map<string, Set<string>>()
  const kept = new LRUCache<string, RetainedValue>({
    max: MAX_TOPICS,
    maxSize: MAX_CHARACTERS,
    maxEntrySize: MAX_MESSAGE,
    sizeCalculation: ({ text }, topic) => text.length + topic.length,
  })

  function filtersOf(topic: string): string[] {
    if (filters.size === 0) return []
    return topic
      .split('/')
      .flatMap((level, place) => [...(filters.get(`${place}/${level}`) ?? [])])
      .filter((filter) => matchesFilter(topic, filter))
  }
  const topicsIn = (topicOrFilter: string): string[] =>
    filterKey(topicOrFilter) === undefined
      ? [topicOrFilter]
      : [...kept.keys()].filter((topic) => matchesFilter(topic, topicOrFilter))
  const isRead = (topic: string) => readers.has(topic) || filtersOf(topic).length > 0

  return {
    has: (topicOrFilter: string): boolean => readers.has(topicOrFilter),
    /** Readers of a topic's message, each once for each matching topic or filter. */
    readersOf(topic: string): readonly Reader[] {
      const ownReaders = readers.get(topic)
      const wildcardReaders = filtersOf(topic).flatMap((filter) => [...(readers.get(filter)?.values() ?? [])])
      return ownReaders ? [...ownReaders.values(), ...wildcardReaders] : wildcardReaders
    },
    add(reader: Reader): void {
      const { topic: topicOrFilter } = reader
      const { entity } = reader.liveEntity
      const topicReaders = readers.get(topicOrFilter) ?? new Map<Entity, Reader>()
      readers.set(topicOrFilter, topicReaders.set(entity, reader))
      const key = filterKey(topicOrFilter)
      if (key !== undefined) filters.set(key, (filters.get(key) ?? new Set()).add(topicOrFilter))
    },
    /** Removes a reader; returns whether it was the last one. */
    remove(topicOrFilter: string, entity: Entity): boolean {
      const topicReaders = readers.get(topicOrFilter)
      if (!topicReaders?.delete(entity) || topicReaders.size > 0) return false
      readers.delete(topicOrFilter)
      const key = filterKey(topicOrFilter)
      const sameLevel = key === undefined ? undefined : filters.get(key)
      sameLevel?.delete(topicOrFilter)
      if (key !== undefined && sameLevel?.size === 0) filters.delete(key)
      return true
    },
    /**
     * Stores the message of a topic with state: a retained message, later ones on the same topic, and availability. MQTT does not mark
     * later messages as retained.
     */
    store(topic: string, text: string, retained: boolean, at: number): void {
      if (text === '') kept.delete(topic)
      else if (
        retained ||
        kept.has(topic) ||
        this.readersOf(topic).some(({ isAvailability }) => isAvailability)
      )
        kept.set(topic, { text, at })
    },
    /** Stored messages of a topic, or of the topics that a filter matches. */
    storedMessages: (topicOrFilter: string): RetainedValue[] =>
      topicsIn(topicOrFilter).flatMap((topic) => kept.get(topic) ?? []),
    /** Deletes the stored messages of a topic, or of a filter's topics, that have no reader left. */
    deleteUnread(topicOrFilter: string): void {
      for (const topic of topicsIn(topicOrFilter)) if (!isRead(topic)) kept.delete(topic)
    },
    /** Deletes all stored messages, before the broker sends them again. */
    dropAll: () => kept.clear(),
  }
}
export type Readers = ReturnType<typeof createReaders>

/** The longest fixed level of a filter with its position; undefined for a topic without wildcards. */
function filterKey(filter: string): string | undefined {
  if (!/[+#]/.test(filter)) return undefined
  const [best] = filter
    .split('/')
    .map((level, place) => ({ level, place }))
    .filter(({ level }) => level !== '+' && level !== '#')
    .sort((a, b) => b.level.length - a.level.length)
  return best && `${best.place}/${best.level}`
}
