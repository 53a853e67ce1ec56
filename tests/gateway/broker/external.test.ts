import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import { createExternalBroker } from '../../../gateway/broker/external.ts'
import { systemClock, systemRandom } from '../../../gateway/outsides.ts'
import { createLogBook } from '../../support/log-book.ts'
import { hasMosquitto, startMosquitto } from './mosquitto.ts'
import { connectHub, createEars, createFigures, hangUp, HUBS, secretOf, TENANT } from './rig.ts'
import { behavesAsABroker, type Rig } from './same-behaviour.ts'

const REPORT = channels.meterReport.topic({ rootId: TENANT, homeId: 'home-1' })
const installed = hasMosquitto()
if (!installed)
  console.warn(
    'SKIPPED: the tests of an outside broker need Mosquitto 2 with its dynamic-security plugin (apt install mosquitto)',
  )

describe.skipIf(!installed)('with Mosquitto', () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  beforeAll(async () => {
    mosquitto = await startMosquitto()
  })
  afterAll(() => mosquitto.stop())

  async function start(clientId = 'gateway-1'): Promise<Rig> {
    const ears = createEars()
    const broker = createExternalBroker({
      url: mosquitto.url,
      screenUrl: mosquitto.screenUrl,
      clientId,
      clock: systemClock,
      random: systemRandom,
      log: createLogBook(),
      metrics: createFigures(),
    })
    await broker.start(ears)
    for (const hub of Object.values(HUBS)) await broker.enrol(hub, secretOf(hub.thingName))
    const { hubUrl, screenUrl } = mosquitto
    return { broker, ears, hubUrl, screenUrl, stop: () => broker.close() }
  }

  behavesAsABroker(start)

  it('gives the broker a message back that the gateway had not stored when it ended', async () => {
    const first = await start()
    first.ears.store = () => new Promise(() => {})
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    await hub.publishAsync(REPORT, '{"ThingName":"hub-1"}', { qos: 1 })
    await first.ears.until(1)
    await first.stop()
    const second = await start()
    await second.ears.until(1)
    expect(second.ears.received[0]?.topic).toBe(REPORT)
    await hangUp()
    await second.stop()
  })

  it('shares the messages between gateways, each to one of them', async () => {
    const one = await start('gateway-1')
    const two = await start('gateway-2')
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    for (let i = 0; i < 20; i++) await hub.publishAsync(REPORT, `{"ThingName":"hub-1","i":${i}}`, { qos: 1 })
    while (one.ears.received.length + two.ears.received.length < 20)
      await Promise.race([
        one.ears.until(one.ears.received.length + 1),
        two.ears.until(two.ears.received.length + 1),
      ])
    expect(one.ears.received.length).toBeGreaterThan(0)
    expect(two.ears.received.length).toBeGreaterThan(0)
    await hangUp()
    await Promise.all([one.stop(), two.stop()])
  })

  it('comes back after the broker was away and sends what waited', async () => {
    const rig = await start()
    const command = channels.controlCommand.topic({ rootId: TENANT, homeId: 'home-1', thingName: 'hub-1' })
    await mosquitto.restart()
    const sent = rig.broker.publish(command, 'after')
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    await sent
    await hub.subscribeAsync(command, { qos: 1 })
    await rig.broker.publish(command, 'again')
    expect(await hub.hear(command)).toBe('"again"')
    expect(rig.broker.healthy()).toBe(true)
    await hangUp()
    await rig.stop()
  })
})
