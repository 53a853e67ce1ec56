import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectAsync, type MqttClient } from 'mqtt'
import { meterReport } from '../../../../../contract/meters/channels.ts'
import { MAX_CLOCK_AHEAD_MS } from '../../../../../contract/devices/status-order.ts'
import { createMonotonicClock } from '../../../../../gateway/features/status/ingest/state.ts'
import { type Clock, systemClock } from '../../../../../gateway/kernel/ports.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { startWorld, type World } from '../../../../support/world.ts'

const HOUR = 3_600_000

describe('a clock set back by an hour under load', () => {
  let world: World
  let hub: MqttClient
  let topic: string
  let ThingName: string
  /** Milliseconds by which the gateway's clock is behind. */
  let behind = 0
  const clock: Clock = { now: () => Date.now() - behind, after: systemClock.after }
  beforeAll(async () => {
    world = await startWorld({ clock, broker: 'embedded' })
    const root = await world.signUp()
    const { HomeID } = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results
    const thing = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
    ;({ ThingName } = thing)
    await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['m1'] })
    topic = meterReport.topic({ rootId: root.tenant, homeId: HomeID })
    hub = await connectAsync(`mqtt://127.0.0.1:${world.hubPort}`, {
      clientId: ThingName,
      username: ThingName,
      password: thing.Secret,
    })
  })
  afterAll(async () => {
    await hub?.endAsync(true)
    await world?.close()
  })

  it('loses no reading and delays no hub', async () => {
    const began = Date.now() - 60_000
    const COUNT = 400
    let acknowledged = 0
    const publish = async (i: number) => {
      const Readings = [{ PeripheralUID: 'm1', Timestamp: began + i, AccumulatePower: i }]
      await hub.publishAsync(topic, JSON.stringify({ ThingName, Readings }), { qos: 1 })
      if (++acknowledged === COUNT / 2) behind = HOUR
    }
    await Promise.all(Array.from({ length: COUNT }, (_, i) => publish(i)))
    for (let i = COUNT; i < COUNT + 50; i++) await publish(i)
    const [row] = await world.db.query<{ count: number }>(sql`select count(*) from readings`)
    expect(row?.count).toBe(COUNT + 50)
  })
})

describe('the corrected time', () => {
  const start = Date.UTC(2026, 0, 5)
  const setUp = () => {
    const at = { now: start, elapsed: 0 }
    return { at, time: createMonotonicClock({ now: () => at.now }, () => at.elapsed) }
  }

  it('is that of the clock, even while it is adjusted slightly', () => {
    const { at, time } = setUp()
    expect(time()).toBe(start)
    at.now += 5_000
    expect(time()).toBe(start + 5_000)
    at.now -= 800
    expect(time()).toBe(start + 4_200)
  })

  it('continues when the clock is set back, and follows it again once it has caught up', () => {
    const { at, time } = setUp()
    time()
    at.now -= HOUR
    at.elapsed += 2 * MAX_CLOCK_AHEAD_MS
    expect(time()).toBe(start + 2 * MAX_CLOCK_AHEAD_MS)
    at.elapsed += HOUR
    at.now = start + HOUR + 2 * MAX_CLOCK_AHEAD_MS + 10
    expect(time()).toBe(at.now)
  })

  it('is that of the clock after it was wrong by days', () => {
    const { at, time } = setUp()
    time()
    at.now -= 30 * 24 * HOUR
    expect(time()).toBe(at.now)
  })
})
