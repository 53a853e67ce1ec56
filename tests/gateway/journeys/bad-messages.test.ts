import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { channels } from '../../../contract/index.ts'
import { SHADOW_NAMES } from '../../../contract/devices/shadow-names.ts'
import { MAX_REPORTED } from '../../../contract/devices/channels/control.ts'
import type { AnyChannel } from '../../../contract/kernel/define-channel.ts'
import { systemClock } from '../../../gateway/kernel/ports.ts'
import { addDiscovered } from '../../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../../support/world.ts'
import { connect, connectScreen, hangUp } from '../broker/rig.ts'

let world: World
let root: Caller
let HomeID: string
let hub: { ThingName: string; Secret: string }
beforeAll(async () => {
  world = await startWorld({
    clock: systemClock,
    broker: 'embedded',
    // Every message must be processed.
    brokerLimits: { malformed: { slowedAfter: Infinity, disconnectedAfter: Infinity } },
  })
  await world.gateway.listen(0, '127.0.0.1')
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'h', TimeZone: 'Asia/Taipei' })).results.HomeID
  hub = (await root.post('/AddThing', { HomeID, RoomID: 0, DeviceName: 'hub' })).results
  await addDiscovered(world, root, { HomeID, ThingName: hub.ThingName, uids: ['lamp'] })
})
afterAll(async () => {
  await hangUp()
  await world.close()
})

const TEXTS = [
  '',
  'null',
  '7',
  '"text"',
  '[]',
  '{',
  '{"a":',
  '\u0000',
  '{"__proto__":{"isRoot":true}}',
  '{"ThingName":{"$ne":""},"Timestamp":"now","Peripherals":{}}',
  '{"state":{"reported":{"online":"yes","Peripherals":[[]]}}}',
  '{"RequestID":"\u0000","PeripheralUID":"lamp","Values":null,"Result":[]}',
  `{"Timestamp":1e999,"Peripherals":[{"PeripheralUID":"lamp","Switch":NaN}]}`,
  '['.repeat(50_000),
  `{"Timestamp":${'9'.repeat(400)},"ThingName":"${'x'.repeat(70_000)}"}`,
  '{"Timestamp":1,"Peripherals":[{"PeripheralUID":"\\ud800","Switch":1}],"Readings":[{"PeripheralUID":"\\u0000"}]}',
]
const PAYLOADS = [...TEXTS.map((text) => Buffer.from(text)), Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])]

/** All topics of this company and hub that a party may publish to. */
function topicsOf(party: 'hub' | 'screen'): string[] {
  const values = { rootId: root.tenant, homeId: HomeID, thingName: hub.ThingName, cognitoId: root.cognitoId }
  return Object.values(channels as Record<string, AnyChannel>)
    .filter(({ publishers }) => publishers.includes(party))
    .flatMap((channel) => SHADOW_NAMES.map((shadowName) => channel.topic({ ...values, shadowName })))
    .filter((topic, i, all) => all.indexOf(topic) === i)
}

it.each([
  ['a NUL', '\\u0000'],
  ['half a character', '\\ud800'],
])('stays connected to a hub that says %s in text fields', async (_what, escaped) => {
  const uid = `remote-${escaped.slice(1)}`
  await addDiscovered(world, root, { HomeID, ThingName: hub.ThingName, type: '760', uids: [uid] })
  const asHub = await connect(`mqtt://127.0.0.1:${world.hubPort}`, {
    clientId: hub.ThingName,
    username: hub.ThingName,
    password: hub.Secret,
  })
  const values = { rootId: root.tenant, homeId: HomeID }
  const containers = `[{"ContMID":"a","ContDID":"b","ContMName":"${escaped}"}]`
  await asHub.publishAsync(
    channels.statusReport.topic(values),
    `{"ThingName":"${hub.ThingName}","Timestamp":1700000000000,"Peripherals":[{"PeripheralUID":"${uid}","IRContainers":${containers}}]}`,
    { qos: 1 },
  )
  await asHub.publishAsync(
    channels.otaReport.topic(values),
    `{"ThingName":"${hub.ThingName}","RequestID":"r","Code":4,"FirmwareVersion":"${escaped}"}`,
    { qos: 1 },
  )
  expect(asHub.connected).toBe(true)
  expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  await asHub.endAsync()
})

it('accepts anything on every topic, publishes nothing false, and continues with valid messages', async () => {
  const asHub = await connect(`mqtt://127.0.0.1:${world.hubPort}`, {
    clientId: hub.ThingName,
    username: hub.ThingName,
    password: hub.Secret,
  })
  const { port } = world.gateway.http.server.address() as { port: number }
  const subject = { isRoot: true, permissions: [] }
  const { tenant, cognitoId } = root
  const sessionId = String(decodeJwt(root.token)['origin_jti'])
  const client = { party: 'screen', tenant, cognitoId, subject, sessionId } as const
  const asScreen = await connectScreen(`ws://127.0.0.1:${port}/mqtt`, world.broker, client)
  for (const [sender, party] of [[asHub, 'hub'] as const, [asScreen, 'screen'] as const])
    for (const topic of topicsOf(party))
      await Promise.all(PAYLOADS.map((payload) => sender.publishAsync(topic, payload, { qos: 1 })))
  expect([asHub.connected, asScreen.connected]).toEqual([true, true])

  const statuses = () =>
    world.db.pool
      .query(`select values from device_status where peripheral_uid = 'lamp'`)
      .then(({ rows }) => rows)
  expect(await statuses()).toEqual([])
  const trouble = await root.post('/GetHubTrouble', { HomeID, ThingName: hub.ThingName })
  expect(trouble.results.Refused).toMatchObject({ Reason: 'malformed' })
  const report = channels.statusReport.topic({ rootId: root.tenant, homeId: HomeID })
  const good = {
    ThingName: hub.ThingName,
    Timestamp: Date.now(),
    Peripherals: [{ PeripheralUID: 'lamp', Switch: 1 }],
  }
  await asHub.publishAsync(report, JSON.stringify(good), { qos: 1 })
  expect(await statuses()).toEqual([{ values: { Switch: 1 } }])
  expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([])
  expect(await world.gateway.registry.metrics()).not.toMatch(/broker_refusals_total\{reason="failed"\} [1-9]/)
})

it('reads a status report of the maximum number of devices with many values each', async () => {
  const asHub = await connect(`mqtt://127.0.0.1:${world.hubPort}`, {
    clientId: hub.ThingName,
    username: hub.ThingName,
    password: hub.Secret,
  })
  await addDiscovered(world, root, { HomeID, ThingName: hub.ThingName, uids: ['last'] })
  const ThermostatTable = Array.from({ length: 8 }, (_, i) => ({
    NodeID: i + 1,
    Switch: 1,
    TargetTemperature: 24,
  }))
  const Peripherals = [
    ...Array.from({ length: MAX_REPORTED - 1 }, (_, i) => ({ PeripheralUID: `t${i}`, ThermostatTable })),
    { PeripheralUID: 'last', Switch: 1 },
  ]
  const payload = JSON.stringify({ ThingName: hub.ThingName, Timestamp: Date.now(), Peripherals })
  await asHub.publishAsync(channels.statusReport.topic({ rootId: root.tenant, homeId: HomeID }), payload, {
    qos: 1,
  })
  const { rows } = await world.db.pool.query(`select values from device_status where peripheral_uid = 'last'`)
  expect(rows).toEqual([{ values: expect.objectContaining({ Switch: 1 }) }])
  await asHub.endAsync()
})
