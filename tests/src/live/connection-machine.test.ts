import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  IDLE,
  MAX_PAUSE_MS,
  nextConnectionState,
  pauseBefore,
  RENEW_BEFORE_MS,
  type ConnectionConditions,
  type ConnectionEvent,
  type ConnectionEffect,
  type ConnectionMachine,
} from '../../../src/live/connection-machine.ts'

const NOW = 1_795_243_466_453
const HOUR = 3_600_000
const conditions = (now = NOW, changes: Partial<ConnectionConditions> = {}): ConnectionConditions => ({
  now,
  gatewayNow: now,
  online: true,
  random: 1,
  ...changes,
})
const credentials = (ExpiresAt = NOW + HOUR) => ({
  Url: 'wss://gateway/mqtt',
  ClientID: 'c',
  Username: 'u',
  Password: 'secret',
  ExpiresAt,
  Now: NOW,
})

/** Machine with its environment: clients that its effects have left open, and whether a pause is running. */
interface World {
  machine: ConnectionMachine
  open: Set<number>
  pausing: boolean
  watched: boolean
  effects: readonly ConnectionEffect[]
}
const IDLE_WORLD: World = { machine: IDLE, open: new Set(), pausing: false, watched: false, effects: [] }

function after(world: World, event: ConnectionEvent, at = conditions()): World {
  const { state, effects } = nextConnectionState(world.machine, event, at)
  const result = { ...world, machine: state, open: new Set(world.open), effects }
  if (event.type === 'closed') result.open.delete(event.id)
  if (event.type === 'pauseOver') result.pausing = false
  for (const effect of effects) {
    if (effect.type === 'connect') result.open.add(effect.id)
    if (effect.type === 'end') result.open.delete(effect.id)
    if (effect.type === 'pause' || effect.type === 'stopPause') result.pausing = effect.type === 'pause'
    if (effect.type === 'watch' || effect.type === 'stopWatch') result.watched = effect.type === 'watch'
  }
  return result
}
const play = (events: readonly ConnectionEvent[], from = IDLE_WORLD): World =>
  events.reduce((world, event) => after(world, event), from)

const CONNECTED: ConnectionEvent[] = [
  { type: 'start' },
  { type: 'prepared', id: 1, credentials: credentials() },
  { type: 'connected', id: 1 },
  { type: 'subscribed', id: 1 },
]

/** Answers all pending requests with success. */
function settle(world: World): World {
  const { opening } = world.machine
  if (opening && !opening.client)
    return settle(after(world, { type: 'prepared', id: opening.id, credentials: credentials() }))
  if (opening) return settle(after(world, { type: 'connected', id: opening.id }))
  const { current, retiring, status } = world.machine
  if (current !== undefined && (retiring !== undefined || status !== 'connected'))
    return after(world, { type: 'subscribed', id: current })
  return world
}

const id = fc.integer({ min: 1, max: 6 })
const anyEvent: fc.Arbitrary<ConnectionEvent> = fc.oneof(
  fc.constantFrom<ConnectionEvent>(
    { type: 'start' },
    { type: 'retry' },
    { type: 'networkLost' },
    { type: 'check' },
    { type: 'pauseOver' },
    { type: 'want', topics: ['a', 'b'] },
    { type: 'want', topics: ['b'] },
  ),
  fc.record({
    type: fc.constant('prepared' as const),
    id,
    credentials: fc.constantFrom(credentials(), credentials(NOW + 1_000)),
  }),
  fc.record({ type: fc.constant('notOpened' as const), id, error: fc.constant('503') }),
  fc.record({ type: fc.constantFrom('connected', 'subscribed', 'unauthorized', 'closed'), id }),
)
const anyMoment = fc.record({ later: fc.integer({ min: 0, max: 2 * 3_600_000 }), online: fc.boolean() })
/** Any events in any order, each after some time. */
const anyStory = fc.array(fc.tuple(anyEvent, anyMoment), { maxLength: 60 })

function tell(story: readonly (readonly [ConnectionEvent, { later: number; online: boolean }])[]): World[] {
  let now = NOW
  let world = after(IDLE_WORLD, { type: 'start' }, conditions(now))
  return story.map(([event, { later, online }]) => {
    now += later
    world = after(world, event, conditions(now, { online }))
    return world
  })
}

describe('any events in any order', () => {
  it('have only the current, the replaced and the connecting client open', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const { machine, open } of tell(story)) {
          const { opening, current, retiring } = machine
          const known = [opening?.client ? opening.id : undefined, current, retiring]
          expect([...open].toSorted()).toEqual(known.filter((one) => one !== undefined).toSorted())
        }
      }),
    )
  })

  it('leave one client after all attempts end', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        const world = tell(story).at(-1) ?? play([{ type: 'start' }])
        const settled = settle(world)
        expect(settled.open.size).toBeLessThanOrEqual(1)
        expect(settled.machine.status === 'connected').toBe(settled.open.size === 1)
      }),
    )
  })

  it('never stall: connected, connecting, or with a scheduled retry', () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        for (const { machine, pausing } of tell(story)) {
          const subscribing = machine.current !== undefined
          expect(subscribing || machine.opening !== undefined || pausing).toBe(true)
          expect(machine.nextAttemptAt !== undefined).toBe(pausing)
        }
      }),
    )
  })

  it('leave no resources or listeners after stop', () => {
    fc.assert(
      fc.property(anyStory, anyStory, (before, later) => {
        let world = after(tell(before).at(-1) ?? IDLE_WORLD, { type: 'stop' })
        for (const [event] of later) if (event.type !== 'start') world = after(world, event)
        expect(world).toMatchObject({ open: new Set(), pausing: false, watched: false })
        expect(world.machine).toMatchObject({ status: 'ended', credentials: undefined, opening: undefined })
      }),
    )
  })

  it('back off after each failure up to the maximum, and reset after a success', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (failures) => {
        let world = play([{ type: 'start' }])
        const pauses: number[] = []
        for (let attempt = 1; attempt <= failures; attempt++) {
          world = after(world, { type: 'notOpened', id: world.machine.attempts, error: '503' })
          pauses.push(...world.effects.flatMap((effect) => (effect.type === 'pause' ? [effect.ms] : [])))
          world = after(world, { type: 'pauseOver' })
        }
        expect(pauses).toEqual(Array.from({ length: failures }, (_, n) => pauseBefore(n, 1)))
        expect(Math.max(...pauses)).toBeLessThanOrEqual(MAX_PAUSE_MS)
        const up = settle(world)
        const down = after(up, { type: 'closed', id: up.machine.attempts })
        expect(down.effects).toContainEqual({ type: 'pause', ms: pauseBefore(0, 1) })
      }),
    )
  })
})

describe('the state of the connection', () => {
  it('is no network if an attempt fails without one', () => {
    const world = after(
      play([{ type: 'start' }]),
      { type: 'notOpened', id: 1, error: '503' },
      conditions(NOW, { online: false }),
    )
    expect(world.machine).toMatchObject({ status: 'offline', nextAttemptAt: NOW + 1000 })
    expect(world.effects).toContainEqual({ type: 'failed', error: '503' })
  })

  it('is offline at once when the browser loses its network, and retries by itself', () => {
    const world = after(play(CONNECTED), { type: 'networkLost' }, conditions(NOW, { online: false }))
    expect(world.machine).toMatchObject({ status: 'offline', current: undefined, nextAttemptAt: NOW + 1000 })
    expect([...world.open]).toEqual([])
    expect(world.pausing).toBe(true)
  })

  it('reuses valid credentials, and requests new ones if they expire soon or were rejected', () => {
    const used = (changes: ConnectionEvent[], now: number) =>
      after(
        play([...CONNECTED, ...changes, { type: 'closed', id: 1 }]),
        { type: 'pauseOver' },
        conditions(now),
      ).effects
    const given = credentials()
    expect(used([], NOW)).toContainEqual({ type: 'prepare', id: 2, credentials: given })
    const other = { type: 'prepare', id: 2, credentials: undefined }
    expect(used([], NOW + HOUR - RENEW_BEFORE_MS)).toContainEqual(other)
    expect(used([{ type: 'unauthorized', id: 1 }], NOW)).toContainEqual(other)
  })

  it("renews by the gateway's clock, not the device's", () => {
    const late = NOW + HOUR - RENEW_BEFORE_MS
    const looks = (gatewayNow: number) =>
      after(play(CONNECTED), { type: 'check' }, conditions(NOW, { gatewayNow })).effects
    expect(looks(late - 1)).toEqual([])
    expect(looks(late)).toContainEqual({ type: 'prepare', id: 2, credentials: undefined })
  })

  it('keeps the current connection until its successor has its topics', () => {
    const renewing = after(
      play([...CONNECTED, { type: 'want', topics: ['a'] }]),
      { type: 'check' },
      conditions(NOW, { gatewayNow: NOW + HOUR }),
    )
    const replaced = play(
      [
        { type: 'prepared', id: 2, credentials: credentials() },
        { type: 'connected', id: 2 },
      ],
      renewing,
    )
    expect(replaced.effects).toContainEqual({ type: 'subscribeAll', id: 2, topics: ['a'] })
    expect(replaced.open).toEqual(new Set([1, 2]))
    const done = after(replaced, { type: 'subscribed', id: 2 })
    expect(done.effects).toEqual([
      { type: 'end', id: 1 },
      { type: 'ready', afterGap: false },
    ])
  })

  it('keeps the current connection if its successor cannot connect', () => {
    const renewing = after(play(CONNECTED), { type: 'check' }, conditions(NOW, { gatewayNow: NOW + HOUR }))
    const failed = play(
      [
        { type: 'prepared', id: 2, credentials: credentials() },
        { type: 'closed', id: 2 },
      ],
      renewing,
    )
    expect(failed.machine).toMatchObject({ status: 'connected', current: 1 })
    expect(failed.pausing).toBe(false)
  })

  it('ends an attempt that another one replaces', () => {
    const opening = play([{ type: 'start' }, { type: 'prepared', id: 1, credentials: credentials() }])
    const lost = play([{ type: 'closed', id: 1 }, { type: 'retry' }], opening)
    const again = play([{ type: 'prepared', id: 2, credentials: credentials() }, { type: 'retry' }], lost)
    expect(again.effects).toContainEqual({ type: 'end', id: 2 })
    expect(again.open).toEqual(new Set())
  })

  it('is connected once its topics are subscribed, even if the user retried meanwhile', () => {
    const subscribing = play([
      ...CONNECTED,
      { type: 'closed', id: 1 },
      { type: 'pauseOver' },
      { type: 'prepared', id: 2, credentials: credentials() },
      { type: 'connected', id: 2 },
      { type: 'retry' },
      { type: 'subscribed', id: 2 },
    ])
    expect(subscribing.machine.status).toBe('connected')
    expect(subscribing.effects).toEqual([{ type: 'ready', afterGap: true }])
  })

  it('requests only added and removed topics, and none while offline', () => {
    const wanting = (topics: string[]): ConnectionEvent => ({ type: 'want', topics })
    const { effects } = play([wanting(['a', 'b']), ...CONNECTED, wanting(['b', 'c', 'c'])])
    expect(effects).toEqual([
      { type: 'unsubscribe', id: 1, topics: ['a'] },
      { type: 'subscribe', id: 1, topics: ['c'] },
    ])
    expect(play([wanting(['a'])]).effects).toEqual([])
  })
})
