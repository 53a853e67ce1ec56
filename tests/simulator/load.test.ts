import { afterEach, beforeEach, expect, it } from 'vitest'
import { deviceTypes } from '../../contract/devices/kinds/registry.ts'
import { parseStatusFields } from '../../contract/devices/kinds/status.ts'
import type { FleetHub, HubDevice } from '../../simulator/building/building.ts'
import { loadDevices, runLoad } from '../../simulator/load.ts'
import { startPeer, type Peer } from './peer.ts'

let peer: Peer
beforeEach(async () => void (peer = await startPeer()))
afterEach(() => peer.close())

const hubsOf = (devices: HubDevice[][]): FleetHub[] =>
  devices.map((of, i) => ({ rootId: 'r', HomeID: 'h', ThingName: `hub-${i}`, Secret: 's', devices: of }))
const reports = () =>
  peer.heard
    .filter(({ topic }) => topic.endsWith('/report'))
    .flatMap(({ body }) =>
      (body.Readings ?? body.Peripherals).map((one: object) => ({ Timestamp: body.Timestamp, ...one })),
    )

it('sends at its rate, and every report it counts as acknowledged has arrived', async () => {
  const acknowledged: string[] = []
  const result = await runLoad({
    url: peer.url,
    hubs: hubsOf(loadDevices(60, 20)),
    rate: 1000,
    seconds: 0.3,
    onAcknowledged: (uid, timestamp) => acknowledged.push(`${uid}@${timestamp}`),
  })
  expect(result).toMatchObject({ hubs: 3, devices: 60, sent: 300, acknowledged: 300, unacknowledged: 0 })
  const arrived = reports().map((one) => `${one.PeripheralUID}@${one.Timestamp}`)
  expect(arrived.sort()).toEqual(acknowledged.sort())
  expect(new Set(arrived).size).toBe(300)
  expect([...result.acknowledgedOf.values()].reduce((sum, { count }) => sum + count, 0)).toBe(300)
})

it('reports two states of every type in turn, both as the contract wants them, and counters that rise', async () => {
  const devices = deviceTypes.map(({ type }): HubDevice => ({
    PeripheralUID: `t${type}`,
    PeripheralType: type,
    PeripheralName: type,
    scenario: { profile: 'untouched', key: type },
  }))
  await runLoad({ url: peer.url, hubs: hubsOf([devices]), rate: 1000, seconds: 0.1 })
  for (const { type, kind } of deviceTypes) {
    const mine = reports().filter(({ PeripheralUID }) => PeripheralUID === `t${type}`)
    expect(mine.length).toBeGreaterThan(1)
    for (const one of mine) expect(parseStatusFields(type, one)?.success).toBe(true)
    const counters = kind === 'clampMeter' ? mine.map((one) => one.AccumulatePower as number) : []
    expect(counters).toEqual([...new Set(counters)].sort((a, b) => a - b))
  }
})

it('makes no more than a second of messages that wait, and says how many it held back', async () => {
  peer.hold('/report')
  const result = await runLoad({
    url: peer.url,
    hubs: hubsOf(loadDevices(10, 10)),
    rate: 500,
    seconds: 1.2,
    window: 5,
    timeoutSeconds: 0,
  })
  expect(result.sent).toBeLessThanOrEqual(502)
  expect(result.heldBack).toBe(600 - result.sent)
  expect(result.acknowledged).toBe(0)
})
