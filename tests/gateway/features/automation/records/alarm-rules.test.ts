import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../../contract/kernel/errors.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, rights, type World } from '../../../../support/world.ts'
import { ON, schedule, smartLink, startBuilding } from './support.ts'

const { INVALID, NOT_FOUND, PERMISSION_DENIED } = ERRORS

let world: World
let root: Caller
let HomeID: string
let ThingName: string

beforeAll(async () => {
  ;({ world, root, HomeID, ThingName } = await startBuilding())
  await addDiscovered(world, root, { HomeID, ThingName, type: '514', uids: ['m1', 'm2'] })
  await report(60)
})
afterAll(() => world.close())

/** Reporting interval of the main meters, seconds. */
const report = (seconds: number) =>
  world.db.query(sql`update peripherals set power_meter_update_frequency = ${seconds}
    where tenant = ${root.tenant} and peripheral_type = '514'`)

const POWER = { PeripheralUID: 'm1', Field: 'Power', Logical: '>', Status: 5000 }
const FORECAST = { PeripheralUID: 'home', Field: 'DemandForecast', Logical: '>', Status: 90 }
const LOADS = [{ PeripheralUID: 'r3', Values: { Switch: 0 } }]

let count = 0
/** Input of an alarm rule, with a unique name. */
const alarm = (more: object = {}) => ({
  HomeID,
  AutomationType: 4,
  AutomationName: `Alarm ${(count += 1)}`,
  Conditions: { PeripheralUIDs: [POWER], For: 60 },
  Actions: [],
  Alarm: { Severity: 'critical' },
  ...more,
})
const guard = (more: object = {}, Loads: object[] = LOADS) =>
  alarm({
    Conditions: { PeripheralUIDs: [FORECAST] },
    Alarm: { Severity: 'warning', Shed: { Loads } },
    ...more,
  })
const create = (input: object, caller = root) => caller.post('/CreateAutomation', input)
const list = async (caller = root) => caller.post('/ListAutomation', { AutomationType: 4, HomeID })

describe('alarms', () => {
  it('are created, listed, changed, disabled and deleted', async () => {
    const made = await create(
      alarm({
        Notify: { To: { Users: [root.cognitoId] }, Text: 'Call the plant' },
        Alarm: { Severity: 'critical', Escalate: [{ After: 10, To: 'readers' }] },
      }),
    )
    expect(made.results).toMatchObject({
      State: 'ready',
      OwnerID: root.cognitoId,
      Alarm: {
        Severity: 'critical',
        ClearAfter: 60,
        NoData: 'keep',
        Ahead: false,
        Escalate: [{ After: 10, To: 'readers' }],
      },
      Notify: { To: { Users: [root.cognitoId], Departments: [] }, Text: 'Call the plant' },
    })
    expect((await list()).results).toEqual([made.results])
    const key = { AutomationType: 4, AutomationID: made.results.AutomationID }
    const changed = await root.post('/UpdateAutomation', {
      ...key,
      Alarm: { Severity: 'warning' },
      Notify: null,
    })
    expect(changed.results).toMatchObject({ Alarm: { Severity: 'warning', Escalate: [] }, Version: 2 })
    expect(changed.results.Notify).toBeUndefined()
    const off = await root.post('/SetAutomationEnabled', { ...key, Enabled: false })
    expect(off.results).toMatchObject({ State: 'disabled', Alarm: { Severity: 'warning' } })
    expect((await root.post('/DeleteAutomation', key)).results).toEqual(key)
    expect((await list()).results).toEqual([])
  })

  it('of a home are not visible to another company, and cannot use its recipients', async () => {
    const stranger = await world.signUp()
    expect((await stranger.post('/ListAutomation', { AutomationType: 4, HomeID })).status.code).toBe(
      NOT_FOUND.code,
    )
    const Notify = { To: { Users: [root.cognitoId, stranger.cognitoId], Departments: ['77'] } }
    expect((await create(alarm({ Notify }))).status).toMatchObject({
      code: NOT_FOUND.code,
      fields: { 'Notify.To.Users.1': 'notFound', 'Notify.To.Departments.0': 'notFound' },
    })
    const Escalate = [{ After: 5, To: { Users: [stranger.cognitoId] } }]
    expect((await create(alarm({ Alarm: { Severity: 'warning', Escalate } }))).status).toMatchObject({
      code: NOT_FOUND.code,
      fields: { 'Alarm.Escalate.0.To.Users.0': 'notFound' },
    })
  })

  it('escalate only to channels of the own company, including deleted ones', async () => {
    const channel = async (owner: Caller) => {
      const input = {
        ChannelName: 'Night',
        Kind: 'webhook',
        Address: 'https://example.com/hook',
        Token: 'secret-of-many',
      }
      const made = await owner.post('/CreateNotificationChannel', input)
      expect(made.status, JSON.stringify(made.status)).toMatchObject({ code: 0 })
      return made.results.NotificationChannelID as string
    }
    const [own, strange] = [await channel(root), await channel(await world.signUp())]
    const escalating = (...Channels: string[]) => ({
      Severity: 'warning',
      Escalate: [{ After: 5, To: 'readers', Channels }],
    })
    expect((await create(alarm({ Alarm: escalating(own, strange, 'nobody') }))).status).toMatchObject({
      code: NOT_FOUND.code,
      fields: {
        'Alarm.Escalate.0.Channels.1': 'notFound',
        'Alarm.Escalate.0.Channels.2': 'notFound',
      },
    })
    const made = await create(alarm({ Alarm: escalating(own) }))
    expect(made.status).toMatchObject({ code: 0 })
    await root.post('/DeleteNotificationChannel', { NotificationChannelID: own })
    const key = { AutomationType: 4, AutomationID: made.results.AutomationID }
    const changed = await root.post('/UpdateAutomation', { ...key, Alarm: escalating(own) })
    expect(changed.status).toMatchObject({ code: 0 })
  })

  it('can still be changed after a recipient was deleted', async () => {
    const person = await world.createUser(root, [])
    const To = { Users: [person.cognitoId] }
    const { AutomationID } = (await create(alarm({ Notify: { To } }))).results
    await root.post('/DeleteUser', { Email: person.email })
    const change = { AutomationType: 4, AutomationID, Notify: { To, Text: 'x' } }
    expect((await root.post('/UpdateAutomation', change)).status.code).toBe(0)
  })
})

describe('rights to alarms', () => {
  const OWN = rights('power_meter_alarm', 'Read', 'Create', 'Update', 'Delete')

  it('need no Control if nothing is set, and do not bind their owner', async () => {
    const person = await world.createUser(root, [OWN])
    const { results } = await create(alarm(), person)
    expect(results).toMatchObject({ State: 'ready', OwnerID: person.cognitoId })
    await root.post('/UpdateUserInfo', { Email: person.email, Permissions: [] })
    const { results: all } = await list()
    expect(
      all.find(({ AutomationID }: { AutomationID: string }) => AutomationID === results.AutomationID),
    ).toMatchObject({ State: 'ready', OwnerID: person.cognitoId })
    await root.post('/DeleteUser', { Email: person.email })
    const { results: after } = await list()
    expect(
      after.find(({ AutomationID }: { AutomationID: string }) => AutomationID === results.AutomationID),
    ).toMatchObject({ State: 'ready', OwnerID: root.cognitoId })
  })

  it.each([
    ['actions', () => alarm({ Actions: ON })],
    ['loads that are shed', () => guard()],
  ])('need Control with %s', async (_what, input) => {
    const person = await world.createUser(root, [OWN])
    expect((await create(input(), person)).status).toMatchObject({
      code: PERMISSION_DENIED.code,
      missing: { feature: 'device_control', operation: 'Control' },
    })
    const { AutomationID } = (await create(alarm(), person)).results
    const { Actions, Alarm, Conditions } = input()
    const change = { AutomationType: 4, AutomationID, Actions, Alarm, Conditions }
    expect((await person.post('/UpdateAutomation', change)).status.code).toBe(PERMISSION_DENIED.code)
    const able = await world.createUser(root, [OWN, rights('device_control', 'Control')])
    expect((await create(input(), able)).status.code).toBe(0)
  })

  it('are separate from those of schedules and smart links', async () => {
    const person = await world.createUser(root, [rights('smart_link', 'Read', 'Create', 'Update', 'Delete')])
    expect((await create(alarm(), person)).status).toMatchObject({
      code: PERMISSION_DENIED.code,
      missing: { feature: 'power_meter_alarm', operation: 'Create' },
    })
    expect((await list(person)).status.code).toBe(PERMISSION_DENIED.code)
    const reader = await world.createUser(root, [rights('power_meter_alarm', 'Read')])
    expect((await list(reader)).status.code).toBe(0)
    expect((await create(alarm(), reader)).status.code).toBe(PERMISSION_DENIED.code)
  })
})

describe('an alarm is rejected', () => {
  const of = (condition: object) => alarm({ Conditions: { PeripheralUIDs: [{ ...POWER, ...condition }] } })
  const first = 'Conditions.PeripheralUIDs.0'
  it.each([
    [
      'an upper limit below the lower',
      () => of({ Logical: 'outside', Status: [10, 5] }),
      INVALID,
      { [`${first}.Status`]: 'upperBelowLower' },
    ],
    ['a limit of three decimals', () => of({ Status: 1.234 }), INVALID, { [`${first}.Status`]: 'decimals' }],
    [
      'a meter that is not there',
      () => of({ PeripheralUID: 'gone' }),
      NOT_FOUND,
      { [`${first}.PeripheralUID`]: 'notFound' },
    ],
    [
      'a field that it does not measure',
      () => of({ Field: 'Flow' }),
      INVALID,
      { [`${first}.Field`]: 'noSuchField' },
    ],
    [
      'a state',
      () => of({ PeripheralUID: 'r1', Field: 'Switch', Status: 1, Logical: '=' }),
      INVALID,
      { [`${first}.Field`]: 'notMeasured' },
    ],
    [
      'a voltage beyond what there is',
      () => of({ Field: 'Voltage', Status: 401 }),
      INVALID,
      { [`${first}.Status`]: 'tooBig' },
    ],
    [
      'nine conditions',
      () => alarm({ Conditions: { PeripheralUIDs: Array.from({ length: 9 }, () => POWER) } }),
      INVALID,
      { 'Conditions.PeripheralUIDs': 'tooManyConditions' },
    ],
    ['no word of how much it matters', () => alarm({ Alarm: undefined }), INVALID, { Alarm: 'required' }],
    ['an end', () => alarm({ EndDuration: 60 }), INVALID, { EndDuration: 'invalid' }],
    [
      'steps of escalation out of order',
      () =>
        alarm({
          Alarm: { Severity: 'warning', Escalate: [10, 5].map((After) => ({ After, To: 'readers' })) },
        }),
      INVALID,
      { 'Alarm.Escalate.1.After': 'invalid' },
    ],
    [
      'a look ahead at a power',
      () => alarm({ Alarm: { Severity: 'warning', Ahead: true } }),
      INVALID,
      { 'Alarm.Ahead': 'invalid' },
    ],
    [
      'loads to shed by a power',
      () => alarm({ Alarm: { Severity: 'warning', Shed: { Loads: LOADS } } }),
      INVALID,
      { 'Alarm.Shed': 'invalid' },
    ],
    [
      'a load that is not there',
      () => guard({}, [{ PeripheralUID: 'gone', Values: { Switch: 0 } }]),
      NOT_FOUND,
      { 'Alarm.Shed.Loads.0.PeripheralUID': 'notFound' },
    ],
    [
      'a load that takes no commands',
      () => guard({}, [{ PeripheralUID: 'm1', Values: { Switch: 0 } }]),
      INVALID,
      { 'Alarm.Shed.Loads.0.PeripheralUID': 'notControllable' },
    ],
    [
      'a load twice',
      () => guard({}, [...LOADS, ...LOADS]),
      INVALID,
      { 'Alarm.Shed.Loads.1.Values.Switch': 'taken' },
    ],
    [
      'an alarm on a smart link',
      () => smartLink(HomeID, { Alarm: { Severity: 'warning' } }),
      INVALID,
      { Alarm: 'invalid' },
    ],
  ] as const)('with %s, and nothing is stored', async (_why, input, error, fields) => {
    const before = (await list()).results.length
    expect((await create(input())).status).toMatchObject({ code: error.code, fields })
    expect((await list()).results).toHaveLength(before)
  })

  it('with loads to shed if a main meter reports too rarely, as its check shows', async () => {
    await report(61)
    expect((await create(guard())).status).toMatchObject({
      code: INVALID.code,
      fields: { 'Alarm.Shed': 'meterTooSlow' },
    })
    const found = (await root.post('/CheckAutomation', guard())).results.Findings as { Kind: string }[]
    expect(found.map(({ Kind }) => Kind)).toContain('meterTooSlow')
    await report(60)
    const fine = (await root.post('/CheckAutomation', guard())).results.Findings as { Kind: string }[]
    expect(fine.map(({ Kind }) => Kind)).not.toContain('meterTooSlow')
  })
})

describe('the loads of an alarm', () => {
  it('are listed as uses of a device, and break the alarm when deleted', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['heater'] })
    const { AutomationID } = (await create(guard({}, [{ PeripheralUID: 'heater', Values: { Switch: 0 } }])))
      .results
    const { Rows } = (await root.post('/ListUsedBy', { HomeID, Subject: 'device', ID: 'heater' })).results
    expect(Rows).toMatchObject([{ ID: AutomationID, AutomationType: 4, Role: 'action' }])
    await root.post('/RemovePeripheral', { HomeID, PeripheralUID: 'heater' })
    const [first] = (await list()).results
    expect(first).toMatchObject({
      AutomationID,
      State: 'broken',
      Problem: { Reason: 'deviceGone', Subject: 'heater' },
    })
    await root.post('/DeleteAutomation', { AutomationType: 4, AutomationID })
  })

  it('prevent deleting a group', async () => {
    const { GroupID } = (
      await root.post('/CreateGroup', { HomeID, GroupName: 'Loads', PeripheralList: ['r3', 'r4'] })
    ).results
    const { AutomationID } = (await create(guard({}, [{ GroupID, Values: { Switch: 0 } }]))).results
    const removed = await root.post('/DeleteGroup', { HomeID, GroupID })
    expect(removed.status).toMatchObject({ code: ERRORS.CONFLICT.code, fields: { GroupID: 'used' } })
    await root.post('/DeleteAutomation', { AutomationType: 4, AutomationID })
  })

  it('are replaced with their device', async () => {
    await addDiscovered(world, root, { HomeID, ThingName, uids: ['old', 'new'] })
    const { AutomationID } = (
      await create(guard({}, [{ PeripheralUID: 'old', Values: { Switch: 0 }, MinOff: 60 }]))
    ).results
    await root.post('/ReplacePeripheral', { HomeID, Old: 'old', New: 'new' })
    const found = (await list()).results.find(
      (one: { AutomationID: string }) => one.AutomationID === AutomationID,
    )
    expect(found.Alarm.Shed.Loads).toMatchObject([{ PeripheralUID: 'new', MinOff: 60 }])
    await root.post('/DeleteAutomation', { AutomationType: 4, AutomationID })
  })
})

it('runs a rule that only notifies to its end without Control', async () => {
  const person = await world.createUser(root, [rights('schedule', 'Read', 'Create', 'Update')])
  const { AutomationID } = (
    await create(schedule(HomeID, { Actions: [], Notify: { To: 'readers' } }), person)
  ).results
  const ran = await person.post('/RunAutomation', { AutomationType: 1, AutomationID })
  expect(ran.results).toMatchObject({ Actions: 0 })
  await expect
    .poll(async () => (await root.post('/ListAutomationRun', { HomeID, AutomationID })).results.Rows)
    .toMatchObject([{ State: 'done' }])
})

it('returns when a tried alarm would have been raised and cleared', async () => {
  const now = world.clock.now()
  await world.db.query(sql`update peripherals set created_at = 0`)
  await world.db.query(sql`update things set online = true`)
  const [meter] = await world.db.query<{
    id: number
  }>(sql`insert into meters (tenant, home_id, peripheral_uid)
    values (${root.tenant}, ${HomeID}, 'm1') returning meter_id as id`)
  // Above its limit for four of the last ten minutes; a value within 2 % below the limit does not clear it.
  for (const [minutes, watt] of [
    [10, 100],
    [8, 6000],
    [6, 4950],
    [4, 100],
    [2, 100],
    [0, 100],
  ] as const)
    await world.db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power)
      values (${meter?.id ?? 0}, ${now - minutes * 60_000}::bigint, ${100 - minutes}, ${watt})`)
  const asked = alarm({ Alarm: { Severity: 'warning', ClearAfter: 30 } })
  const { results } = await root.post('/TryAutomation', { ...asked, Days: 1 })
  expect(results.Runs).toEqual([{ At: now - 7 * 60_000, EndedAt: now - 3.5 * 60_000 }])
})
