import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { schedule, smartLink, startBuilding } from '../records/support.ts'

let world: World
let root: Caller
let HomeID: string
let ThingName: string

beforeAll(async () => {
  ;({ world, root, HomeID, ThingName } = await startBuilding())
})
afterAll(() => world.close())
beforeEach(async () => {
  world.clock.advance(60_000)
  await world.db.query(sql`delete from commands`)
  await world.db.query(sql`delete from device_events`)
  await world.db.query(sql`delete from automations`)
  await world.db.query(sql`delete from automation_runs`)
  await world.db.query(sql`delete from automation_pauses`)
})

const explain = (PeripheralUID: string, who = root) => who.post('/ExplainDevice', { HomeID, PeripheralUID })
const causes = async (uid: string, who = root) => (await explain(uid, who)).results.Causes
const next = async (uid: string, who = root) => (await explain(uid, who)).results.Next

let count = 0
/** A command that the device has confirmed. */
const commanded = (uid: string, values: object, at: number, runId: string | null = null) =>
  world.db
    .query(sql`insert into commands (tenant, request_id, peripheral_uid, home_id, thing_name, values, source, by_name,
      state, history, requested_at, settled_at, run_id)
    values (${root.tenant}, ${`request-${(count += 1)}`}, ${uid}, ${HomeID}, ${ThingName}, ${JSON.stringify(values)}::jsonb,
      ${runId === null ? 'person' : 'automation'}, ${runId === null ? 'Ada' : null}, 'confirmed', '[]', ${at}::bigint,
      ${at + 1000}::bigint, ${runId})`)
const changed = (uid: string, field: string, value: number, at: number) =>
  world.db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
    values (${root.tenant}, ${uid}, ${at}::bigint, ${field}, ${1 - value}, ${value})`)
const ran = (runId: string, automationId: string, type: number, at: number) =>
  world.db
    .query(sql`insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, name, cause, state,
      began_at, ended_at, action_order)
    values (${root.tenant}, ${runId}, ${HomeID}, ${automationId}, ${type}, 'On', 'schedule', 'done', ${at}::bigint,
      ${at}::bigint, 'together')`)
const create = async (input: object): Promise<string> =>
  (await root.post('/CreateAutomation', input)).results.AutomationID
const due = (id: string, at: number) =>
  world.db.query(sql`update automations set next_run_at = ${at}::bigint where automation_id = ${id}`)
const wait = (id: string, kind: string, key: string, at: number) =>
  world.db.query(sql`insert into automation_waits (tenant, automation_id, kind, key, due_at)
    values (${root.tenant}, ${id}, ${kind}, ${key}, ${at}::bigint)`)

describe('the explanation of a device', () => {
  it('lists commands with sender and manual changes, newest first', async () => {
    const now = world.clock.now()
    await commanded('r1', { Switch: 1 }, now - 60_000)
    await changed('r1', 'Switch', 1, now - 59_000)
    await changed('r1', 'Switch', 0, now - 10_000)
    expect(await causes('r1')).toEqual([
      { At: now - 10_000, Values: { Switch: 0 }, Kind: 'device', By: null, Run: null },
      { At: now - 60_000, Values: { Switch: 1 }, Kind: 'command', By: 'Ada', Run: null },
    ])
  })

  it('includes the run behind a command, for users who can read it', async () => {
    const now = world.clock.now()
    const id = await create(schedule(HomeID, { AutomationName: '上班' }))
    await ran('run-1', id, 1, now - 60_000)
    await commanded('r2', { Switch: 1 }, now - 60_000, 'run-1')
    expect(await causes('r2')).toMatchObject([{ Kind: 'command', Run: { RunID: 'run-1', Name: '上班' } }])
    const viewer = await world.createUser(root, [rights('device', 'Read')])
    expect(await causes('r2', viewer)).toMatchObject([{ Kind: 'command', By: null, Run: null }])
  })

  it('contains the last ten causes, without fields that cannot be set', async () => {
    const now = world.clock.now()
    for (let i = 0; i < 12; i++) await changed('r1', 'Switch', i % 2, now - i * 60_000)
    await changed('r1', 'Online', 1, now)
    const found = await causes('r1')
    expect(found).toHaveLength(10)
    expect(found[0]).toMatchObject({ At: now, Values: { Switch: 0 } })
  })

  it('is not available for other homes and companies, or without the right to read them', async () => {
    const stranger = await world.signUp()
    expect((await explain('r1', stranger)).status.code).toBe(ERRORS.NOT_FOUND.code)
    expect((await explain('nobody')).status.code).toBe(ERRORS.NOT_FOUND.code)
    const person = await world.createUser(root, [rights('schedule', 'Read')])
    expect((await explain('r1', person)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
  })
})

describe('the next change of a device', () => {
  it('is a schedule at its time, then smart links when their conditions are true', async () => {
    const at = world.clock.now() + 60_000
    const AutomationID = await create(schedule(HomeID, { AutomationName: 'Morning' }))
    await due(AutomationID, at)
    const link = await create(smartLink(HomeID, { AutomationName: 'Link' }))
    expect(await next('r2')).toEqual([
      { AutomationID, AutomationType: 1, AutomationName: 'Morning', At: at, Values: { Switch: 1 } },
      { AutomationID: link, AutomationType: 3, AutomationName: 'Link', At: null, Values: { Switch: 1 } },
    ])
    expect(await next('r3')).toEqual([])
  })

  it('is found through groups, rooms and scenes', async () => {
    const GroupID = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'G', PeripheralList: ['r3', 'r4'] })
    ).results.GroupID
    const SceneID = (
      await root.post('/CreateScene', {
        HomeID,
        SceneName: 'S',
        Actions: [{ GroupID, Values: { Switch: 0 } }],
      })
    ).results.SceneID
    const room = [{ RoomID: 0, Only: 'lights', Values: { On: 1 } }]
    for (const [AutomationName, Actions] of [
      ['a group', [{ GroupID, Values: { Switch: 1 } }]],
      ['a scene', [{ SceneID }]],
      ['its room', room],
    ] as const)
      await create(smartLink(HomeID, { AutomationName, Actions }))
    const found = (await next('r4')).map(
      ({ AutomationName: name, Values }: { AutomationName: string; Values: object }) => [name, Values],
    )
    expect(found).toEqual([
      ['a group', { Switch: 1 }],
      ['a scene', { Switch: 0 }],
      ['its room', { Switch: 1 }],
    ])
  })

  it('ignores automations that are disabled or that the user cannot read', async () => {
    await create(smartLink(HomeID, { Enabled: false }))
    expect(await next('r2')).toEqual([])
    await create(smartLink(HomeID))
    const viewer = await world.createUser(root, [rights('device', 'Read'), rights('schedule', 'Read')])
    expect(await next('r2', viewer)).toEqual([])
  })

  it('waits for the end of the pause of its home', async () => {
    const now = world.clock.now()
    await due(await create(schedule(HomeID, { AutomationName: 'Soon' })), now + 60_000)
    await due(await create(schedule(HomeID, { AutomationName: 'Tomorrow' })), now + 86_400_000)
    await root.post('/PauseAutomation', { HomeID, Until: now + 3_600_000, Reason: 'works' })
    const names = async () => (await next('r2')).map((act: { AutomationName: string }) => act.AutomationName)
    expect(await names()).toEqual(['Tomorrow'])
    await root.post('/PauseAutomation', { HomeID, Until: null, Reason: 'works' })
    expect(await names()).toEqual([])
  })

  it('is the hour at which a schedule switches off what it switched on', async () => {
    const now = world.clock.now()
    const id = await create(schedule(HomeID))
    await ran('run-off', id, 1, now)
    const steps = [
      { n: 1, uid: 'r2', values: { Switch: 1 }, after: 0, catchUp: false, before: { Switch: 0 } },
    ]
    await world.db.query(
      sql`update automation_runs set actions = ${JSON.stringify(steps)}::jsonb where run_id = 'run-off'`,
    )
    await world.db.query(sql`insert into device_status
        (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      values (${root.tenant}, 'r2', ${HomeID}, '516', ${now}::bigint, '{"Switch": 1}', ${now}::bigint)`)
    await wait(id, 'off', 'run-off', now + 7_200_000)
    const [soonest] = await next('r2')
    expect(soonest).toMatchObject({ AutomationID: id, At: now + 7_200_000, Values: { Switch: 0 } })
  })
})

describe('the reason a device was not set', () => {
  const held = async (uid: string, who = root) => (await explain(uid, who)).results.Held
  const nearly = async (uid: string, who = root) => (await explain(uid, who)).results.Nearly
  const nearlyRan = (runId: string, automationId: string, at: number, more: object = {}) => {
    const {
      state = 'skipped',
      reason = 'tooSoon',
      conditions = [],
    } = more as {
      state?: string
      reason?: string | null
      conditions?: object[]
    }
    return world.db
      .query(sql`insert into automation_runs (tenant, run_id, home_id, automation_id, automation_type, name,
        cause, state, reason, began_at, ended_at, action_order, conditions)
      values (${root.tenant}, ${runId}, ${HomeID}, ${automationId}, 3, 'On', 'condition', ${state}, ${reason}, ${at}::bigint,
        ${at}::bigint, 'together', ${JSON.stringify(conditions)}::jsonb)`)
  }
  const hold = (id: string, problem: object) =>
    world.db.query(
      sql`update automations set problem = ${JSON.stringify(problem)}::jsonb where automation_id = ${id}`,
    )

  it('lists automations that cannot act now, with why and until when', async () => {
    const now = world.clock.now()
    const { SceneID } = (
      await root.post('/CreateScene', {
        HomeID,
        SceneName: 'Why not',
        Actions: [{ PeripheralUID: 'r2', Values: { Switch: 1 } }],
      })
    ).results
    const off = await create(schedule(HomeID, { AutomationName: '1 off', Enabled: false }))
    const rests = await create(smartLink(HomeID, { AutomationName: '2 rests' }))
    const broken = await create(schedule(HomeID, { AutomationName: '3 broken', Actions: [{ SceneID }] }))
    await create(schedule(HomeID, { AutomationName: '4 ready' }))
    await hold(rests, { Reason: 'tooOften', Subject: null, Since: now, Until: now + 600_000 })
    await hold(broken, { Reason: 'deviceGone', Subject: 'x', Since: now, Until: null })
    expect(await held('r2')).toMatchObject([
      { AutomationID: off, AutomationType: 1, State: 'disabled', Reason: null, Since: null, Until: null },
      { AutomationID: rests, State: 'paused', Reason: 'tooOften', Since: now, Until: now + 600_000 },
      { AutomationID: broken, State: 'broken', Reason: 'deviceGone', Subject: 'x', Until: null },
    ])
    expect(await held('r1')).toEqual([])
    const viewer = await world.createUser(root, [rights('device', 'Read'), rights('smart_link', 'Read')])
    expect(await held('r2', viewer)).toMatchObject([{ AutomationID: rests }])
    await root.post('/PauseAutomation', { HomeID, Until: now + 60_000, Reason: 'x' })
    expect((await held('r2')).at(-1)).toMatchObject({
      AutomationName: '4 ready',
      State: 'homePaused',
      Reason: null,
      Since: now,
      Until: now + 60_000,
    })
  })

  it('lists nearly runs, for the device that is set and the one that is evaluated', async () => {
    const now = world.clock.now()
    const id = await create(smartLink(HomeID))
    const other = await create(
      smartLink(HomeID, { Actions: [{ PeripheralUID: 'r4', Values: { Switch: 1 } }] }),
    )
    const conditions = [
      {
        PeripheralUID: 'r1',
        Field: 'Switch',
        Value: 1,
        At: now,
        Verdict: true,
        Needed: { Logical: '=', Status: 1 },
      },
    ]
    await nearlyRan('near', id, now - 1_000, { conditions })
    await nearlyRan('missed', id, now, { state: 'missed', reason: null })
    await nearlyRan('old', id, now - 8 * 86_400_000)
    await nearlyRan('others', other, now)
    await ran('done', id, 3, now)
    expect((await nearly('r2')).map(({ RunID }: { RunID: string }) => RunID)).toEqual(['missed', 'near'])
    expect(await nearly('r1')).toMatchObject([{ RunID: 'near', Reason: 'tooSoon', Conditions: conditions }])
    const list = async (PeripheralUID: string, who = root) =>
      (await who.post('/ListAutomationRun', { HomeID, PeripheralUID })).results
    expect(await list('r2')).toMatchObject({
      Rows: [{ RunID: 'missed' }, { RunID: 'near' }, { RunID: 'old' }],
      Total: 3,
    })
    expect(await list('r3')).toMatchObject({ Rows: [], Total: 0 })
    const viewer = await world.createUser(root, [rights('device', 'Read')])
    expect(await nearly('r2', viewer)).toEqual([])
    expect(await list('r2', viewer)).toMatchObject({ Rows: [], Total: 0 })
  })
})
