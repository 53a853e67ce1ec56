import { setTimeout as wait } from 'node:timers/promises'
import { automation } from '../../contract/automation/automation.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import { runLoad } from '../../simulator/load.ts'
import type { PushBrowser } from '../../tests/support/push-service.ts'
import { databaseOf } from '../automation/database.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import { connectInstantHub } from '../support/instant-hub.ts'
import { listen, startStandIn } from '../support/listener.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'

const HOMES = 10
const HUBS_PER_HOME = 10
const DEVICES_PER_HUB = 50
const RATE = 1_000
const BROWSERS = 5
/** Interval between two alarms, ms. */
const EVERY = 1_000
const TIMEOUT_MS = 30_000
/** Limit of a meter's rule, power at first, and power that crosses the limit, in W. */
const LIMIT = 10_000
const CALM = 1_000
const TOO_MUCH = 20_000

/**
 * Measures from a meter's report that crosses the limit of a critical rule without a hold until a push service that verifies and
 * decrypts it has accepted the push of each of five browsers, while 5,000 other devices report 1,000 times a second. Each meter has a rule
 * of its own, each alarm is the first of its rule, and its recipients have received nothing recently.
 */
export async function reportToPush({ quick }: Options): Promise<Figure[]> {
  const count = quick ? 20 : 60
  const standIn = await startStandIn()
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory, undefined, standIn.env)
  const owner = await signUpOwner(gateway.url)
  const browsers = await listen(owner, standIn, BROWSERS)
  const db = databaseOf(directory)
  const meters = makeDevices('limited', count, ['514'])
  const { HomeID, hubs } = await makeHome(gateway, owner, 'alarms', [meters])
  const hub = await connectInstantHub(gateway, hubs[0]!)
  const report = (uids: readonly string[], Power: number) =>
    hub.readings(
      uids.map((PeripheralUID) => ({ PeripheralUID, Timestamp: Date.now(), AccumulatePower: 1_000, Power })),
    )
  const uids = meters.map(({ PeripheralUID }) => PeripheralUID)
  await report(uids, CALM)
  for (const uid of uids) await limit(owner, HomeID, uid)

  const begin = await makeLoad(gateway, owner, (count * EVERY) / 1000 + 10)
  const load = begin()
  await wait(5_000)
  const times: number[] = []
  for (const uid of uids) {
    await clearSent(db)
    const startedAt = performance.now()
    const accepted = browsers.map((browser) => nextAccepted(browser))
    await report([uid], TOO_MUCH)
    for (const at of await Promise.all(accepted)) times.push(at - startedAt)
    await wait(Math.max(0, startedAt + EVERY - performance.now()))
  }
  const { rate } = await load
  if (standIn.service.faults.length > 0) throw new Error(standIn.service.faults[0])
  await gateway.stop()
  return [
    {
      what: `report that crosses a limit to push accepted, ${BROWSERS} browsers, ${RATE} messages/s, 95th percentile`,
      value: percentile(times, 0.95),
      unit: 'ms',
      bar: { of: 'value', max: 1_000 },
      note: `${times.length} messages, median ${Math.round(median(times))} ms, slowest ${Math.round(Math.max(...times))} ms; ${rate} messages/s taken`,
    },
  ]
}

/** A critical rule without a hold on one meter. */
const limit = ({ call }: Owner, HomeID: string, PeripheralUID: string) =>
  call(automation.operations.create, {
    HomeID,
    AutomationType: 4,
    AutomationName: PeripheralUID,
    Conditions: {
      PeripheralUIDs: [{ PeripheralUID, Field: 'Power', Logical: '>', Status: LIMIT }],
      For: 0,
    },
    Actions: [],
    Alarm: { Severity: 'critical' },
  })

/** Creates the homes whose devices report continuously; returns a function that starts them. */
async function makeLoad(gateway: GatewayUnderTest, owner: Owner, seconds: number) {
  const hubs: FleetHub[] = []
  for (let i = 0; i < HOMES; i++) {
    const devices = makeDevices(`home${i}`, HUBS_PER_HOME * DEVICES_PER_HUB, ['514', '516', '528', '534'])
    hubs.push(...(await makeHome(gateway, owner, `home ${i}`, portions(devices, DEVICES_PER_HUB))).hubs)
  }
  return () => runLoad({ url: gateway.mqttUrl, hubs, rate: RATE, seconds })
}

/** Time at which the next message for a browser was accepted. */
function nextAccepted(browser: PushBrowser): Promise<number> {
  const before = browser.messages.length
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      clearInterval(timer)
      reject(new Error('A push did not arrive'))
    }, TIMEOUT_MS)
    const timer = setInterval(() => {
      if (browser.messages.length <= before) return
      clearInterval(timer)
      clearTimeout(late)
      resolve(performance.now())
    }, 2)
  })
}

/** Clears sent notifications of the last hour, so that none becomes a digest. */
const clearSent = (db: Db) => db.query(sql`update recipients set sent = '[]', digest_at = null`)
