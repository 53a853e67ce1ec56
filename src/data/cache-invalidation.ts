import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '../../contract/kernel/define-endpoint.ts'
import { logFault } from '../lib/log-fault.ts'
import { createRefetcher, setQueryDataKeepingAge } from './refetch.ts'
import { cachePatches, type AnyChange, type PatchContext } from './cache-patches.ts'

/** A change of records, as an event or a call tells it. */
export interface EntityChange {
  entity: Endpoint['shows'][number]
  /** What an event says of it: add, update, remove …; undefined after a call. */
  event?: string | undefined
  /** The changed record or some of its fields, by wire names; without it, any record may have changed. */
  record?: Readonly<Record<string, unknown>> | undefined
  /** Of the call that made the change. */
  requestId?: string | undefined
}

/** What of an endpoint decides when its answers are old. */
export type QueryEndpoint = Pick<Endpoint, 'path' | 'shows' | 'key' | 'inPlace' | 'freshFor'>

/** What an answer in the cache is of. */
export interface CachedQuery {
  endpoint: QueryEndpoint
  input: Readonly<Record<string, unknown>>
}

/** Calls of this screen whose events are remembered as its own. */
const OWN_CALLS = 200

/**
 * The one place that knows which cached answers a change makes old: those of calls that show its entity, except answers for
 * another home and, of a call for one record, for another record. An answer is known by its key.
 *
 * place  where the person is
 */
export function createCacheInvalidation(client: QueryClient, place: () => PatchContext) {
  const known = new Map<unknown, QueryEndpoint>()
  const own = new Set<string>()
  const asker = createRefetcher(client)
  let readKey: (key: QueryKey) => CachedQuery | undefined = () => undefined

  function shownBy(key: QueryKey): CachedQuery | undefined {
    const endpoint = known.get(key[0])
    if (!endpoint) return readKey(key)
    return { endpoint, input: isRecord(key[1]) ? key[1] : {} }
  }

  // Refine puts back what it had before a change that failed, over what has come since: nobody knows how old that is. What is
  // written here has an age.
  client.getQueryCache().subscribe((event) => {
    const action = event.type === 'updated' ? event.action : undefined
    if (action?.type !== 'success' || !action.manual || action.dataUpdatedAt !== undefined) return
    if (readKey(event.query.queryKey)) void asker.ask(event.query)
  })

  /** Corrects an answer by events; false when it must be asked for. */
  function patch(query: Query, { path, inPlace }: QueryEndpoint, changes: readonly EntityChange[]): boolean {
    // Under keys of others (Refine's lists) the same answer has another shape.
    const [first, , ...more] = query.queryKey
    const isPlain = first === path && more.length === 0
    const patched = inPlace && isPlain ? cachePatches[path] : undefined
    if (!patched || query.state.data === undefined) return false
    let answer: unknown = query.state.data
    try {
      for (const { entity, event, record } of changes) {
        if (event === undefined || !record) return false
        const next = patched(answer, { name: `${entity}.${event}`, record } as AnyChange, place())
        if (next === 'old') return false
        answer = next
      }
    } catch (error) {
      logFault(`A change of ${path}`, error)
      return false
    }
    if (answer !== query.state.data) setQueryDataKeepingAge(client, query, answer)
    // An answer under way may have been given before the change.
    return query.state.fetchStatus !== 'fetching'
  }

  return {
    /** Makes a call known, so that its answers are. */
    note(endpoint: QueryEndpoint): void {
      known.set(endpoint.path, endpoint)
    },
    /** Time in ms that an answer stays good without an event; undefined for what is no answer of the gateway. */
    freshFor: (key: QueryKey): number | undefined => shownBy(key)?.endpoint.freshFor,
    /** How to read keys that are not those of calls. */
    readKeysBy(read: (key: QueryKey) => CachedQuery | undefined): void {
      readKey = read
    },
    /** A call of this screen: its events correct answers, and are no reason to ask again, because the call tells too. */
    made(requestId: string): void {
      own.add(requestId)
      const [oldest] = own
      if (own.size > OWN_CALLS && oldest !== undefined) own.delete(oldest)
    },
    renewed: asker.renewed,
    /** Makes answers old: corrects or marks them, asks again for those on a screen, and resolves when these have come. */
    async tell(changes: readonly EntityChange[]): Promise<void> {
      const waits: Promise<void>[] = []
      for (const query of client.getQueryCache().getAll()) {
        const shown = shownBy(query.queryKey)
        if (!shown) continue
        if (changes.some((change) => isGone(shown, change))) {
          client.getQueryCache().remove(query)
          continue
        }
        const about = changes.filter((change) => concerns(shown, change))
        if (about.length === 0 || patch(query, shown.endpoint, about)) continue
        if (about.some(({ requestId }) => requestId === undefined || !own.has(requestId)))
          waits.push(asker.ask(query))
      }
      await Promise.all(waits)
    },
    /** After a gap in the channel: every answer that shows anything may be old. */
    async missed(): Promise<void> {
      const all = client
        .getQueryCache()
        .getAll()
        .filter((query) => shownBy(query.queryKey)?.endpoint.shows.length)
      await Promise.all(all.map((query) => asker.ask(query)))
    },
  }
}

/** Whether a change is about what an answer shows. A field that is absent or null on either side is any. */
function concerns(
  { endpoint: { shows, key }, input }: CachedQuery,
  { entity, record = {} }: EntityChange,
): boolean {
  if (!shows.includes(entity)) return false
  // The key of another entity's record is that of something it only mentions.
  const fields = entity === shows[0] ? ['HomeID', ...key] : ['HomeID']
  return !fields.some((field) => differ(record[field], input[field]))
}

const differ = (a: unknown, b: unknown): boolean =>
  a !== undefined && a !== null && b !== undefined && b !== null && a !== b

/** Answers for a home that is no more. */
const isGone = ({ input }: CachedQuery, { entity, event, record }: EntityChange): boolean =>
  entity === 'home' &&
  event === 'remove' &&
  input['HomeID'] !== undefined &&
  input['HomeID'] === record?.['HomeID']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
