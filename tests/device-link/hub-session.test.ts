import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { type HubSessionOptions, openHubSession } from '../../device-link/hub-session.ts'
import type { Message } from '../../device-link/outbox.ts'
import { holdClock } from '../support/clock.ts'

/** Client controlled by the test that keeps every publish pending until acknowledged. */
class Client extends EventEmitter {
  published: { payload: string; done: (error?: Error) => void }[] = []
  stream = { destroy: () => this.emit('close') }
  subscribe(_topics: string[], _options: object, done: (error: Error | null) => void) {
    done(null)
  }
  publish(_topic: string, payload: string, _options: object, done: (error?: Error) => void) {
    this.published.push({ payload, done })
  }
  end() {
    this.emit('close')
  }
  endAsync() {
    return Promise.resolve(this.end())
  }
  sent = () => this.published.map(({ payload }) => payload)
}

let clients: Client[]
let told: string[]
let clock: ReturnType<typeof holdClock>
const last = () => clients.at(-1) as Client
const message = (payload: string): Message => ({ topic: 't', payload })

function open(more: Partial<HubSessionOptions<Message>> = {}) {
  return openHubSession({
    connect: () => {
      clients.push(new Client())
      return last()
    },
    url: 'mqtt://gateway',
    ThingName: 'hub-1',
    Secret: 'secret',
    will: message('will'),
    subscriptions: ['t'],
    clock,
    // No jitter: every pause has its nominal length.
    random: () => 0.5,
    onOnline: () => told.push('online'),
    onOffline: () => told.push('offline'),
    onFailure: (reason, nextIn) => told.push(`${reason}: ${nextIn}`),
    onMessage: () => {},
    ...more,
  })
}

beforeEach(() => {
  clients = []
  told = []
  clock = holdClock()
})

describe('a session of a hub', () => {
  it('tries again after twice as long each time, up to a minute, and says why', () => {
    open()
    for (const pause of [1, 2, 4, 8, 16, 32, 60, 60]) {
      last().emit('error', new Error('refused'))
      expect(told.pop()).toBe(`refused: ${pause * 1000}`)
      clock.advance(pause * 1000)
    }
    expect(clients).toHaveLength(9)
    last().emit('connect')
    last().emit('close')
    expect(told).toEqual(['online', 'offline'])
    clock.advance(1_000)
    expect(clients).toHaveLength(10)
  })

  it('sends again what was not acknowledged when the connection broke, before what came later', () => {
    const session = open({ window: 2 })
    for (const payload of ['1', '2', '3']) session.send(message(payload))
    last().emit('connect')
    expect(last().sent()).toEqual(['1', '2'])
    last().published[0]?.done()
    expect(last().sent()).toEqual(['1', '2', '3'])
    const broken = last()
    broken.emit('close')
    session.send(message('4'))
    clock.advance(1_000)
    last().emit('connect')
    expect(last().sent()).toEqual(['2', '3'])
    // Late messages of the broken connection are ignored.
    broken.published[2]?.done()
    expect([session.acknowledged, session.inFlight, session.waiting]).toEqual([1, 2, 1])
  })

  it('stays away for as long as a hub without power does', () => {
    const session = open()
    last().emit('connect')
    session.die(30_000)
    clock.advance(29_999)
    expect(clients).toHaveLength(1)
    clock.advance(1)
    expect(clients).toHaveLength(2)
  })

  it('says no goodbye while something is on the wire, so that its will is sent', async () => {
    const session = open()
    last().emit('connect')
    session.send(message('1'))
    let forced: unknown
    last().endAsync = (force?: boolean) => Promise.resolve(void (forced = force))
    const stopped = session.stop(2_000)
    clock.advance(2_000)
    await stopped
    expect(forced).toBe(true)
  })
})
