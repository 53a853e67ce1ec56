import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { controlCommand, controlRequest } from '../../../../contract/devices/channels/control.ts'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import type { Run } from '../../../../contract/automation/run-calls.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { encode } from '../../../support/building.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import type { QuietBroker } from '../../../support/quiet-broker.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

let world: World
let root: Caller
let HomeID: string
let GroupID: string
let SceneID: string
let ThingName: string
const On = { Switch1: 1 }

beforeAll(async () => {
  world = await startWorld()
  root = await world.signUp()
  HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  ThingName = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results.ThingName
  await addDiscovered(world, root, { HomeID, ThingName, type: '534', uids: ['a', 'b'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '525', uids: ['panel'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '507', uids: ['sensor'] })
  const hub = { party: 'hub', tenant: root.tenant, homeId: HomeID, thingName: ThingName } as const
  await (world.broker as QuietBroker).hooks?.onConnected?.(hub, { clientId: ThingName, disconnect: () => {} })
  await world.db.query(sql`update things set online = true where thing_name = ${ThingName}`)
  const made = await root.post('/CreateGroup', { HomeID, GroupName: 'Pair', PeripheralList: ['a', 'b'] })
  GroupID = made.results.GroupID
  const scene = { HomeID, SceneName: 'Evening', Actions: [{ GroupID, Values: On }] }
  SceneID = (await root.post('/CreateScene', scene)).results.SceneID
})
afterAll(() => world.close())
beforeEach(() => world.clock.advance(60_000))

const sent = () =>
  (world.broker as QuietBroker).published.flatMap(({ topic, payload }) =>
    controlCommand.match(topic)
      ? [payload as { RequestID: string; PeripheralUID: string; Values: object }]
      : [],
  )
const listRuns = async (body: object = {}, who = root): Promise<Run[]> =>
  (await who.post('/ListAutomationRun', { HomeID, ...body })).results.Rows
const oneRun = async (RunID: string) => (await listRuns({ RunID }))[0]

async function setStatus(uid: string, values: object, type = '534') {
  const now = world.clock.now()
  await world.db.query(sql`
    insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
    values (${root.tenant}, ${uid}, ${HomeID}, ${type}, ${now}::bigint, ${JSON.stringify(values)}::jsonb, ${now}::bigint)
    on conflict (tenant, peripheral_uid) do update
      set values = device_status.values || excluded.values, updated_at = excluded.updated_at`)
  const status = { PeripheralUID: uid, PeripheralType: type, Timestamp: now, updateAt: now, ...values }
  world.gateway.events.emit('statusChanged', {
    tenant: root.tenant,
    homeId: HomeID,
    statuses: [status],
    uids: [],
    changedUIDs: [],
  })
}

/** Polls until the run has sent this many commands, then lets its devices carry them out. */
async function carriedOut(RunID: string): Promise<Run> {
  for (let i = 0; i < 500; i++) {
    const run = await oneRun(RunID)
    if (run && run.EndedAt !== null) return run
    for (const { RequestID, PeripheralUID, Values } of sent())
      if (RequestID.startsWith(RunID)) await setStatus(PeripheralUID, Values)
  }
  throw new Error(`The run did not end: ${JSON.stringify(await oneRun(RunID))}`)
}
const runScene = (body: object = {}, who = root) => who.post('/RunScene', { HomeID, SceneID, ...body })

describe('a scene', () => {
  it('runs, is listed with its actions, and is audited', async () => {
    const { results } = await runScene()
    expect(results).toEqual({ RunID: expect.any(String), Actions: 2 })
    expect(await carriedOut(results.RunID)).toMatchObject({
      Name: 'Evening',
      SceneID,
      AutomationID: null,
      Cause: 'person',
      State: 'done',
      UndoUntil: world.clock.now() + 600_000,
      Actions: [
        { PeripheralUID: 'a', Values: On, State: 'confirmed', Reason: null },
        { PeripheralUID: 'b', Values: On, State: 'confirmed', Reason: null },
      ],
    })
    const commands = await root.post('/ListCommand', { HomeID, PeripheralUID: 'a' })
    expect(commands.results[0]).toMatchObject({ RunID: results.RunID, Source: 'scene' })
    const audit = await world.db.query<{ path: string }>(
      sql`select path from audit_log where tenant = ${root.tenant} and path = '/RunScene'`,
    )
    expect(audit).toHaveLength(1)
  })

  it('runs once if requested twice with one RequestID', async () => {
    const [one, two] = [await runScene({ RequestID: 'again' }), await runScene({ RequestID: 'again' })]
    expect(two.results).toEqual(one.results)
    await carriedOut(one.results.RunID)
    expect(sent().filter(({ RequestID }) => RequestID.startsWith(one.results.RunID))).toHaveLength(2)
  })

  it('does not run too late, without the right to read or control it, or in another home', async () => {
    expect((await runScene({ At: world.clock.now() - 11_000 })).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { At: 'tooLate' },
    })
    expect((await runScene({ SceneID: 'nobody' })).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await runScene({ HomeID: 'nobody' })).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await runScene({}, await world.signUp())).status.code).toBe(ERRORS.NOT_FOUND.code)
    const controller = await world.createUser(root, [rights('device_control', 'Control')])
    expect((await runScene({}, controller)).status.missing).toEqual({ feature: 'scene', operation: 'Read' })
    const reader = await world.createUser(root, [rights('scene', 'Read')])
    expect((await runScene({}, reader)).status.missing).toEqual({
      feature: 'device_control',
      operation: 'Control',
    })
  })

  it('is undone, except what was changed manually since', async () => {
    await setStatus('a', { Switch1: 0 })
    await setStatus('b', { Switch1: 0 })
    const { RunID } = (await runScene()).results
    await carriedOut(RunID)
    await setStatus('b', { Switch1: 0 })
    const { results } = await root.post('/UndoScene', { HomeID, RunID })
    expect(results).toEqual({ RunID: expect.any(String), Actions: 1, Left: 1 })
    expect(await carriedOut(results.RunID)).toMatchObject({ Cause: 'undo', State: 'done', UndoUntil: null })
    expect((await root.post('/UndoScene', { HomeID, RunID: results.RunID })).status.fields).toEqual({
      RunID: 'tooLate',
    })
    world.clock.advance(600_000)
    expect((await root.post('/UndoScene', { HomeID, RunID })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { RunID: 'tooLate' },
    })
    expect((await root.post('/UndoScene', { HomeID, RunID: 'nobody' })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  })

  it('is retried for the failed actions', async () => {
    await world.db.query(sql`update things set online = false where thing_name = ${ThingName}`)
    const { RunID } = (await runScene()).results
    expect(await carriedOut(RunID)).toMatchObject({ State: 'failed' })
    await world.db.query(sql`update things set online = true where thing_name = ${ThingName}`)
    const { results } = await root.post('/RetryRun', { HomeID, RunID })
    expect(results).toEqual({ RunID: expect.any(String), Actions: 2 })
    expect(await carriedOut(results.RunID)).toMatchObject({ State: 'done', SceneID, Name: 'Evening' })
    expect((await root.post('/RetryRun', { HomeID, RunID: results.RunID })).status).toMatchObject({
      code: ERRORS.CONFLICT.code,
      fields: { RunID: 'nothingFailed' },
    })
  })

  it('is created from the current state of devices, and lists unknown ones', async () => {
    const capture = (...PeripheralList: string[]) => root.post('/CaptureScene', { HomeID, PeripheralList })
    await setStatus('a', { Switch1: 1, Switch2: 0 })
    const ThermostatTable = [{ NodeID: 1, Switch: 1, Temperature: 25, TargetTemperature: 24 }]
    await setStatus('panel', { ThermostatTable }, '525')
    await world.db.query(
      sql`delete from device_status where tenant = ${root.tenant} and peripheral_uid = 'b'`,
    )
    const { results } = await capture('a', 'b', 'panel')
    expect(results.Unknown).toEqual(['b'])
    expect(results.Actions).toMatchObject([
      { PeripheralUID: 'a', Values: { Switch1: 1, Switch2: 0 } },
      {
        PeripheralUID: 'panel',
        Values: { ThermostatTable: [{ NodeID: 1, Switch: 1, TargetTemperature: 24 }] },
      },
    ])
    const saved = await root.post('/CreateScene', { HomeID, SceneName: 'Captured', Actions: results.Actions })
    expect(saved.status.code).toBe(0)
    expect((await capture('a', 'nobody')).status.fields).toEqual({ 'PeripheralList.1': 'notFound' })
    expect((await capture('sensor')).status.fields).toEqual({ 'PeripheralList.0': 'notControllable' })
    expect((await capture()).status.fields).toEqual({ PeripheralList: 'required' })
  })
})

describe('a request for a group, scene or room over the realtime channel', () => {
  const ask = async (
    payload: object,
    permissions = [rights('device_control', 'Control')],
    isRoot = false,
  ) => {
    const client = {
      party: 'screen' as const,
      tenant: root.tenant,
      cognitoId: root.cognitoId,
      subject: { isRoot, permissions },
    }
    const values = { rootId: root.tenant, homeId: HomeID }
    await (world.broker as QuietBroker).hooks?.receive({
      topic: controlRequest.topic(values),
      match: { name: 'controlRequest', values },
      payload: encode(payload),
      client,
    } as never)
  }
  const news = (RunID: string) =>
    world.events.flatMap(({ name, event }) =>
      name === 'runChanged' && 'news' in event && event.news.RunID === RunID
        ? [[event.news.State, event.news.Reason]]
        : [],
    )

  it('creates a run named after the request', async () => {
    await setStatus('a', { Switch1: 0 })
    await ask({ RequestID: 'room-on', RoomID: 0, Only: 'lights', Values: { On: 1 } })
    const run = await carriedOut('room-on')
    expect(run).toMatchObject({ State: 'done', SceneID: null })
    expect(run.Actions.map(({ PeripheralUID, Values }) => [PeripheralUID, Values])).toEqual([
      ['a', { Switch1: 1, Switch2: 1 }],
      ['b', { Switch1: 1, Switch2: 1 }],
    ])
    await ask({ RequestID: 'climate', RoomID: 0, Only: 'climate', Values: { TargetTemperature: 26 } })
    expect((await carriedOut('climate')).Actions).toMatchObject([
      { PeripheralUID: 'panel', Values: { ThermostatTable: [{ NodeID: 1, TargetTemperature: 26 }] } },
    ])
    await ask({ RequestID: 'scene-on', SceneID }, [], true)
    expect(await carriedOut('scene-on')).toMatchObject({ SceneID, Name: 'Evening' })
    expect(news('scene-on')).toEqual([
      ['running', null],
      ['done', null],
    ])
  })

  it('skips devices with hidden switches in a room, and reports if nothing is left', async () => {
    const hide = (mode: number, uids: string[]) =>
      world.db.query(sql`update peripherals set control_mode = ${mode}
        where tenant = ${root.tenant} and peripheral_uid = any(${uids})`)
    onTestFinished(() => hide(0, ['a', 'b']).then(() => {}))
    await hide(2, ['b'])
    await ask({ RequestID: 'one-hidden', RoomID: 0, Only: 'lights', Values: { On: 1 } })
    const run = await carriedOut('one-hidden')
    expect(run.Actions.map(({ PeripheralUID }) => PeripheralUID)).toEqual(['a'])
    await hide(2, ['a', 'b'])
    await ask({ RequestID: 'all-hidden', RoomID: 0, Only: 'lights', Values: { On: 1 } })
    expect(await carriedOut('all-hidden')).toMatchObject({
      State: 'skipped',
      Reason: 'nothingToDo',
      Actions: [],
    })
  })

  it('is rejected without the rights, for unknown targets, and too late', async () => {
    await ask({ RequestID: 'no-group', GroupID, Values: On })
    await ask({ RequestID: 'no-scene', SceneID })
    await ask({ RequestID: 'no-control', SceneID }, [rights('scene', 'Read')])
    await ask({ RequestID: 'gone', GroupID: 'gone', Values: On }, [], true)
    await ask({ RequestID: 'strange', GroupID, Values: { Brightness: 1 } }, [], true)
    await ask({ RequestID: 'late', GroupID, Values: On, At: world.clock.now() - 11_000 }, [], true)
    expect(['no-group', 'no-scene', 'no-control', 'gone', 'strange', 'late'].flatMap(news)).toEqual([
      ['refused', 'permissionDenied'],
      ['refused', 'permissionDenied'],
      ['refused', 'permissionDenied'],
      ['refused', 'notFound'],
      ['refused', 'invalidValues'],
      ['refused', 'tooLate'],
    ])
    expect(await oneRun('no-group')).toBeUndefined()
  })

  it('for two targets, or for none, is rejected', async () => {
    for (const wrong of [
      { SceneID, GroupID },
      { SceneID, Values: On },
      { RoomID: 0, Values: { On: 1 } },
      { GroupID },
      {},
      { SceneID, RequestID: 'x'.repeat(49) },
    ])
      expect(
        controlRequest.payload.safeParse({ RequestID: 'r', ...wrong }).success,
        JSON.stringify(wrong),
      ).toBe(false)
    expect(controlRequest.payload.safeParse({ RequestID: 'r', PeripheralUID: 'a', Values: On }).success).toBe(
      true,
    )
  })
})

describe('the list of runs', () => {
  it('pages, filters, and hides what the user cannot read', async () => {
    await world.db
      .query(sql`insert into automations (tenant, automation_id, home_id, automation_type, automation_name,
      description, enabled, rule, created_at) values (${root.tenant}, 'auto', ${HomeID}, 1, 'Morning', '', true, '{}', 0)`)
    await world.db
      .query(sql`insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, cause,
      state, began_at, ended_at, action_order)
      values (${root.tenant}, 'by-clock', ${HomeID}, 'auto', 1, 'schedule', 'missed', ${world.clock.now()}::bigint, 1, 'together')`)
    expect(await listRuns({ AutomationID: 'auto' })).toMatchObject([{ RunID: 'by-clock', Name: 'Morning' }])
    const all = await root.post('/ListAutomationRun', { HomeID })
    expect(all.results.Total).toBe(all.results.Rows.length)
    const page = await root.post('/ListAutomationRun', { HomeID, Limit: 1 })
    expect(page.results.Rows).toEqual([all.results.Rows[0]])
    const next = await root.post('/ListAutomationRun', { HomeID, Limit: 1, Cursor: page.results.NextCursor })
    expect(next.results.Rows).toEqual([all.results.Rows[1]])
    expect((await listRuns({ PeripheralUID: 'panel' })).map(({ RunID }) => RunID)).toEqual(['climate'])
    const person = await world.createUser(root, [rights('device', 'Read'), rights('smart_link', 'Read')])
    expect(await listRuns({ AutomationID: 'auto' }, person)).toEqual([])
    expect((await listRuns({ SceneID }, person)).length).toBeGreaterThan(0)
    const stranger = await world.signUp()
    expect((await stranger.post('/ListAutomationRun', { HomeID })).status.code).toBe(ERRORS.NOT_FOUND.code)
  })
})
