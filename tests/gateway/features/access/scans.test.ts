import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessDecision, accessPresence, accessScan } from '../../../../contract/access-control/channels.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { VISIT_STATES, visitState } from '../../../../contract/access-control/access-pass.ts'
import type { ScannerClient } from '../../../../gateway/kernel/broker.ts'
import { encode } from '../../../support/building.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const HOUR = 3_600_000
let world: World
let root: Caller
let broker: QuietBroker
let HomeID: string
beforeAll(async () => {
  world = await startWorld()
  broker = world.broker as QuietBroker
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
})
afterAll(() => world.close())
beforeEach(async () => {
  broker.published.length = 0
  world.clock.advance(3_000)
  await world.db.pool.query('delete from people_inside')
})

let number = 0
async function door(changes: object = {}): Promise<ScannerClient> {
  const { results } = await root.post('/CreateScanner', { ScannerName: `門 ${++number}`, HomeID, ...changes })
  return { party: 'scanner', tenant: root.tenant, homeId: HomeID, thingName: results.ThingName }
}
const hire = async (changes: object = {}) =>
  (
    await root.post('/CreateEmployee', {
      EmployeeName: '王員工',
      Email: `e${++number}@example.com`,
      CardNumber: `CARD${++number}`,
      ...changes,
    })
  ).results
async function expectVisitor(changes: object = {}) {
  const now = world.clock.now()
  const { results } = await root.post('/RegisterVisitor', {
    VisitorName: '訪客甲',
    Email: 'v@example.com',
    Phone: '0911222333',
    ValidFrom: now - HOUR,
    ValidUntil: now + HOUR,
    MailPass: false,
    ...changes,
  })
  const pass = await root.post('/GetVisitorPass', { VisitorID: results.VisitorID })
  return { VisitorID: results.VisitorID as string, Token: pass.results?.Token as string }
}

/** Response to the scanner. */
async function scan(client: ScannerClient, Type: 'qr' | 'card', Credential: string, at = world.clock.now()) {
  const place = { rootId: client.tenant, homeId: client.homeId, thingName: client.thingName }
  await broker.hooks?.receive({
    topic: accessScan.topic(place),
    match: { name: 'accessScan', values: place },
    payload: encode({ Timestamp: at, Type, Credential }),
    client,
    retain: false,
  })
  const told = broker.published.filter(({ topic }) => topic === accessDecision.topic(place))
  return accessDecision.payload.parse(told.at(-1)?.payload)
}
const events = async (ThingName: string) => (await root.post('/ListScanEvent', { ThingName })).results.Rows
const inside = async () =>
  (await root.post('/ListInside')).results.map(({ PersonName }: { PersonName: string }) => PersonName)

describe('An employee', () => {
  it('passes with the card however it is written, alternating in and out', async () => {
    const client = await door()
    await hire({ EmployeeName: '卡先生', CardNumber: 'AB12CD34' })
    expect(await scan(client, 'card', 'ab:12:cd:34')).toMatchObject({
      Allow: true,
      Movement: 'in',
      Name: '卡先生',
    })
    expect(await inside()).toEqual(['卡先生'])
    world.clock.advance(2_001)
    expect(await scan(client, 'card', 'AB12CD34')).toMatchObject({ Allow: true, Movement: 'out' })
    expect(await inside()).toEqual([])
  })

  it('is stopped when inactive, but can leave', async () => {
    const [entry, exit] = [await door({ Direction: 'in' }), await door({ Direction: 'out' })]
    const { EmployeeID, CardNumber } = await hire()
    await scan(entry, 'card', CardNumber)
    await root.post('/UpdateEmployee', { EmployeeID, Active: false })
    world.clock.advance(3_000)
    expect(await scan(entry, 'card', CardNumber)).toMatchObject({ Allow: false, Reason: 'inactive' })
    expect(await scan(exit, 'card', CardNumber)).toMatchObject({ Allow: true, Movement: 'out' })
    world.clock.advance(3_000)
    expect(await scan(exit, 'card', CardNumber)).toMatchObject({ Allow: false, Reason: 'inactive' })
  })

  it('passes a restricted scanner only if assigned to it', async () => {
    const client = await door({ AllEmployees: false })
    const { EmployeeID, CardNumber } = await hire({ EmployeeName: '指派' })
    expect(await scan(client, 'card', CardNumber)).toMatchObject({ Allow: false, Reason: 'notAssigned' })
    const assign = (Assigned: boolean) =>
      root.post('/AssignScannerEmployee', {
        ThingName: client.thingName,
        EmployeeIDs: [EmployeeID],
        Assigned,
      })
    expect((await assign(true)).results.Changed).toBe(1)
    const listed = await root.post('/ListScannerEmployee', {
      ThingName: client.thingName,
      AssignedOnly: true,
    })
    expect(listed.results).toMatchObject({ Total: 1, Rows: [{ EmployeeID, Assigned: true }] })
    world.clock.advance(3_000)
    expect(await scan(client, 'card', CardNumber)).toMatchObject({ Allow: true })
    await assign(false)
    world.clock.advance(3_000)
    expect(await scan(client, 'card', CardNumber)).toMatchObject({ Allow: false, Reason: 'notAssigned' })
  })

  it('cannot use an old pass after a new one is issued', async () => {
    const client = await door()
    const { EmployeeID } = await hire()
    const old = (await root.post('/GetEmployeePass', { EmployeeID })).results.Token
    const renewed = (await root.post('/RenewEmployeePass', { EmployeeID })).results.Token
    expect(await scan(client, 'qr', old)).toMatchObject({ Allow: false, Reason: 'unknown' })
    expect(await scan(client, 'qr', renewed)).toMatchObject({ Allow: true })
  })
})

describe('A visitor', () => {
  it('is checked in by the first scan and checked out by the last scan of the last day', async () => {
    const [entry, exit] = [await door({ Direction: 'in' }), await door({ Direction: 'out' })]
    const { VisitorID, Token } = await expectVisitor()
    expect(await scan(entry, 'qr', Token)).toMatchObject({ Allow: true, Movement: 'in', Name: '訪客甲' })
    const visitor = async () => (await root.post('/GetVisitor', { VisitorID })).results
    expect(await visitor()).toMatchObject({ CheckedInAt: expect.any(Number), CheckedOutAt: null })
    expect(await scan(exit, 'qr', Token)).toMatchObject({ Allow: true, Movement: 'out' })
    expect((await visitor()).CheckedOutAt).toEqual(expect.any(Number))
    world.clock.advance(3_000)
    expect(await scan(entry, 'qr', Token)).toMatchObject({ Allow: false, Reason: 'checkedOut' })
  })

  it('who is expected again tomorrow goes out without ending the visit', async () => {
    const client = await door()
    const { VisitorID, Token } = await expectVisitor({ ValidUntil: world.clock.now() + 48 * HOUR })
    await scan(client, 'qr', Token)
    world.clock.advance(3_000)
    expect(await scan(client, 'qr', Token)).toMatchObject({ Allow: true, Movement: 'out' })
    expect((await root.post('/GetVisitor', { VisitorID })).results.CheckedOutAt).toBeNull()
    world.clock.advance(3_000)
    expect(await scan(client, 'qr', Token)).toMatchObject({ Allow: true, Movement: 'in' })
  })

  it('who went out before the last day is expected, and has left once the visit is over', async () => {
    const client = await door()
    const { VisitorID, Token } = await expectVisitor({
      VisitorName: '隔日再來',
      ValidUntil: world.clock.now() + 48 * HOUR,
    })
    const states = async () => {
      const found: string[] = []
      for (const state of VISIT_STATES) {
        const { results } = await root.post('/ListVisitor', { Search: '隔日再來', States: [state] })
        if (results.Total > 0) found.push(state)
      }
      const { results } = await root.post('/GetVisitor', { VisitorID })
      expect(found).toEqual([visitState(results, world.clock.now())])
      return found
    }
    await scan(client, 'qr', Token)
    expect(await states()).toEqual(['inside'])
    world.clock.advance(3_000)
    await scan(client, 'qr', Token)
    expect(await states()).toEqual(['expected'])
    await root.post('/CheckInVisitor', { VisitorID })
    expect(await states()).toEqual(['inside'])
    world.clock.advance(3_000)
    await scan(client, 'qr', Token)
    world.clock.advance(48 * HOUR)
    root = await world.signIn(root.email, root.password)
    expect(await states()).toEqual(['left'])
    expect(await inside()).not.toContain('隔日再來')
  })

  it('passes only within the window, and not with a pass issued for a shorter one', async () => {
    const client = await door({ Direction: 'in' })
    const now = world.clock.now()
    const early = await expectVisitor({ ValidFrom: now + HOUR, ValidUntil: now + 2 * HOUR })
    expect(await scan(client, 'qr', early.Token)).toMatchObject({ Allow: false, Reason: 'notYet' })
    const late = await expectVisitor({ ValidUntil: now + 60_000 })
    await root.post('/UpdateVisitor', { VisitorID: late.VisitorID, ValidUntil: now + HOUR })
    world.clock.advance(61_000)
    expect(await scan(client, 'qr', late.Token)).toMatchObject({ Allow: false, Reason: 'expired' })
    const { Token } = (await root.post('/GetVisitorPass', { VisitorID: late.VisitorID })).results
    expect(await scan(client, 'qr', Token)).toMatchObject({ Allow: true })
  })

  it('is stopped if the pass is revoked, and at scanners closed to visitors', async () => {
    const { VisitorID, Token } = await expectVisitor()
    expect(await scan(await door({ AllowVisitors: false }), 'qr', Token)).toMatchObject({
      Reason: 'notAssigned',
    })
    await root.post('/RevokeVisitor', { VisitorID })
    expect(await scan(await door(), 'qr', Token)).toMatchObject({ Allow: false, Reason: 'revoked' })
  })

  it('who overstayed can leave but not return', async () => {
    const [entry, exit] = [await door({ Direction: 'in' }), await door({ Direction: 'out' })]
    const { Token } = await expectVisitor({ ValidUntil: world.clock.now() + 60_000 })
    await scan(entry, 'qr', Token)
    world.clock.advance(61_000)
    expect(await scan(entry, 'qr', Token)).toMatchObject({ Allow: false, Reason: 'expired' })
    expect(await scan(exit, 'qr', Token)).toMatchObject({ Allow: true, Movement: 'out' })
  })
})

describe('A scan', () => {
  it('counts once if shown twice within two seconds or delivered twice', async () => {
    const client = await door()
    const { Token } = await expectVisitor()
    const at = world.clock.now()
    const first = await scan(client, 'qr', Token, at)
    world.clock.advance(1_999)
    expect(await scan(client, 'qr', Token)).toMatchObject({ Allow: true, Movement: first.Movement })
    world.clock.advance(30_000)
    expect(await scan(client, 'qr', Token, at)).toEqual({ Timestamp: at, Allow: true, Movement: 'in' })
    expect(await events(client.thingName)).toHaveLength(1)
  })

  it('of a forged, foreign or unreadable code is attributed to no one', async () => {
    const client = await door()
    const { Token } = await expectVisitor()
    const stranger = await world.signUp()
    const foreign = (
      await stranger.post('/CreateEmployee', {
        EmployeeName: 'x',
        Email: 'x@example.com',
        CardNumber: 'THEIRS1',
      })
    ).results
    const theirs = (await stranger.post('/GetEmployeePass', { EmployeeID: foreign.EmployeeID })).results.Token
    const [kind, id, from, , signature] = Token.split('.')
    const longer = [kind, id, from, 'zzzzzzz', signature].join('.')
    for (const forged of [longer, Token.slice(0, -1), `${Token}x`, theirs, '', '....', '🚪', "' or 1=1"])
      expect(await scan(client, 'qr', forged), forged).toMatchObject({ Allow: false, Reason: 'unknown' })
    expect(await scan(client, 'card', 'THEIRS1')).toMatchObject({ Allow: false, Reason: 'unknown' })
  })

  it('that arrives a minute late opens nothing', async () => {
    const client = await door()
    const { Token } = await expectVisitor()
    const at = Math.floor((world.clock.now() - 61_000) / 1000)
    expect(await scan(client, 'qr', Token, at)).toEqual({ Timestamp: at, Allow: false, Reason: 'late' })
  })

  it('of a deleted scanner or of another home gets no response', async () => {
    const client = await door()
    const { Token } = await expectVisitor()
    await root.post('/RemoveScanner', { ThingName: client.thingName })
    await expect(scan(client, 'qr', Token)).rejects.toThrow('Invalid input')
    const other = await door()
    await expect(scan({ ...other, homeId: 'elsewhere' }, 'qr', Token)).rejects.toThrow('Invalid input')
  })

  it('is logged without name and credential, and listed with them while the person exists', async () => {
    const client = await door()
    const { VisitorID, Token } = await expectVisitor({ VisitorName: '將被移除' })
    await scan(client, 'qr', Token)
    expect(await events(client.thingName)).toMatchObject([
      { PersonName: '將被移除', PersonKind: 'visitor', Movement: 'in' },
    ])
    expect((await root.post('/ListScanEvent', { Search: '將被' })).results.Total).toBe(1)
    expect(JSON.stringify((await world.db.pool.query('select * from scan_events')).rows)).not.toContain(Token)
    await root.post('/CheckOutVisitor', { VisitorID })
    await root.post('/RemoveVisitor', { VisitorID })
    expect(await events(client.thingName)).toMatchObject([{ PersonName: null, PersonID: VisitorID }])
    expect(JSON.stringify(world.log)).not.toContain(Token)
  })

  it('log is paged and filtered', async () => {
    const client = await door()
    for (let i = 0; i < 5; i++) await scan(client, 'card', `NOBODY${i}`)
    const { ThingName } = { ThingName: client.thingName }
    const first = (await root.post('/ListScanEvent', { ThingName, Limit: 3 })).results
    const next = (await root.post('/ListScanEvent', { ThingName, Limit: 3, Cursor: first.NextCursor }))
      .results
    const ids = [...first.Rows, ...next.Rows].map(({ ScanEventID }) => ScanEventID)
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    expect([first.Total, ids.length, next.NextCursor]).toEqual([5, 5, null])
    expect((await root.post('/ListScanEvent', { ThingName, Allow: true })).results.Total).toBe(0)
  })
})

describe('A scanner', () => {
  it('shows its secret once, stores only a hash, and disconnects when it is renewed', async () => {
    const made = (await root.post('/CreateScanner', { ScannerName: '北門', HomeID })).results
    const sign = (password: string) =>
      broker.hooks?.authenticate({ clientId: 'x', username: made.ThingName, password })
    expect(await sign(made.Secret)).toEqual({
      party: 'scanner',
      tenant: root.tenant,
      homeId: HomeID,
      thingName: made.ThingName,
    })
    expect(await sign('wrong')).toBeUndefined()
    const rows = (await world.db.pool.query('select * from scanners')).rows
    expect(JSON.stringify([rows, (await root.post('/ListScanner')).results])).not.toContain(made.Secret)
    const renewed = (await root.post('/RotateScannerSecret', { ThingName: made.ThingName })).results
    expect(await sign(made.Secret)).toBeUndefined()
    expect(await sign(renewed.Secret)).toBeDefined()
    expect(broker.disconnected).toContainEqual({ thingName: made.ThingName })
  })

  it('rejects an update with an outdated version', async () => {
    const { ThingName, Version } = (await root.post('/CreateScanner', { ScannerName: '南門', HomeID }))
      .results
    const save = (ScannerName: string) => root.post('/UpdateScanner', { ThingName, ScannerName, Version })
    expect((await save('南門一')).results).toMatchObject({ ScannerName: '南門一', Version: Version + 1 })
    expect((await save('南門二')).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { Version: 'changed' },
    })
  })

  it('shows whether it is connected', async () => {
    const client = await door()
    const place = { rootId: client.tenant, homeId: client.homeId, thingName: client.thingName }
    const say = (Online: unknown) =>
      broker.hooks?.receive({
        topic: accessPresence.topic(place),
        match: { name: 'accessPresence', values: place },
        payload: encode({ Online }),
        client,
        retain: false,
      })
    const online = async () =>
      (await root.post('/ListScanner')).results.find(
        ({ ThingName }: { ThingName: string }) => ThingName === client.thingName,
      )
    await say(true)
    expect(await online()).toMatchObject({ Online: true, SeenAt: expect.any(Number) })
    await say('maybe')
    await say(false)
    expect(await online()).toMatchObject({ Online: false })
  })

  it('of another company is not found, and is deleted with its home', async () => {
    const stranger = await world.signUp()
    const client = await door()
    const { thingName: ThingName } = client
    for (const path of ['/UpdateScanner', '/RemoveScanner', '/RotateScannerSecret', '/ListScannerEmployee'])
      expect((await stranger.post(path, { ThingName })).status.code, path).toBe(ERRORS.NOT_FOUND.code)
    expect((await stranger.post('/CreateScanner', { ScannerName: 'x', HomeID })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
    const theirs = (await stranger.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' })).results
      .HomeID
    const made = (await stranger.post('/CreateScanner', { ScannerName: 'y', HomeID: theirs })).results
    await stranger.post('/DeleteHome', { HomeID: theirs })
    expect((await stranger.post('/ListScanner')).results).toEqual([])
    expect(broker.disconnected).toContainEqual({ thingName: made.ThingName })
  })
})
