import { LRUCache } from 'lru-cache'
import type { Entity, Read } from './entities/entity.ts'
import { matchesFilter } from './entities/keys.ts'
import type { LiveEntity } from './live-entity.ts'

/** An entity that reads a topic, with the values it reads. */
export interface Reader {
  one: LiveEntity
  /** Subscribed topic, or filter with wildcards. */
  topic: string
  reads: readonly Read[]
  /** The topic is an availability topic of the entity. */
  hears: boolean
}

/** The stored message of a topic, with the time it arrived, epoch ms. */
export interface RetainedValue {
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
    of(topic: string): readonly Reader[] {
      const ownReaders = readers.get(topic)
      const wild = filtersOf(topic).flatMap((filter) => [...(readers.get(filter)?.values() ?? [])])
      return ownReaders ? [...ownReaders.values(), ...wild] : wild
    },
    add(reader: Reader): void {
      const { topic: topicOrFilter } = reader
      const { entity } = reader.one
      const topicReaders = readers.get(topicOrFilter) ?? new Map<Entity, Reader>()
      readers.set(topicOrFilter, topicReaders.set(entity, reader))
      const key = filterKey(topicOrFilter)
      if (key !== undefined) filters.set(key, (filters.get(key) ?? new Set()).add(topicOrFilter))
    },
    /** Removes a reader; returns whether it was the last one. */
    remove(topicOrFilter: string, entity: Entity): boolean {
      const those = readers.get(topicOrFilter)
      if (!those?.delete(entity) || those.size > 0) return false
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
    keep(topic: string, text: string, retained: boolean, at: number): void {
      if (text === '') kept.delete(topic)
      else if (retained || kept.has(topic) || this.of(topic).some(({ hears }) => hears))
        kept.set(topic, { text, at })
    },
    /** Stored messages of a topic, or of the topics that a filter matches. */
    standing: (topicOrFilter: string): RetainedValue[] =>
      topicsIn(topicOrFilter).flatMap((topic) => kept.get(topic) ?? []),
    /** Deletes the stored messages of a topic, or of a filter's topics, that have no reader left. */
    drop(topicOrFilter: string): void {
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
