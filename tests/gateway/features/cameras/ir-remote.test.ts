import { afterAll, beforeAll, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { systemClock } from '../../../../gateway/kernel/ports.ts'
import { type Fleet, startFleet } from '../../../../simulator/fleet.ts'
import type { HubDevice } from '../../../../simulator/building/building.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

/** Simulated hub with an infrared remote and a camera, as a third party's hub announces them. */
let world: World
let root: Caller
let HomeID: string
let fleet: Fleet

const device = (PeripheralUID: string, PeripheralType: string): HubDevice => ({
  PeripheralUID,
  PeripheralType,
  PeripheralName: PeripheralUID,
  scenario: { profile: 'untouched', key: PeripheralUID, wiring: {} },
})
const remote = () => ({ HomeID, PeripheralUID: 'remote' })

/** Last data change that was published to screens. */
const lastTold = () => world.events.findLast(({ name }) => name === 'dataChange')?.event

/** Resolves when the gateway has published the device's next report. */
const nextStatus = (uid: string) =>
  new Promise<void>((resolve) => {
    const off = world.gateway.events.on('statusChanged', ({ statuses }) => {
      if (!statuses.some(({ PeripheralUID }) => PeripheralUID === uid)) return
      off()
      resolve()
    })
  })

beforeAll(async () => {
  world = await startWorld({ clock: systemClock, broker: 'embedded' })
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: '總部', TimeZone: 'Asia/Taipei' })).results.HomeID
  const { results } = await root.post('/AddThing', { HomeID, DeviceName: '閘道器' })
  fleet = startFleet({
    url: `mqtt://127.0.0.1:${world.hubPort}`,
    hubs: [
      {
        rootId: root.tenant,
        HomeID,
        ThingName: results.ThingName,
        Secret: results.Secret,
        devices: [device('remote', '760'), device('camera', '752'), device('lamp', '516')],
      },
    ],
  })
  await fleet.announced()
})
afterAll(async () => {
  await fleet.stop()
  await world.close()
})

it('adds only the cameras and remotes that hubs announced', async () => {
  const { results } = await root.post('/CasaDeviceSync', { HomeID, RoomID: 0 })
  expect(results.Left).toBe(0)
  expect(
    results.Added.map(({ PeripheralUID }: { PeripheralUID: string }) => PeripheralUID).toSorted(),
  ).toEqual(['camera', 'remote'])
  expect((await root.post('/CasaDeviceSync', { HomeID, RoomID: 0 })).results).toEqual({ Added: [], Left: 0 })
  const left = (await root.post('/ListDiscoveredPeripheral', { HomeID })).results
  expect(left).toMatchObject([{ PeripheralUID: 'lamp' }])
})

it('lists the learned commands of a remote under their custom names', async () => {
  const reported = nextStatus('remote')
  fleet.refresh()
  await reported
  const before = (await root.post('/ListIRRemoteContainer', remote())).results
  expect(before[0]).toEqual({ ContMID: 'power', ContDID: 'projector', ContMName: '投影機電源' })
  const rename = (ContMName: string, ContMID = 'power') =>
    root.post('/UpdateIRRemoteContainerName', { ...remote(), ContMID, ContMName })
  expect((await rename('簡報投影機')).results).toEqual({ ...before[0], ContMName: '簡報投影機' })
  expect(lastTold()).toMatchObject({ name: 'peripheral.update', record: remote() })
  expect((await rename('大會議室投影機')).status.code).toBe(0)
  const after = (await root.post('/ListIRRemoteContainer', remote())).results
  expect(after[0].ContMName).toBe('大會議室投影機')
  expect(after.slice(1)).toEqual(before.slice(1))
  expect((await rename(' ')).status).toMatchObject({ fields: { ContMName: 'required' } })
  expect((await rename('x', 'nothing')).status.code).toBe(ERRORS.NOT_FOUND.code)
})

it('sends a container through the hub, and records that it was sent', async () => {
  const settled = new Promise((resolve) => {
    const off = world.gateway.events.on('commandChanged', ({ response }) => {
      if (response.State !== 'confirmed' && response.State !== 'failed') return
      off()
      resolve(response)
    })
  })
  const operator = await world.createUser(root, [
    rights('device', 'Read'),
    rights('device_control', 'Control'),
  ])
  const ids = { ContMID: 'fan-on', ContDID: 'fan' }
  const { results } = await operator.post('/CasaControlIRRemote', { ...remote(), ...ids })
  expect(results).toMatchObject({ Source: 'person', Values: { SendIR: ids } })
  expect(await settled).toMatchObject({ State: 'confirmed', Values: { SendIR: ids } })
})

it('sends nothing without the right, to other devices, or to another address', async () => {
  const ids = { ContMID: 'fan-on', ContDID: 'fan' }
  const viewer = await world.createUser(root, [rights('device', 'Read')])
  expect((await viewer.post('/CasaControlIRRemote', { ...remote(), ...ids })).status.code).toBe(
    ERRORS.PERMISSION_DENIED.code,
  )
  for (const wrong of [{ PeripheralUID: 'camera' }, { PMACAddress: '00:11:22:33:44:55' }])
    expect((await root.post('/CasaControlIRRemote', { ...remote(), ...ids, ...wrong })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  const stranger = await world.signUp()
  for (const path of ['/CasaControlIRRemote', '/UpdateIRRemoteContainerName', '/ListIRRemoteContainer'])
    expect(
      (
        await stranger.post(path, {
          ...remote(),
          ...(path === '/CasaControlIRRemote' ? ids : {}),
          ...(path === '/UpdateIRRemoteContainerName' ? { ContMID: 'power', ContMName: 'x' } : {}),
        })
      ).status.code,
    ).toBe(ERRORS.NOT_FOUND.code)
})

it('can be removed, and its hub announces it again', async () => {
  expect((await root.post('/CasaDeletePeripheral', remote())).results).toEqual(remote())
  expect(lastTold()).toMatchObject({ name: 'discovery.add', record: remote() })
  const found = (await root.post('/ListDiscoveredPeripheral', { HomeID })).results
  expect(found).toContainEqual(expect.objectContaining(remote()))
})
