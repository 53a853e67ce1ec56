import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { channels } from '../../../../contract/index.ts'
import { createExternalBroker } from '../../../../gateway/broker/external/external.ts'
import { createSeats } from '../../../../gateway/broker/external/seats.ts'
import { type Clock, systemClock, systemRandom } from '../../../../gateway/ports.ts'
import { sql } from '../../../../gateway/store/db.ts'
import { createLogBook } from '../../../support/log-book.ts'
import { createTestDb, type TestDb } from '../../../support/postgres.ts'
import { hasMosquitto, startMosquitto } from './mosquitto.ts'
import { connectHub, createEars, createFigures, type Ears, hangUp, HUBS, secretOf, TENANT } from '../rig.ts'

const REPORT = channels.meterReport.topic({ rootId: TENANT, homeId: 'home-1' })
const PATIENT = { timeout: 30_000, interval: 50 }
/** Half a minute passes at once. */
const clock: Clock = {
  ...systemClock,
  after: (ms, task) => systemClock.after(ms === 30_000 ? 100 : ms, task),
}

const installed = hasMosquitto()
if (!installed) console.warn('SKIPPED: sessions of gateways need Mosquitto 2 (apt install mosquitto)')

describe.skipIf(!installed)('what a gateway on Mosquitto did not store when it ended', () => {
  let mosquitto: Awaited<ReturnType<typeof startMosquitto>>
  let database: TestDb
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    database = await createTestDb()
  })
  afterAll(async () => {
    await mosquitto.stop()
    await database.drop()
  })
  const running = new Set<() => Promise<void>>()
  afterEach(async () => {
    await hangUp()
    for (const stop of running) await stop()
  })

  async function start(named: { clientId?: string; formerId?: string } = {}) {
    const ears = createEars()
    const log = createLogBook()
    const broker = createExternalBroker({
      url: mosquitto.url,
      screenUrl: mosquitto.screenUrl,
      ...(named.clientId === undefined && {
        seats: createSeats({ db: database.db, clock, log, prefix: 'of-the-test' }),
      }),
      ...named,
      shared: true,
      clock,
      random: systemRandom,
      log,
      metrics: createFigures(),
      proofKey: Buffer.alloc(32, 7),
    })
    await broker.start(ears)
    for (const hub of Object.values(HUBS)) await broker.enrol(hub, secretOf(hub.thingName))
    const stop = async () => {
      if (running.delete(stop)) await broker.close()
    }
    running.add(stop)
    return { ears, stop }
  }
  /** A gateway that stores nothing, so that whatever it hears is left when it ends. */
  async function startDeaf(named?: Parameters<typeof start>[0]) {
    const gateway = await start(named)
    gateway.ears.store = () => new Promise(() => {})
    return gateway
  }
  const textOf = (i: number) => `{"ThingName":"hub-1","i":${i}}`
  const texts = ({ received }: Ears) =>
    new Set(received.map(({ payload }) => Buffer.from(payload).toString()))
  const upTo = (count: number) => new Set(Array.from({ length: count }, (_, i) => textOf(i)))

  it('is heard by it when it starts again', async () => {
    const first = await startDeaf()
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    await hub.publishAsync(REPORT, textOf(0), { qos: 1 })
    await first.ears.until(1)
    await first.stop()
    const second = await start()
    await second.ears.until(1)
    expect(texts(second.ears)).toEqual(upTo(1))
  })

  it('is taken over by another one, with what still comes for it, when it does not come back', async () => {
    const stays = await start()
    const goes = await startDeaf()
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    let count = 0
    const say = () => hub.publishAsync(REPORT, textOf(count++), { qos: 1 })
    while (goes.ears.received.length < 3) await say()
    await goes.stop()
    // The broker shares with sessions whose gateway is away, too.
    for (let i = 0; i < 4; i++) await say()
    await vi.waitFor(() => expect(texts(stays.ears)).toEqual(upTo(count)), PATIENT)
    await vi.waitFor(async () => {
      const rows = await database.db.query(sql`select seat from broker_seats`)
      expect(rows).toEqual([{ seat: 1 }])
    }, PATIENT)
  })

  it('is taken over also from the session that it had before there were seats', async () => {
    const old = await startDeaf({ clientId: 'gateway-machine-8080' })
    const hub = await connectHub(mosquitto.hubUrl, 'hub-1')
    let count = 0
    const say = () => hub.publishAsync(REPORT, textOf(count++), { qos: 1 })
    while (old.ears.received.length < 2) await say()
    await old.stop()
    for (let i = 0; i < 4; i++) await say()
    const now = await start({ formerId: 'gateway-machine-8080' })
    await vi.waitFor(() => expect(texts(now.ears)).toEqual(upTo(count)), PATIENT)
  })
})
