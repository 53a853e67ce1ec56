import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Entity } from '../../../contract/kernel/entities.ts'
import { home as homeResource } from '../../../contract/homes/home.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import {
  createCacheInvalidation,
  type EntityChange,
  type QueryEndpoint,
} from '../../../src/data/cache-invalidation.ts'
import { PATIENT } from '../../support/patient.ts'

const call = (
  path: string,
  shows: QueryEndpoint['shows'],
  more: Partial<QueryEndpoint> = {},
): QueryEndpoint => ({
  path,
  shows,
  key: [],
  inPlace: false,
  freshFor: 3_600_000,
  ...more,
})
const LIST = call('/ListVisitor', ['visitor', 'employee'])
const GET = call('/GetVisitor', ['visitor', 'employee'], { key: ['VisitorID'] })
const METERS = call('/ListVirtualMeter', ['virtualMeter'])

/** Cache whose responses arrive when the test says so. */
function setUp() {
  const client = new QueryClient()
  const old = createCacheInvalidation(client, () => ({ homeId: 'h1' }))
  const asked: { path: string; answer: (value: unknown) => void; fail: () => void }[] = []
  /** Shows a response on a screen. */
  const show = (endpoint: QueryEndpoint, input: object = {}) => {
    old.register(endpoint)
    const observer = new QueryObserver(client, {
      queryKey: [endpoint.path, input],
      queryFn: () =>
        new Promise((answer, fail) =>
          asked.push({ path: endpoint.path, answer, fail: () => fail(new Error()) }),
        ),
      staleTime: Infinity,
      retry: false,
    })
    const leave = observer.subscribe(() => {})
    const shows = (value: unknown) =>
      vi.waitFor(() => expect(observer.getCurrentResult().data).toEqual(value), PATIENT)
    return { observer, leave, shows }
  }
  /** Response in the cache that no screen shows. */
  const put = (endpoint: QueryEndpoint, input: object, value: unknown = 'held') => {
    old.register(endpoint)
    client.setQueryData([endpoint.path, input], value)
  }
  const isOld = (endpoint: QueryEndpoint, input: object = {}) =>
    client.getQueryState([endpoint.path, input])?.isInvalidated ?? 'gone'
  const came = (count: number) => vi.waitFor(() => expect(asked).toHaveLength(count), PATIENT)
  return { client, old, asked, show, put, isOld, came }
}

describe('a cached answer', () => {
  it('is refetched if it is visible and shows the change, and resolves after that', async () => {
    const { old, asked, show, came } = setUp()
    const list = show(LIST)
    asked[0]?.answer('one visitor')
    await list.shows('one visitor')
    let hasCome = false
    const told = old.invalidate([{ entity: 'employee' }]).then(() => (hasCome = true))
    await came(2)
    expect(hasCome).toBe(false)
    asked[1]?.answer('two visitors')
    await told
    expect(list.observer.getCurrentResult().data).toBe('two visitors')
  })

  it('is only invalidated if no screen shows it', async () => {
    const { old, asked, put, isOld } = setUp()
    put(LIST, {})
    await old.invalidate([{ entity: 'visitor' }])
    expect(isOld(LIST)).toBe(true)
    expect(asked).toEqual([])
  })

  it('is unaffected by a change of what it does not show', async () => {
    const { old, put, isOld } = setUp()
    put(LIST, {})
    await old.invalidate([{ entity: 'scanner' }])
    expect(isOld(LIST)).toBe(false)
  })

  it('is unaffected by a change in another home, but not by one of no home or of all', async () => {
    const { old, put, isOld } = setUp()
    put(METERS, { HomeID: 'h1' })
    await old.invalidate([{ entity: 'virtualMeter', record: { HomeID: 'h2' } }])
    expect(isOld(METERS, { HomeID: 'h1' })).toBe(false)
    await old.invalidate([{ entity: 'virtualMeter', record: { HomeID: null } }])
    expect(isOld(METERS, { HomeID: 'h1' })).toBe(true)
  })

  it('for one record is unaffected by a change of another', async () => {
    const { old, put, isOld } = setUp()
    put(GET, { VisitorID: 'v1' })
    await old.invalidate([{ entity: 'visitor', record: { VisitorID: 'v2' } }])
    expect(isOld(GET, { VisitorID: 'v1' })).toBe(false)
    await old.invalidate([{ entity: 'visitor', record: { VisitorID: 'v1' } }])
    expect(isOld(GET, { VisitorID: 'v1' })).toBe(true)
  })

  it('for one record is invalidated by a change of another entity that refers to it', async () => {
    const { old, put, isOld } = setUp()
    put(GET, { VisitorID: 'v1' })
    await old.invalidate([{ entity: 'employee', record: { EmployeeID: 'e1', VisitorID: 'v2' } }])
    expect(isOld(GET, { VisitorID: 'v1' })).toBe(true)
  })

  it('is removed with its home', async () => {
    const { old, put, isOld } = setUp()
    put(METERS, { HomeID: 'h1' })
    put(METERS, { HomeID: 'h2' })
    await old.invalidate([{ entity: 'home', event: 'remove', record: { HomeID: 'h1' } }])
    expect(isOld(METERS, { HomeID: 'h1' })).toBe('gone')
    expect(isOld(METERS, { HomeID: 'h2' })).toBe(false)
  })

  it("is recognized by its key, also if that is one of Refine's", async () => {
    const { client, old } = setUp()
    client.setQueryData(['data', 'default', 'visitor', 'list', {}], { data: [], total: 0 })
    old.readKeysBy(([kind]) => (kind === 'data' ? { endpoint: LIST, input: {} } : undefined))
    client.setQueryData(['access', 'visitor'], { can: true })
    await old.invalidate([{ entity: 'visitor' }])
    expect(client.getQueryState(['data', 'default', 'visitor', 'list', {}])?.isInvalidated).toBe(true)
    expect(client.getQueryState(['access', 'visitor'])?.isInvalidated).toBe(false)
  })

  it('is refetched instead of patched under a key of Refine, whose answers have another shape', async () => {
    const { client, old } = setUp()
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const key = ['data', 'default', 'home', 'infinite', {}]
    const endpoint = homeResource.operations.list
    old.readKeysBy(([kind]) => (kind === 'data' ? { endpoint, input: {} } : undefined))
    client.setQueryData(key, { pages: [{ data: [] }], pageParams: [undefined] }, { updatedAt: 1 })
    await old.invalidate([
      { entity: 'room', event: 'add', record: { HomeID: 'h1', RoomID: 1, RoomName: 'r' } },
    ])
    expect(client.getQueryState(key)?.isInvalidated).toBe(true)
    expect(logged).not.toHaveBeenCalled()
  })

  it('has an unknown age if Refine restored it after a failed change', async () => {
    const { client, old } = setUp()
    const key = ['data', 'default', 'visitor', 'list', {}]
    old.readKeysBy(([kind]) => (kind === 'data' ? { endpoint: LIST, input: {} } : undefined))
    client.setQueryData(key, { data: [], total: 0 })
    await old.whenRefetched()
    expect(client.getQueryState(key)?.isInvalidated).toBe(true)
  })

  it('stays fresh as long as its call defines', () => {
    const { old } = setUp()
    old.register({ ...LIST, freshFor: 60_000 })
    expect(old.freshFor(['/ListVisitor', {}, 'pages'])).toBe(60_000)
    expect(old.freshFor(['config'])).toBeUndefined()
  })
})

describe('a running query', () => {
  it('completes and is refetched once more after any number of changes', async () => {
    const { old, asked, show, came } = setUp()
    const list = show(LIST)
    for (let change = 0; change < 200; change++) void old.invalidate([{ entity: 'visitor' }])
    expect(asked).toHaveLength(1)
    asked[0]?.answer('old')
    await came(2)
    asked[1]?.answer('new')
    await list.shows('new')
    await old.whenRefetched()
    expect(asked).toHaveLength(2)
  })

  it('leads to two requests for 200 changes at once', async () => {
    const { old, asked, show, came } = setUp()
    const list = show(LIST)
    asked[0]?.answer('old')
    await list.shows('old')
    for (let change = 0; change < 200; change++) void old.invalidate([{ entity: 'visitor' }])
    asked[1]?.answer('between')
    await came(3)
    asked[2]?.answer('new')
    await list.shows('new')
    await old.whenRefetched()
    expect(asked).toHaveLength(3)
  })

  it('stays invalidated if no screen waits for it', async () => {
    const { client, old, isOld } = setUp()
    old.register(LIST)
    let answer = (_value: string) => {}
    const coming = client.prefetchQuery({
      queryKey: [LIST.path, {}],
      queryFn: () => new Promise<string>((resolve) => (answer = resolve)),
    })
    const told = old.invalidate([{ entity: 'visitor' }])
    answer('given before the change')
    await Promise.all([coming, told])
    expect(isOld(LIST)).toBe(true)
  })

  it('can fail: callers continue, and the next change refetches', async () => {
    const { old, asked, show, came } = setUp()
    const list = show(LIST)
    asked[0]?.answer('old')
    await list.shows('old')
    const told = old.invalidate([{ entity: 'visitor' }])
    await came(2)
    asked[1]?.fail()
    await told
    const again = old.invalidate([{ entity: 'visitor' }])
    await came(3)
    asked[2]?.answer('new')
    await again
    expect(list.observer.getCurrentResult().data).toBe('new')
  })

  describe('of a list with constant changes', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('is refetched once a second', async () => {
      const client = new QueryClient()
      const old = createCacheInvalidation(client, () => ({ homeId: 'h1' }))
      old.register(LIST)
      let asked = 0
      const observer = new QueryObserver(client, {
        queryKey: [LIST.path, {}],
        queryFn: () => new Promise<number>((answer) => setTimeout(() => answer(++asked), 150)),
        staleTime: Infinity,
      })
      const leave = observer.subscribe(() => {})
      await vi.advanceTimersByTimeAsync(200)
      for (let tenth = 0; tenth < 50; tenth++) {
        for (let change = 0; change < 5; change++) void old.invalidate([{ entity: 'visitor' }])
        await vi.advanceTimersByTimeAsync(100)
      }
      await vi.advanceTimersByTimeAsync(2_000)
      // One call at the beginning, one for each change while idle, and then one per second.
      expect(asked).toBeLessThan(10)
      leave()
    })
  })
})

describe("the user's own change", () => {
  it('is received twice and refetched only for the call', async () => {
    const { old, asked, show, came } = setUp()
    const list = show(LIST)
    asked[0]?.answer('old')
    await list.shows('old')
    old.markOwnRequest('r1')
    await old.invalidate([
      { entity: 'visitor', event: 'update', record: { VisitorID: 'v1' }, requestId: 'r1' },
    ])
    expect(asked).toHaveLength(1)
    void old.invalidate([
      { entity: 'visitor', event: 'update', record: { VisitorID: 'v1' }, requestId: 'other' },
    ])
    await came(2)
  })

  it('is remembered for the last 200 calls', async () => {
    const { old, put, isOld } = setUp()
    put(LIST, {})
    for (let call = 0; call <= 200; call++) old.markOwnRequest(`r${call}`)
    await old.invalidate([{ entity: 'visitor', event: 'add', record: {}, requestId: 'r1' }])
    expect(isOld(LIST)).toBe(false)
    await old.invalidate([{ entity: 'visitor', event: 'add', record: {}, requestId: 'r0' }])
    expect(isOld(LIST)).toBe(true)
  })
})

describe('an answer that events patch', () => {
  const devices = peripheral.operations.list
  const known = call(devices.path, devices.shows, { inPlace: true })
  const hub = { ThingName: 't1', DeviceName: 'Hub', HomeID: 'h1', RoomID: 0, Online: true, SeenAt: 1 }
  const snapshot = { Things: [hub], Peripherals: [], Statuses: [] }
  const { Online: _online, SeenAt: _seenAt, ...record } = { ...hub, DeviceName: 'Renamed' }
  const renamed: EntityChange = { entity: 'thing', event: 'update', record }
  const held = (client: QueryClient) =>
    client.getQueryData<typeof snapshot>([known.path, { HomeID: 'h1' }])?.Things[0]?.DeviceName

  it('is not refetched, and keeps its age', async () => {
    const { client, old } = setUp()
    old.register(known)
    client.setQueryData([known.path, { HomeID: 'h1' }], snapshot, { updatedAt: 1_000 })
    await old.invalidate([renamed])
    expect(held(client)).toBe('Renamed')
    expect(client.getQueryState([known.path, { HomeID: 'h1' }])).toMatchObject({
      dataUpdatedAt: 1_000,
      isInvalidated: false,
    })
  })

  it("is patched by the user's own event as well", async () => {
    const { client, old, put } = setUp()
    put(known, { HomeID: 'h1' }, snapshot)
    old.markOwnRequest('r1')
    await old.invalidate([{ ...renamed, requestId: 'r1' }])
    expect(held(client)).toBe('Renamed')
  })

  it('stays invalidated if it was', async () => {
    const { client, old, put, isOld } = setUp()
    put(known, { HomeID: 'h1' }, snapshot)
    await old.invalidate([{ entity: 'thing' }])
    await old.invalidate([renamed])
    expect(held(client)).toBe('Renamed')
    expect(isOld(known, { HomeID: 'h1' })).toBe(true)
  })

  it('is refetched once more if a query was running', async () => {
    const { old, asked, show, came } = setUp()
    const page = show(known, { HomeID: 'h1' })
    asked[0]?.answer(snapshot)
    await page.shows(snapshot)
    void page.observer.refetch()
    await came(2)
    void old.invalidate([renamed])
    asked[1]?.answer(snapshot)
    await vi.waitFor(() => expect(asked).toHaveLength(3), PATIENT)
  })

  it('is refetched if the event cannot be read', async () => {
    const { old, put, isOld } = setUp()
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    put(known, { HomeID: 'h1' }, { Things: null })
    await old.invalidate([renamed])
    expect(isOld(known, { HomeID: 'h1' })).toBe(true)
  })
})

describe('a paged list', () => {
  it('is refetched down to the last visible row; the rest loads on scroll', async () => {
    const client = new QueryClient()
    const old = createCacheInvalidation(client, () => ({ homeId: 'h1' }))
    old.register(LIST)
    let asked: (number | undefined)[] = []
    const observer = new InfiniteQueryObserver(client, {
      queryKey: [LIST.path, {}, 'pages'],
      meta: { lastRow: () => 19 },
      queryFn: ({ pageParam }) => {
        asked.push(pageParam)
        return Promise.resolve({ Rows: Array.from({ length: 10 }, (_, row) => pageParam * 10 + row) })
      },
      initialPageParam: 0,
      getNextPageParam: (_last, _all, page) => page + 1,
      staleTime: Infinity,
    })
    const leave = observer.subscribe(() => {})
    for (let page = 0; page < 5; page++)
      await vi.waitFor(async () => {
        await observer.fetchNextPage()
        expect(observer.getCurrentResult().data?.pages.length).toBeGreaterThan(page + 1)
      }, PATIENT)
    asked = []
    await old.invalidate([{ entity: 'visitor' }])
    expect(asked).toEqual([0, 1])
    expect(observer.getCurrentResult().data?.pages).toHaveLength(2)
    expect(observer.getCurrentResult().hasNextPage).toBe(true)
    leave()
  })
})

describe('a gap in the channel', () => {
  it('invalidates every answer that shows records', async () => {
    const { old, asked, show, put, isOld, came } = setUp()
    const list = show(LIST)
    asked[0]?.answer('old')
    await list.shows('old')
    put(METERS, { HomeID: 'h1' })
    put(call('/ListPermissions', []), {})
    void old.invalidateAll()
    await came(2)
    expect(asked[1]?.path).toBe(LIST.path)
    expect(isOld(METERS, { HomeID: 'h1' })).toBe(true)
    expect(isOld(call('/ListPermissions', []))).toBe(false)
  })
})

describe('any cache and any changes', () => {
  const ENTITIES: readonly Entity[] = ['home', 'visitor', 'employee', 'virtualMeter']
  const entity = fc.constantFrom(...ENTITIES)
  const id = fc.constantFrom('a', 'b', null, undefined)
  const fields = fc.record({ HomeID: id, VisitorID: id }, { requiredKeys: [] })
  const endpoint = fc.record({
    path: fc.constantFrom('/A', '/B', '/C'),
    shows: fc.uniqueArray(entity),
    key: fc.constantFrom<readonly string[]>([], ['VisitorID']),
  })
  const differ = (a: unknown, b: unknown) => a != null && b != null && a !== b

  it('an answer is invalidated iff it shows the entity and neither its home nor its key differ', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(endpoint, { selector: ({ path }) => path }),
        fc.array(fields),
        fc.record({ entity, record: fc.option(fields, { nil: undefined }) }),
        async (endpoints, inputs, change) => {
          const { old, put, isOld } = setUp()
          for (const one of endpoints) for (const input of inputs) put({ ...METERS, ...one }, input)
          await old.invalidate([change])
          for (const one of endpoints)
            for (const input of inputs) {
              const { record = {} } = change
              const isOther =
                differ(record.HomeID, input.HomeID) ||
                (change.entity === one.shows[0] &&
                  one.key.includes('VisitorID') &&
                  differ(record.VisitorID, input.VisitorID))
              expect(isOld({ ...METERS, ...one }, input)).toBe(one.shows.includes(change.entity) && !isOther)
            }
        },
      ),
    )
  })

  it("ends with the gateway's data in any order of answers and duplicate events", async () => {
    vi.useFakeTimers()
    const step = fc.constantFrom('change', 'event', 'answer')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { client, old } = setUp()
        old.register(LIST)
        let there = 0
        const waiting: (() => void)[] = []
        const observer = new QueryObserver(client, {
          queryKey: [LIST.path, {}],
          queryFn: () => {
            // A response contains the gateway's data at the time of the call.
            const had = there
            return new Promise<number>((resolve) => waiting.push(() => resolve(had)))
          },
          staleTime: Infinity,
        })
        const leave = observer.subscribe(() => {})
        const answer = () => {
          waiting.splice(0).forEach((give) => give())
          return vi.advanceTimersByTimeAsync(1_001)
        }
        for (const one of steps) {
          if (one === 'answer') {
            await answer()
            continue
          }
          if (one === 'change') there++
          void old.invalidate([{ entity: 'visitor' }])
        }
        while (waiting.length > 0) await answer()
        expect(observer.getCurrentResult().data).toBe(there)
        leave()
      }),
    )
    vi.useRealTimers()
  })

  it('finds what a change invalidates among 2,000 cached answers quickly', async () => {
    const { old, put, isOld } = setUp()
    for (let home = 0; home < 2_000; home++) put(METERS, { HomeID: `h${home}` })
    const change: EntityChange = { entity: 'virtualMeter', record: { HomeID: 'h7' } }
    const took = Array.from({ length: 100 }, () => {
      const started = performance.now()
      void old.invalidate([change])
      return performance.now() - started
    })
    // The limit is a millisecond; the minimum is taken because the machine may be busy.
    expect(Math.min(...took)).toBeLessThan(2)
    await old.whenRefetched()
    expect(isOld(METERS, { HomeID: 'h7' })).toBe(true)
    expect(isOld(METERS, { HomeID: 'h8' })).toBe(false)
  })
})
