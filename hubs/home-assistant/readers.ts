import { LRUCache } from 'lru-cache'
import type { Entity, Read } from './entity.ts'
import { matchesFilter } from './keys.ts'
import type { LiveEntity } from './live-entity.ts'

/** Who reads a topic, and what of it. */
export interface Reader {
  one: LiveEntity
  /** What it listens to: a topic, or a filter with wildcards. */
  topic: string
  reads: readonly Read[]
  /** It is an availability topic of the entity. */
  hears: boolean
}

/** What stands at a topic, and when it was said, epoch ms. */
export interface RetainedValue {
  text: string
  at: number
}

/** Topics whose last message is kept, their characters in all, and of one of them. */
const MAX_TOPICS = 20_000
const MAX_CHARACTERS = 32 * 1024 * 1024
const MAX_MESSAGE = 256 * 1024

/**
 * Who reads which topics, and what stands there. A broker sends what it retains once, when a topic is subscribed to; a
 * device that is announced later and reads the same topic gets it from here.
 */
export function createReaders() {
  /** By topic, or by filter where it has wildcards. */
  const readers = new Map<string, Map<Entity, Reader>>()
  /** Filters with wildcards by their most telling level and its place, so that a message asks few of them. */
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
    /** Those who read a message of this topic, each once for each topic or filter that it reads. */
    of(topic: string): readonly Reader[] {
      const own = readers.get(topic)
      const wild = filtersOf(topic).flatMap((filter) => [...(readers.get(filter)?.values() ?? [])])
      return own ? [...own.values(), ...wild] : wild
    },
    add(reader: Reader): void {
      const { topic: topicOrFilter } = reader
      const { entity } = reader.one
      const those = readers.get(topicOrFilter) ?? new Map<Entity, Reader>()
      readers.set(topicOrFilter, those.set(entity, reader))
      const key = filterKey(topicOrFilter)
      if (key !== undefined) filters.set(key, (filters.get(key) ?? new Set()).add(topicOrFilter))
    },
    /** Takes a reader away; tells whether it was the last one. */
    remove(topicOrFilter: string, entity: Entity): boolean {
      const those = readers.get(topicOrFilter)
      if (!those?.delete(entity) || those.size > 0) return false
      readers.delete(topicOrFilter)
      const key = filterKey(topicOrFilter)
      const same = key === undefined ? undefined : filters.get(key)
      same?.delete(topicOrFilter)
      if (key !== undefined && same?.size === 0) filters.delete(key)
      return true
    },
    /**
     * Keeps what a topic says where that stands until it is replaced: what the broker retains, what follows on a topic that
     * it retains, and availability. A subscriber is not told whether what follows is retained too.
     */
    keep(topic: string, text: string, retained: boolean, at: number): void {
      if (text === '') kept.delete(topic)
      else if (retained || kept.has(topic) || this.of(topic).some(({ hears }) => hears))
        kept.set(topic, { text, at })
    },
    /** What stands at a topic, or at the topics that a filter takes in. */
    standing: (topicOrFilter: string): RetainedValue[] =>
      topicsIn(topicOrFilter).flatMap((topic) => kept.get(topic) ?? []),
    /** Forgets what stands where nobody reads any more: at a topic, or at those of a filter. */
    drop(topicOrFilter: string): void {
      for (const topic of topicsIn(topicOrFilter)) if (!isRead(topic)) kept.delete(topic)
    },
    /** Forgets what stands anywhere: the broker is about to say it again. */
    dropAll: () => kept.clear(),
  }
}
export type Readers = ReturnType<typeof createReaders>

/** The longest fixed level of a filter with its place; undefined for a topic without wildcards. */
function filterKey(filter: string): string | undefined {
  if (!/[+#]/.test(filter)) return undefined
  const [best] = filter
    .split('/')
    .map((level, place) => ({ level, place }))
    .filter(({ level }) => level !== '+' && level !== '#')
    .sort((a, b) => b.level.length - a.level.length)
  return best && `${best.place}/${best.level}`
}
