import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { HubClient } from '../../../../gateway/kernel/broker.ts'
import { encode } from '../../../support/building.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'
import { PATIENT } from '../../../support/patient.ts'

let world: World
let root: Caller
let HomeID: string
let hub: HubClient
beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
})
afterAll(() => world.close())
beforeEach(async () => {
  const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
  hub = { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName }
})

const report = (body: object | string) => {
  const { tenant: rootId, homeId, thingName } = hub
  return (world.broker as QuietBroker).hooks?.receive({
    topic: `${rootId}/${homeId}/unmapped/report/${thingName}`,
    match: { name: 'unmappedReport', values: { rootId, homeId, thingName } },
    payload: typeof body === 'string' ? Buffer.from(body) : encode(body),
    client: hub,
    retain: false,
  })
}
const list = async (caller = root) =>
  (await caller.post('/ListUnmapped', { HomeID, ThingName: hub.thingName })).results
const roller = { Topic: 'shellies/roller-1/roller/0', Reason: 'noType' }
const broken = { Topic: 'homeassistant/sensor/x/config', Name: '水表', Reason: 'template', Detail: 'no end' }

describe('unmapped messages of a hub', () => {
  it('are empty for a hub that does not report them', async () => {
    expect(await list()).toEqual({ ReportedAt: null, Total: 0, Entries: [] })
  })

  it('are listed with topic, reason and start, and replaced by the next report', async () => {
    const since = world.clock.now()
    await report({ Total: 2, Entries: [roller, broken] })
    expect(await list()).toEqual({
      ReportedAt: since,
      Total: 2,
      Entries: [
        { ...roller, Name: null, Detail: null, Since: since },
        { ...broken, Since: since },
      ],
    })
    await report({ Total: 1, Entries: [broken] })
    await report({ Total: 2, Entries: [broken, { ...broken, Reason: 'unit' }] })
    expect((await list()).Entries).toMatchObject([
      { Reason: 'template', Since: since },
      { Reason: 'unit', Since: world.clock.now() },
    ])
    await report({ Total: 0, Entries: [] })
    expect(await list()).toMatchObject({ Total: 0, Entries: [] })
  })

  it('include a count beyond the maximum, and of unusable entries', async () => {
    const Entries = Array.from({ length: 200 }, (_, i) => ({ ...roller, Topic: `t/${i}` }))
    await report({ Total: 431, Entries: [...Entries.slice(1), { Reason: 'noType' }] })
    const { Total, Entries: kept } = await list()
    expect([Total, kept.length]).toEqual([431, 199])
  })

  it('map an unknown reason of a newer hub to other, and store only valid text', async () => {
    await report({ Total: 1, Entries: [{ ...roller, Topic: `a\0${'x'.repeat(300)}`, Reason: 'tooNew' }] })
    const [entry] = (await list()).Entries
    expect(entry.Reason).toBe('other')
    expect(entry.Topic).toHaveLength(256)
    expect(entry.Topic).toMatch(/^a\uFFFDx+…$/)
  })

  it('stay the same after an invalid message, which is a fault of the hub', async () => {
    await report({ Total: 1, Entries: [roller] })
    await report('{"Total": ')
    await report({ Total: 'many', Entries: 7 })
    expect((await list()).Entries).toHaveLength(1)
    const faults = async () =>
      (await root.post('/ListReportFault', { HomeID, ThingName: hub.thingName })).results
    const written = () => world.clock.advance(5_000)
    await vi.waitFor(async () => {
      written()
      expect(await faults()).toMatchObject([{ Message: 'unmapped', EndedAt: null }])
    }, PATIENT)
    await report({ Total: 1, Entries: [roller] })
    await vi.waitFor(async () => {
      written()
      expect(await faults()).toMatchObject([{ Message: 'unmapped', EndedAt: expect.any(Number) }])
    }, PATIENT)
  })

  it('are shown only to users who may read devices of the hub', async () => {
    await report({ Total: 1, Entries: [roller] })
    const key = { HomeID, ThingName: hub.thingName }
    const reader = await world.createUser(root, [rights('device', 'Read')])
    expect((await list(reader)).Total).toBe(1)
    const stranger = await world.createUser(root, [rights('room', 'Read')])
    expect((await stranger.post('/ListUnmapped', key)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    const other = await world.signUp()
    expect((await other.post('/ListUnmapped', key)).status.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('are deleted with their hub', async () => {
    await report({ Total: 1, Entries: [roller] })
    expect((await root.post('/RemoveThing', { HomeID, ThingName: hub.thingName })).status.code).toBe(0)
    await report({ Total: 1, Entries: [roller] })
    const left = await world.db.query({
      name: 'unmapped_left',
      text: 'select from unmapped_topics where thing_name = $1',
      values: [hub.thingName],
    })
    expect(left).toEqual([])
  })
})
