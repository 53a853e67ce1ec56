import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { meterReport } from '../../../../../contract/meters/channels.ts'
import type { EnergyPoint } from '../../../../../contract/energy/meter-data-calls.ts'
import { holdClock } from '../../../../support/clock.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 10:00 of a Monday in Taipei. */
const NOW = Date.parse('2026-01-05T10:00:00+08:00')
const YESTERDAY = Date.parse('2026-01-04T00:00:00+08:00')

let world: World
let root: Caller
let hub: MqttClient
let HomeID: string
let ThingName: string

beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW), broker: 'embedded' })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const thing = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  ThingName = thing.ThingName
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['hourly', 'huge'] })
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

/** Stores a meter's counter at given hours of yesterday. */
const report = (PeripheralUID: string, hours: readonly number[], counterAt: (hour: number) => number) =>
  hub.publishAsync(
    meterReport.topic({ rootId: root.tenant, homeId: HomeID }),
    JSON.stringify({
      ThingName,
      Readings: hours.map((hour) => ({
        PeripheralUID,
        Timestamp: YESTERDAY + hour * HOUR,
        AccumulatePower: counterAt(hour),
      })),
    }),
    { qos: 1 },
  )
const hours = (from: number, through: number) =>
  Array.from({ length: through - from + 1 }, (_, i) => from + i)

async function coverageOf(uid: string, Resolution: string, from: number, to: number) {
  const asked = { HomeID, From: from, To: to, Resolution, PeripheralUIDs: [uid] }
  const { results } = await root.post('/GetEnergySeries', asked)
  return (results.Series[0].Points as EnergyPoint[]).map(({ kWh, Coverage }) => ({ kWh, ...Coverage }))
}

it('counts an hourly meter on time as a quarter measured and never estimated, in every period', async () => {
  // In parts and out of order, as from a hub that was offline.
  await report('hourly', hours(9, 24), (hour) => hour)
  await report('hourly', hours(0, 5), (hour) => hour)
  await report('hourly', hours(6, 8), (hour) => hour)
  const none = { Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }
  const day = await coverageOf('hourly', 'day', YESTERDAY, YESTERDAY + DAY)
  expect(day).toEqual([{ kWh: 24, Measured: 24, Between: 72, ...none }])
  const hourly = await coverageOf('hourly', 'hour', YESTERDAY, YESTERDAY + DAY)
  expect(hourly).toEqual(Array.from({ length: 24 }, () => ({ kWh: 1, Measured: 1, Between: 3, ...none })))
  const [month] = await coverageOf('hourly', 'month', YESTERDAY, YESTERDAY + DAY)
  expect(month).toMatchObject({ kWh: 24, Measured: 24, Between: 72, Estimated: 0 })
  const [home] = (await root.post('/GetDailySummationData', { HomeID, Days: 2 })).results
  expect(home.Days[0].Coverage).toMatchObject({ Measured: 24, Between: 72, Estimated: 0 })
})

it('marks a meter as missing from its first reading on while all its readings are quarantined', async () => {
  await report('huge', hours(12, 24), (hour) => (hour - 12) * 60_000)
  const [day] = await coverageOf('huge', 'day', YESTERDAY, YESTERDAY + DAY)
  // The first reading counts; the twelve after it do not.
  expect(day).toEqual({
    kWh: null,
    Measured: 0,
    Between: 0,
    Estimated: 0,
    Corrected: 0,
    Missing: 96,
    Withheld: 12,
  })
  const before = await coverageOf('huge', 'day', YESTERDAY - DAY, YESTERDAY)
  expect(before[0]).toMatchObject({ kWh: null, Missing: 0, Withheld: 0 })
  const { Rows } = (await root.post('/ListQuarantinedReading', { HomeID })).results
  await root.post('/DecideQuarantinedReading', {
    HomeID,
    Decision: 'accepted',
    Readings: Rows.map(({ PeripheralUID, Timestamp }: { PeripheralUID: string; Timestamp: number }) => ({
      PeripheralUID,
      Timestamp,
    })),
  })
  const [accepted] = await coverageOf('huge', 'day', YESTERDAY, YESTERDAY + DAY)
  expect(accepted).toMatchObject({ kWh: 720_000, Measured: 12, Between: 36, Missing: 48, Withheld: 0 })
})
