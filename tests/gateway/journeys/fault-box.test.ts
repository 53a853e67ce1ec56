import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { sql } from '../../../gateway/kernel/db.ts'
import { startFleet, type Fleet } from '../../../simulator/fleet.ts'
import type { FleetHub, HubDevice } from '../../../simulator/building/building.ts'
import { loadDevices, runLoad } from '../../../simulator/load.ts'
import { holdClock, type HeldClock } from '../../support/clock.ts'
import { addDiscovered } from '../../support/discoveries.ts'
import { startWorld, type Caller, type World } from '../../support/world.ts'

/** Simulated hubs with faults, against a real gateway and its database. */
let world: World
let owner: Caller
let HomeID: string

beforeAll(async () => {
  world = await startWorld({
    clock: systemClock,
    broker: 'embedded',
    // Minutes of malformed messages pass in seconds here, for which a hub would be disconnected.
    brokerLimits: { malformed: { slowedAfter: Infinity, disconnectedAfter: Infinity } },
  })
  owner = await world.signUp()
  HomeID = (await owner.post('/CreateHome', { HomeName: '工廠', TimeZone: 'Asia/Taipei' })).results.HomeID
})
afterAll(() => world?.close())

const url = () => `mqtt://127.0.0.1:${world.hubPort}`

async function addHub(devices: readonly HubDevice[]): Promise<FleetHub> {
  const { results } = await owner.post('/AddThing', { HomeID, DeviceName: '閘道器' })
  return { rootId: owner.tenant, HomeID, ThingName: results.ThingName, Secret: results.Secret, devices }
}

async function addDevices(devices: readonly HubDevice[]): Promise<void> {
  for (let from = 0; from < devices.length; from += 8) {
    const Peripherals = devices
      .slice(from, from + 8)
      .map(({ PeripheralUID, PeripheralName }) => ({ PeripheralUID, PeripheralName }))
    const { status } = await owner.post('/AddPeripherals', { HomeID, Peripherals })
    expect(status).toEqual({ code: 0 })
  }
  // A user's setting takes precedence over the hub's initial one.
  for (const { PeripheralUID, PowerMeterUpdateFrequency } of devices)
    if (PowerMeterUpdateFrequency !== undefined)
      await owner.post('/UpdatePeripheralAdvanceInfo', { HomeID, PeripheralUID, PowerMeterUpdateFrequency })
}

const meter = (uid: string): HubDevice => ({
  PeripheralUID: uid,
  PeripheralType: '528',
  PeripheralName: uid,
  PowerMeterUpdateFrequency: 5,
  scenario: { profile: 'servers', key: uid, watts: 40_000, wiring: { kwh: 500, phases: 3 } },
})

/** Stored counters, by device and time. */
async function storedReadings(devices: readonly HubDevice[]): Promise<Map<string, number>> {
  const rows = await world.db.query<{ uid: string; at: number; kwh: number }>(sql`
    select m.peripheral_uid as uid, r.timestamp as at, r.accumulate_power as kwh
    from readings r join meters m using (meter_id)
    where m.peripheral_uid = any(${devices.map(({ PeripheralUID }) => PeripheralUID)})`)
  return new Map(rows.map(({ uid, at, kwh }) => [`${uid}@${at}`, kwh]))
}

/** Waits for a failed hub to reconnect, with its back-off skipped. */
async function backOnline(fleet: Fleet, clock: HeldClock): Promise<void> {
  if (fleet.stats().online > 0) return
  const online = new Promise<void>((resolve) => fleet.on('online', () => resolve()))
  clock.advance(60_000)
  await online
}

describe('simulated hubs with faults', () => {
  it('lose nothing and store nothing wrong: late, duplicate, unordered, malformed, impossible, future, crashing', async () => {
    const devices = [meter('m1'), meter('m2')]
    const hub = await addHub(devices)
    // An hour ago by the hubs' clock, so that it can run ahead of ours without being in the future.
    const clock = holdClock(Date.now() - 3_600_000)
    const fleet = startFleet({
      url: url(),
      hubs: [hub],
      clock,
      seed: 3,
      faults: {
        late: 0.2,
        duplicate: 0.2,
        reorder: 0.2,
        malformed: 0.2,
        range: 0.2,
        future: 0.2,
        die: 0.01,
      },
    })
    await fleet.announced()
    await addDevices(devices)
    const told = new Map<string, number>()
    fleet.on('sent', ({ topic, payload }, lie) => {
      if (lie || !channels.meterReport.match(topic)) return
      for (const { PeripheralUID, Timestamp, AccumulatePower } of JSON.parse(payload).Readings)
        told.set(`${PeripheralUID}@${Timestamp}`, AccumulatePower)
    })
    const rarest = () => Math.min(...Object.values(fleet.stats().faults))
    for (let second = 0; second < 300 || (rarest() === 0 && second < 2000); second++) {
      clock.advance(1000)
      await new Promise(setImmediate)
      await backOnline(fleet, clock)
    }
    const leastOften = rarest()
    await fleet.stop()

    expect(leastOften).toBeGreaterThan(0)
    expect(told.size).toBeGreaterThan(100)
    expect(await storedReadings(devices)).toEqual(told)
  })
})

describe('the load mode', () => {
  it('counts as acknowledged exactly what the gateway has stored', async () => {
    const groups = loadDevices(40, 10).map((group) => group.map((one) => ({ ...one, PeripheralType: '514' })))
    const hubs = await Promise.all(groups.map(addHub))
    for (const { ThingName, devices } of hubs)
      await addDiscovered(world, owner, {
        HomeID,
        ThingName,
        type: '514',
        uids: devices.map(({ PeripheralUID }) => PeripheralUID),
      })
    const acknowledged = new Set<string>()
    const result = await runLoad({
      url: url(),
      hubs,
      rate: 1000,
      seconds: 1,
      onAcknowledged: (uid, at) => acknowledged.add(`${uid}@${at}`),
    })
    expect(result).toMatchObject({ sent: 1000, acknowledged: 1000, unacknowledged: 0 })
    expect(new Set((await storedReadings(groups.flat())).keys())).toEqual(acknowledged)
  })
})
