import { beforeEach, describe, expect, it } from 'vitest'
import { hubTrial, TRIAL_TIMEOUT_MS } from '../../../../contract/devices/channels/hub-setup.ts'
import type { PayloadOf } from '../../../../contract/kernel/define-channel.ts'
import type { Client, HubClient, ReceivedMessage, TopicMatch } from '../../../../gateway/kernel/broker.ts'
import { createHubTrials } from '../../../../gateway/features/setup/hub-trials.ts'
import { holdClock, type HeldClock } from '../../../support/clock.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createQuietBroker } from '../../../support/quiet-broker.ts'
import { rights } from '../../../support/world.ts'

const MINUTE = 60_000
const hub: HubClient = { party: 'hub', tenant: 'company', homeId: 'home', thingName: 'hub-1' }

let clock: HeldClock
let told: { topic: string; news: PayloadOf<typeof hubTrial> }[]
let trials: ReturnType<typeof createHubTrials>
beforeEach(() => {
  clock = holdClock()
  told = []
  const publish = async (topic: string, news: unknown) => {
    told.push({ topic, news: hubTrial.payload.parse(news) })
  }
  trials = createHubTrials({ clock, log: createLogBook(), broker: { ...createQuietBroker(), publish } })
  trials.begin(hub)
})

const last = () => {
  const { ThingName: _, Timestamp: _at, ...news } = told.at(-1)?.news ?? ({} as PayloadOf<typeof hubTrial>)
  return news
}
const says = (name: TopicMatch['name'], payload: object = {}): ReceivedMessage => ({
  topic: '',
  match: { name, values: {} },
  payload: Buffer.from(JSON.stringify(payload)),
  client: hub,
  retain: false,
})

describe('a hub that connects for the first time', () => {
  it('is followed to its first message, for users who wait in its home', () => {
    trials.onConnected('hub-1')
    expect(last()).toEqual({ Stage: 'signedIn' })
    expect(told.at(-1)?.topic).toBe('company/home/hub/trial')
    trials.onMessage(says('settingsRequest'))
    expect(last()).toEqual({ Stage: 'signedIn' })
    trials.onMessage(says('statusReport', { Timestamp: Math.floor(clock.now() / 1_000) }))
    expect(last()).toEqual({ Stage: 'message' })
  })

  it('reports how often the secret was wrong and from where, until it is right', () => {
    trials.onWrongSecret('hub-1', '::ffff:192.168.1.23')
    trials.onWrongSecret('hub-1', '::ffff:192.168.1.23')
    expect(last()).toEqual({ Stage: 'reached', Reason: 'wrongPassword', Count: 2, From: '192.168.1.23' })
    for (let i = 0; i < 200; i++) trials.onWrongSecret('hub-1', '192.168.1.23')
    expect(last()).toMatchObject({ Count: 99 })
    expect(told.length).toBeLessThan(110)
    trials.onConnected('hub-1')
    expect(last()).toEqual({ Stage: 'signedIn' })
  })

  it.each([
    ['ahead', 9 * 60],
    ['behind', -9 * 60],
  ])('reports its clock offset: %s', (_, minutes) => {
    trials.onMessage(says('statusReport', { Timestamp: clock.now() + minutes * MINUTE }))
    expect(last()).toEqual({ Stage: 'message', Reason: 'clockOff', OffBy: minutes * MINUTE })
  })

  it('reports a clock in 1970, and nothing if there is no time', () => {
    trials.onMessage(says('statusReport', { Timestamp: 5 }))
    expect(last()).toMatchObject({ Stage: 'message', Reason: 'clockOff' })
    trials.onMessage(says('statusReport', { Timestamp: 'now' }))
    expect(last()).toEqual({ Stage: 'message' })
  })

  it('reports messages for another home or unknown topics, until one is accepted', () => {
    trials.onConnected('hub-1')
    trials.onRejected(hub, 'home')
    expect(last()).toEqual({ Stage: 'signedIn', Reason: 'otherHome' })
    trials.onRejected(hub, 'unknown-topic')
    expect(last()).toEqual({ Stage: 'signedIn', Reason: 'unknownTopic' })
    trials.onMessage(says('shadowUpdate'))
    trials.onRejected(hub, 'home')
    expect(last()).toEqual({ Stage: 'message' })
  })

  it('reports after two minutes that nothing arrived, at any stage', () => {
    clock.advance(2 * MINUTE)
    expect(last()).toEqual({ Stage: 'waiting', Reason: 'silent' })
    trials.onConnected('hub-1')
    clock.advance(2 * MINUTE - 1)
    expect(last()).toEqual({ Stage: 'signedIn' })
    clock.advance(1)
    expect(last()).toEqual({ Stage: 'signedIn', Reason: 'silent' })
  })

  it('is followed for 30 minutes, and not after its removal', () => {
    clock.advance(TRIAL_TIMEOUT_MS)
    const before = told.length
    trials.onConnected('hub-1')
    expect(told).toHaveLength(before)
    trials.begin(hub)
    trials.end('hub-1')
    const after = told.length
    trials.onConnected('hub-1')
    clock.advance(5 * MINUTE)
    expect(told).toHaveLength(after)
  })

  it('is published again to new listeners of the company who may add devices', () => {
    trials.onConnected('hub-1')
    const screen = (tenant: string, may: boolean): Client => ({
      party: 'screen',
      tenant,
      cognitoId: 'person',
      subject: { isRoot: false, permissions: may ? [rights('device', 'Create')] : [] },
    })
    const filter = 'company/home/hub/trial'
    const before = told.length
    trials.onSubscribed(screen('company', false), filter)
    trials.onSubscribed(screen('another', true), filter)
    trials.onSubscribed(screen('company', true), 'company/elsewhere/hub/trial')
    expect(told).toHaveLength(before)
    trials.onSubscribed(screen('company', true), filter)
    expect(told).toHaveLength(before + 1)
    expect(last()).toEqual({ Stage: 'signedIn' })
  })
})
