import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import type { RuleWarning } from '../../../../../contract/automation/calls.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { type Building, schedule, smartLink, startBuilding, WEEKDAYS } from '../records/support.ts'

let world: World
let root: Caller
let HomeID: string
let building: Building

beforeAll(async () => {
  building = await startBuilding()
  ;({ world, root, HomeID } = building)
  const { ThingName } = building
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['meter'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '517', uids: ['contact'] })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.db.query(sql`delete from automations`)
  await world.db.query(sql`update things set online = true`)
  for (const [uid, type, values] of [
    ['r1', '516', { Switch: 0 }],
    ['r2', '516', { Switch: 0 }],
    ['meter', '514', { Power: 1, AccumulatePower: 1 }],
  ] as const)
    await world.db.query(sql`insert into device_status
        (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      values (${root.tenant}, ${uid}, ${HomeID}, ${type}, 1, ${JSON.stringify(values)}::jsonb, 1)
      on conflict (tenant, peripheral_uid) do nothing`)
})

const check = (input: object, who = root) => who.post('/CheckAutomation', input)
const findings = async (input: object, who = root): Promise<RuleWarning[]> =>
  (await check(input, who)).results.Findings
const kinds = async (input: object) => (await findings(input)).map(({ Kind }) => Kind)
const set = (PeripheralUID: string, Switch: 0 | 1) => [{ PeripheralUID, Values: { Switch } }]
const when = (PeripheralUID: string, Status: number, more: object = {}) => ({
  PeripheralUIDs: [{ PeripheralUID, Field: 'Switch', Status, Logical: '=' }],
  ...more,
})
const create = (input: object) => root.post('/CreateAutomation', input)

describe('the next runs of a schedule', () => {
  it('are five, with excluded days marked', async () => {
    const { NextRuns } = (await check(schedule(HomeID, { Schedule: { ...WEEKDAYS, Days: 'workdays' } })))
      .results
    expect(NextRuns.filter(({ Struck }: { Struck: boolean }) => !Struck)).toHaveLength(5)
    const except = { ...WEEKDAYS, Except: ['2026-01-06'] }
    const struck = (await check(schedule(HomeID, { Schedule: except }))).results.NextRuns
    expect(struck).toContainEqual({ At: Date.UTC(2026, 0, 6), Struck: true })
  })

  it('are empty for a smart link', async () => {
    expect((await check(smartLink(HomeID))).results).toEqual({ Findings: [], NextRuns: [] })
  })
})

describe('findings on a rule', () => {
  it('name the automation that could loop with it indefinitely', async () => {
    const other = await create(
      smartLink(HomeID, { AutomationName: 'Back', Conditions: when('r2', 1), Actions: set('r1', 0) }),
    )
    const { AutomationID, AutomationType, AutomationName } = other.results
    const back = await create(
      smartLink(HomeID, { Conditions: when('r2', 0), Actions: set('r1', 1), AcceptLoop: true }),
    )
    expect(back.status.code).toBe(0)
    const draft = smartLink(HomeID, { Conditions: when('r1', 0), Actions: set('r2', 0) })
    const third = smartLink(HomeID, { Conditions: when('r1', 1), Actions: set('r2', 1), AcceptLoop: true })
    await create(third)
    const found = await findings(draft)
    expect(found).toContainEqual({
      Kind: 'loop',
      PeripheralUID: null,
      At: null,
      Other: { AutomationID, AutomationType, AutomationName },
    })
  })

  it('report two rules that set a field differently at once, and when schedules meet', async () => {
    const other = (await create(smartLink(HomeID, { Conditions: when('r1', 1), Actions: set('r3', 0) })))
      .results
    const link = await findings(smartLink(HomeID, { Conditions: when('r1', 1), Actions: set('r3', 1) }))
    expect(link).toMatchObject([
      { Kind: 'conflict', PeripheralUID: 'r3', At: null, Other: { AutomationID: other.AutomationID } },
    ])
    const [off, on] = [0, 1].map((to) => schedule(HomeID, { Actions: set('r4', to as 0 | 1) }))
    const saved = async (input: object) => ({ ...input, ...(await create(input)).results })
    const first = await saved(off as object)
    const found = (Wins: string) => [{ Kind: 'sameTime', PeripheralUID: 'r4', At: expect.any(Number), Wins }]
    expect(await findings(on as object)).toMatchObject(found('this'))
    world.clock.advance(1_000)
    const later = await saved(on as object)
    const again = ({ AutomationID }: { AutomationID: string }, input: object) =>
      findings({ ...input, AutomationID })
    expect(await again(first, off as object)).toMatchObject(found('other'))
    expect(await again(later, on as object)).toMatchObject(found('this'))
  })

  it('do not compare an automation with its earlier version', async () => {
    const draft = smartLink(HomeID, { Conditions: when('r1', 1), Actions: set('r3', 0) })
    const { AutomationID } = (await create(draft)).results
    expect(await kinds({ ...draft, AutomationID, Actions: set('r3', 1) })).toEqual([])
  })

  it('are returned to users who can read automations of that type', async () => {
    const draft = smartLink(HomeID, { Conditions: when('r1', 1), Actions: set('r3', 1) })
    const nobody = await world.createUser(root, [rights('schedule', 'Read')])
    expect((await check(draft, nobody)).status.code).toBe(ERRORS.PERMISSION_DENIED.code)
    const sun = schedule(HomeID, { Schedule: { ...WEEKDAYS, At: { Sun: 'sunset', Offset: 0 } } })
    expect(await findings(sun, nobody)).toEqual([
      { Kind: 'noPlace', PeripheralUID: null, Other: null, At: null },
    ])
  })

  it('report a meter that reports less often than the rule needs', async () => {
    const power = (For: number) =>
      smartLink(HomeID, {
        Conditions: {
          PeripheralUIDs: [{ PeripheralUID: 'meter', Field: 'Power', Logical: '>', Status: 5 }],
          For,
        },
      })
    await world.db.query(
      sql`update peripherals set power_meter_update_frequency = 900 where peripheral_uid = 'meter'`,
    )
    expect(await kinds(power(0))).toEqual(['meterTooSlow'])
    expect(await kinds(power(1800))).toEqual([])
  })

  it('report deleted, offline and never-seen devices, and ones that need confirmation', async () => {
    expect(await findings(smartLink(HomeID, { Conditions: when('nobody', 1) }))).toMatchObject([
      { Kind: 'deviceGone', PeripheralUID: 'nobody' },
    ])
    expect(await findings(smartLink(HomeID, { Conditions: when('r4', 1) }))).toMatchObject([
      { Kind: 'neverHeard', PeripheralUID: 'r4' },
    ])
    const contact = [{ PeripheralUID: 'contact', Values: { Switch: 1 } }]
    expect(await findings(smartLink(HomeID, { Actions: contact }))).toMatchObject([
      { Kind: 'asksFirst', PeripheralUID: 'contact' },
    ])
    await world.db.query(sql`update things set online = false`)
    expect(await findings(smartLink(HomeID))).toMatchObject([
      { Kind: 'hubOffline', PeripheralUID: 'r1' },
      { Kind: 'hubOffline', PeripheralUID: 'r2' },
    ])
  })

  it('report conditions that can never be or are always true', async () => {
    expect(await kinds(smartLink(HomeID, { Conditions: when('r1', 2) }))).toEqual(['never'])
    const both = { PeripheralUIDs: [...when('r1', 0).PeripheralUIDs, ...when('r1', 1).PeripheralUIDs] }
    expect(await kinds(smartLink(HomeID, { Conditions: both }))).toEqual(['never'])
    const any = { PeripheralUIDs: [{ PeripheralUID: 'r1', Field: 'Switch', Status: 2, Logical: '!=' }] }
    expect(await kinds(smartLink(HomeID, { Conditions: any }))).toEqual(['always'])
    const power = (Logical: string, Status: number) => ({
      PeripheralUID: 'meter',
      Field: 'Power',
      Logical,
      Status,
    })
    const either = { PeripheralUIDs: [power('>', 5), power('<', 6)], Logical: 'OR' }
    expect(await kinds(smartLink(HomeID, { Conditions: either }))).toContain('always')
    expect(await kinds(smartLink(HomeID, { Conditions: { ...either, Logical: 'AND' } }))).not.toContain(
      'always',
    )
    const eitherWay = { ...both, Logical: 'OR' }
    expect(await kinds(smartLink(HomeID, { Conditions: eitherWay }))).toEqual(['always'])
  })

  it('cover only homes of the own company', async () => {
    const stranger = await world.signUp()
    expect((await check(smartLink(HomeID), stranger)).status.code).toBe(ERRORS.NOT_FOUND.code)
  })
})

describe('a rule that starts itself', () => {
  const itself = () =>
    smartLink(HomeID, {
      Conditions: when('r1', 1),
      Actions: set('r1', 0),
      EndDuration: 60,
      EndActions: 'restore',
    })

  it('is rejected, and saved if the user accepts it', async () => {
    const refused = await create(itself())
    expect(refused.status).toMatchObject({ code: ERRORS.INVALID.code, fields: { AcceptLoop: 'loop' } })
    expect((await create({ ...itself(), AcceptLoop: true })).status.code).toBe(0)
  })

  it('is rejected as a change too, but not if it already did so', async () => {
    const { AutomationID } = (
      await create(smartLink(HomeID, { Conditions: when('r1', 1), Actions: set('r2', 0) }))
    ).results
    const { Actions, EndDuration } = itself() as { Actions?: object; EndDuration?: number }
    const change = (more: object) =>
      root.post('/UpdateAutomation', { AutomationType: 3, AutomationID, ...more })
    expect((await change({ Actions, EndDuration })).status.fields).toEqual({ AcceptLoop: 'loop' })
    expect((await change({ Actions, EndDuration, AcceptLoop: true })).status.code).toBe(0)
    expect((await change({ Description: 'known' })).status.code).toBe(0)
  })
})

describe('a group or a scene by which automations would start each other', () => {
  const made = async (path: string, input: object) => (await root.post(path, { HomeID, ...input })).results
  const link = (Conditions: object, Actions: object[]) => create(smartLink(HomeID, { Conditions, Actions }))

  it('is not changed to do so', async () => {
    const { GroupID } = await made('/CreateGroup', { GroupName: 'Ring', PeripheralList: ['r3'] })
    await link(when('r1', 1), [{ GroupID, Values: { Switch: 0 } }])
    await link(when('r1', 0), set('r1', 1))
    const update = (...PeripheralList: string[]) =>
      root.post('/UpdateGroup', { HomeID, GroupID, PeripheralList })
    expect((await update('r3', 'r1')).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { PeripheralList: 'startsLoop' },
    })
    const [{ PeripheralList }] = (await root.post('/GetGroupByHomeId', { HomeID })).results
    expect(PeripheralList).toEqual(['r3'])
    expect((await update('r3', 'r2')).status.code).toBe(0)
  })

  it('is changed if that was accepted before', async () => {
    const { SceneID } = await made('/CreateScene', { SceneName: 'Ring', Actions: set('r3', 0) })
    const update = (...Actions: object[]) => root.post('/UpdateScene', { HomeID, SceneID, Actions })
    await link(when('r1', 0), set('r1', 1))
    const { AutomationID } = (await link(when('r1', 1), [{ SceneID }])).results
    expect((await update(...set('r1', 0))).status).toMatchObject({
      code: ERRORS.INVALID.code,
      fields: { Actions: 'startsLoop' },
    })
    await root.post('/DeleteAutomation', { AutomationType: 3, AutomationID })
    expect((await update(...set('r1', 0))).status.code).toBe(0)
    const again = smartLink(HomeID, { Conditions: when('r1', 1), Actions: [{ SceneID }], AcceptLoop: true })
    expect((await create(again)).status.code).toBe(0)
    expect((await update(...set('r1', 0), ...set('r3', 1))).status.code).toBe(0)
  })
})

describe('a rule that can never fire', () => {
  const demand = (Field: string, more: object = {}) => ({
    HomeID,
    AutomationType: 4,
    AutomationName: `Demand ${Field}`,
    Conditions: { PeripheralUIDs: [{ PeripheralUID: 'home', Field, Logical: '>', Status: 90 }] },
    Actions: [],
    Alarm: { Severity: 'warning' },
    ...more,
  })
  const everySeconds = (seconds: number) =>
    world.db.query(
      sql`update peripherals set power_meter_update_frequency = ${seconds}::int where peripheral_uid = 'meter'`,
    )
  const blocked = async (AutomationType = 4) =>
    (await root.post('/ListBlockedAutomation', { HomeID, AutomationType })).results
  const hear = () =>
    world.db.query(sql`insert into meters (tenant, peripheral_uid, home_id, peripheral_type)
      values (${root.tenant}, 'meter', ${HomeID}, '514') on conflict do nothing`)

  it('is one on the demand of a site without a contract, or with a main meter that reports every 15 minutes', async () => {
    await everySeconds(900)
    const found = await findings(demand('DemandShare'))
    expect(found).toContainEqual({
      Kind: 'noContract',
      PeripheralUID: 'home',
      Other: null,
      At: null,
      Blocks: true,
    })
    expect(found).toContainEqual({
      Kind: 'meterTooSlow',
      PeripheralUID: 'meter',
      Other: null,
      At: null,
      Blocks: true,
    })
    const { AutomationID } = (await create(demand('DemandShare'))).results
    expect(await blocked()).toEqual([{ AutomationID, Kind: 'noContract', PeripheralUID: 'home' }])
  })

  it('is one on a site whose main meter has never reported, until it does', async () => {
    await everySeconds(60)
    const rule = demand('DemandForecast')
    expect(await findings(rule)).toMatchObject([{ Kind: 'neverHeard', PeripheralUID: 'meter', Blocks: true }])
    const { AutomationID } = (await create(rule)).results
    expect(await blocked()).toEqual([{ AutomationID, Kind: 'neverHeard', PeripheralUID: 'meter' }])
    await hear()
    expect(await findings(rule)).toEqual([])
    expect(await blocked()).toEqual([])
    await everySeconds(300)
    expect(await findings(rule), 'late, and not never').toEqual([
      { Kind: 'meterTooSlow', PeripheralUID: 'meter', Other: null, At: null },
    ])
    expect(await blocked()).toEqual([])
  })

  it('is one on a virtual meter of a meter that has never reported', async () => {
    await addDiscovered(world, root, { HomeID, ThingName: building.ThingName, type: '514', uids: ['silent'] })
    const made = await root.post('/CreateVirtualMeter', {
      HomeID,
      VirtualMeterName: 'Both',
      Terms: ['meter', 'silent'].map((PeripheralUID) => ({ PeripheralUID, Factor: 1 })),
    })
    const { VirtualMeterID: PeripheralUID } = made.results
    const Conditions = { PeripheralUIDs: [{ PeripheralUID, Field: 'DailyKwh', Logical: '>', Status: 5 }] }
    const rule = demand('DailyKwh', { Conditions })
    await hear()
    expect(await findings(rule)).toMatchObject([
      { Kind: 'neverHeard', PeripheralUID: 'silent', Blocks: true },
    ])
    const { AutomationID } = (await create(rule)).results
    expect(await blocked()).toEqual([{ AutomationID, Kind: 'neverHeard', PeripheralUID: 'silent' }])
    const either = {
      PeripheralUIDs: [
        ...Conditions.PeripheralUIDs,
        { PeripheralUID: 'meter', Field: 'Power', Logical: '>', Status: 5 },
      ],
    }
    const update = (more: object) =>
      root.post('/UpdateAutomation', { AutomationType: 4, AutomationID, ...more })
    await update({ Conditions: { ...either, Logical: 'OR' } })
    expect(await blocked(), 'another condition may be true').toEqual([])
    await update({ Conditions, Alarm: { Severity: 'warning', NoData: 'alarm' } })
    expect(await blocked(), 'it is raised when nothing is known').toEqual([])
  })

  it('is one with contradictory values, unless it is switched off', async () => {
    const above = (Status: number, Logical: string) => ({
      PeripheralUID: 'meter',
      Field: 'Power',
      Logical,
      Status,
    })
    const Conditions = { PeripheralUIDs: [above(9, '>'), above(3, '<')] }
    const { AutomationID } = (await create(demand('Power', { Conditions }))).results
    expect(await blocked()).toEqual([{ AutomationID, Kind: 'never', PeripheralUID: 'meter' }])
    await root.post('/SetAutomationEnabled', { AutomationType: 4, AutomationID, Enabled: false })
    expect(await blocked()).toEqual([])
  })
})
