import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '../../contract/kernel/define-endpoint.ts'
import { logFault } from '../lib/log-fault.ts'
import { createRefetcher, setQueryDataKeepingAge } from './refetch.ts'
import { cachePatches, type AnyChange, type PatchContext } from './cache-patches.ts'

/** A change of a record, from an event or after a call. */
export interface EntityChange {
  entity: Endpoint['shows'][number]
  /** Name of the event: add, update, remove …; undefined after a call. */
  event?: string | undefined
  /** The changed record or some of its fields, by wire names; if absent, any record may have changed. */
  record?: Readonly<Record<string, unknown>> | undefined
  /** RequestID of the call that made the change. */
  requestId?: string | undefined
}

/** Fields of an endpoint that decide when its answers are stale. */
export type QueryEndpoint = Pick<Endpoint, 'path' | 'shows' | 'key' | 'inPlace' | 'freshFor'>

/** Endpoint and input of a cached answer. */
export interface CachedQuery {
  endpoint: QueryEndpoint
  input: Readonly<Record<string, unknown>>
}

/** Maximum number of RequestIDs of this screen that are remembered. */
const OWN_CALLS = 200

/**
 * Decides which cached answers a change makes stale: those of calls that show its entity, except answers for another home and, for a
 * call for one record, for another record. Answers are recognized by their query keys.
 *
 * place  the current home
 */
export function createCacheInvalidation(client: QueryClient, place: () => PatchContext) {
  const endpoints = new Map<unknown, QueryEndpoint>()
  const ownRequests = new Set<string>()
  const refetcher = createRefetcher(client)
  let readKey: (key: QueryKey) => CachedQuery | undefined = () => undefined

  function queryOf(key: QueryKey): CachedQuery | undefined {
    const endpoint = endpoints.get(key[0])
    if (!endpoint) return readKey(key)
    return { endpoint, input: isRecord(key[1]) ? key[1] : {} }
  }

  // After a failed change, Refine restores its earlier data, of unknown age, over newer data: refetch it. Writes of this module keep
  // their `dataUpdatedAt`.
  client.getQueryCache().subscribe((event) => {
    const action = event.type === 'updated' ? event.action : undefined
    if (action?.type !== 'success' || !action.manual || action.dataUpdatedAt !== undefined) return
    if (readKey(event.query.queryKey)) void refetcher.refetch(event.query)
  })

  /** Patches an answer by events; false if it must be refetched. */
  function patch(query: Query, { path, inPlace }: QueryEndpoint, changes: readonly EntityChange[]): boolean {
    // Under other keys (Refine's lists) the same answer has another shape.
    const [first, , ...more] = query.queryKey
    const isPlain = first === path && more.length === 0
    const applyPatch = inPlace && isPlain ? cachePatches[path] : undefined
    if (!applyPatch || query.state.data === undefined) return false
    let answer: unknown = query.state.data
    try {
      for (const { entity, event, record } of changes) {
        if (event === undefined || !record) return false
        const next = applyPatch(answer, { name: `${entity}.${event}`, record } as AnyChange, place())
        if (next === 'old') return false
        answer = next
      }
    } catch (error) {
      logFault(`A change of ${path}`, error)
      return false
    }
    if (answer !== query.state.data) setQueryDataKeepingAge(client, query, answer)
    // An answer in flight may have been computed before the change.
    return query.state.fetchStatus !== 'fetching'
  }

  return {
    /** Registers an endpoint, so that its answers are recognized. */
    register(endpoint: QueryEndpoint): void {
      endpoints.set(endpoint.path, endpoint)
    },
    /** Time for which an answer stays fresh without an event, ms; undefined for queries that are not calls of the gateway. */
    freshFor: (key: QueryKey): number | undefined => queryOf(key)?.endpoint.freshFor,
    /** Sets the function that reads query keys of other shapes than those of calls. */
    readKeysBy(read: (key: QueryKey) => CachedQuery | undefined): void {
      readKey = read
    },
    /** Registers a call of this screen: its events patch answers but cause no refetch, because the call itself invalidates them. */
    markOwnRequest(requestId: string): void {
      ownRequests.add(requestId)
      const [oldest] = ownRequests
      if (ownRequests.size > OWN_CALLS && oldest !== undefined) ownRequests.delete(oldest)
    },
    whenRefetched: refetcher.whenRefetched,
    /** Patches or invalidates the affected answers, refetches those on a screen, and resolves when these have arrived. */
    async invalidate(changes: readonly EntityChange[]): Promise<void> {
      const refetches: Promise<void>[] = []
      for (const query of client.getQueryCache().getAll()) {
        const shown = queryOf(query.queryKey)
        if (!shown) continue
        if (changes.some((change) => isOfDeletedHome(shown, change))) {
          client.getQueryCache().remove(query)
          continue
        }
        const relevant = changes.filter((change) => isAffected(shown, change))
        if (relevant.length === 0 || patch(query, shown.endpoint, relevant)) continue
        if (relevant.some(({ requestId }) => requestId === undefined || !ownRequests.has(requestId)))
          refetches.push(refetcher.refetch(query))
      }
      await Promise.all(refetches)
    },
    /** Invalidates all answers that show an entity, after a gap in the channel. */
    async invalidateAll(): Promise<void> {
      const all = client
        .getQueryCache()
        .getAll()
        .filter((query) => queryOf(query.queryKey)?.endpoint.shows.length)
      await Promise.all(all.map((query) => refetcher.refetch(query)))
    },
  }
}

/** Whether a change affects an answer. A field that is absent or null on either side matches any value. */
function isAffected(
  { endpoint: { shows, key }, input }: CachedQuery,
  { entity, record = {} }: EntityChange,
): boolean {
  if (!shows.includes(entity)) return false
  // Another entity's record carries the key only as a reference.
  const fields = entity === shows[0] ? ['HomeID', ...key] : ['HomeID']
  return !fields.some((field) => isDifferent(record[field], input[field]))
}

const isDifferent = (a: unknown, b: unknown): boolean =>
  a !== undefined && a !== null && b !== undefined && b !== null && a !== b

/** Whether an answer is for a home that was deleted. */
const isOfDeletedHome = ({ input }: CachedQuery, { entity, event, record }: EntityChange): boolean =>
  entity === 'home' &&
  event === 'remove' &&
  input['HomeID'] !== undefined &&
  input['HomeID'] === record?.['HomeID']

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
