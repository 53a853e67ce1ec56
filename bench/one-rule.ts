import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { endpoints } from '../contract/index.ts'
import { peripheral } from '../contract/devices/peripheral.ts'
import { visitor } from '../contract/access-control/visitor.ts'
import { createCacheInvalidation, type EntityChange } from '../src/data/cache-invalidation.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median } from './support/statistics.ts'

export const name = 'one-rule'
export const bar =
  'an event over 2,000 cached answers at most 1 ms; 200 events at once at most 2 questions a list'

const ANSWERS = 2_000
const EVENTS = 200

/** The rule of `src/data/cache-invalidation.ts` on a full cache, without a screen. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  return [timeOfEvent(quick ? 200 : 2_000), await questionsOfBurst()]
}

/** Time of an event about a record, with cached answers of every read call for ten homes. */
function timeOfEvent(rounds: number): Figure {
  const client = new QueryClient()
  const old = createCacheInvalidation(client, () => ({}) as never)
  const reads = endpoints.filter(({ mutates }) => !mutates)
  for (const endpoint of reads) old.register(endpoint)
  const snapshot = { Things: [], Peripherals: [], Statuses: [] }
  for (let i = 0; i < ANSWERS; i++) {
    const path = reads[i % reads.length]?.path
    const answer = path === peripheral.operations.list.path ? snapshot : []
    client.setQueryData([path, { HomeID: `home-${i % 10}`, Limit: i }], answer)
  }
  const entities = [...new Set(reads.flatMap(({ shows }) => shows))]
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const entity = entities[round % entities.length] as EntityChange['entity']
    const startedAt = performance.now()
    // Answers on no screen are invalidated before this returns; nothing is refetched.
    void old.invalidate([{ entity, event: 'update', record: { HomeID: `home-${round % 10}` } }])
    times.push(performance.now() - startedAt)
  }
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  return {
    what: `an event over ${ANSWERS} cached answers`,
    value: median(times),
    unit: 'ms',
    bar: { of: 'value', max: 1 },
    note: `99 % of ${rounds}: ${slowest.toFixed(2)} ms`,
  }
}

/** Number of requests of a visible list after as many events as the bookings of a long series cause. */
async function questionsOfBurst(): Promise<Figure> {
  const client = new QueryClient()
  const old = createCacheInvalidation(client, () => ({}) as never)
  const endpoint = visitor.operations.list
  old.register(endpoint)
  let queryCount = 0
  const observer = new QueryObserver(client, {
    queryKey: [endpoint.path, {}],
    queryFn: async () => {
      queryCount++
      await new Promise((resolve) => setTimeout(resolve, 20))
      return []
    },
  })
  const stop = observer.subscribe(() => {})
  await observer.refetch()
  queryCount = 0
  const notifications: Promise<void>[] = []
  for (let i = 0; i < EVENTS; i++) {
    notifications.push(
      old.invalidate([{ entity: 'visitor', event: 'update', record: { VisitorID: `${i}` } }]),
    )
    await new Promise((resolve) => setImmediate(resolve))
  }
  await Promise.all(notifications)
  stop()
  client.clear()
  return {
    what: `questions of a list on a screen after ${EVENTS} events at once`,
    value: queryCount,
    unit: '',
    bar: { of: 'value', max: 2 },
  }
}
