import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'

let all: AlarmsWorld
let operator: Caller
let viewer: Caller
beforeAll(async () => {
  all = await startAlarms()
  operator = await all.world.createUser(all.root, [
    rights('device', 'Read'),
    rights('device_control', 'Control'),
  ])
  viewer = await all.world.createUser(all.root, [rights('device', 'Read')])
})
afterAll(() => all.world.close())

const fire = { SmokeState: 3 }
const calm = { SmokeState: 1 }
const changed = { status: { code: 3, fields: { AlarmID: 'changed' } } }

describe('the alarm of a state', () => {
  it('is raised once by the report of the state, even if it repeats', async () => {
    const before = all.told('alarm.update')
    for (let again = 0; again < 3; again++) await all.report('smoke', all.NOON, fire)
    await all.report('smoke', all.NOON + 1_000, fire)
    expect(await all.list({}, viewer)).toMatchObject([
      {
        HomeID: all.HomeID,
        Source: 'state:smoke',
        PeripheralUID: 'smoke',
        SubjectName: 'smoke',
        Severity: 'critical',
        Values: fire,
        RaisedAt: all.NOON,
        Acknowledged: null,
        Cleared: null,
      },
    ])
    expect(all.told('alarm.update')).toBe(before + 1)
  })

  it('is not cleared by a report older than the newest', async () => {
    await all.report('smoke', all.NOON - 5_000, calm)
    expect(await all.list({ State: 'open' })).toHaveLength(1)
  })

  it('is cleared by a newer report without a reason', async () => {
    await all.report('smoke', all.NOON + 2_000, calm)
    expect(await all.list()).toMatchObject([{ Cleared: { By: null, At: all.NOON + 2_000, Reason: null } }])
    expect(await all.list({ State: 'current' })).toEqual([])
  })

  it('is not raised again by a late old report', async () => {
    await all.report('smoke', all.NOON + 1_500, fire)
    expect(await all.list({ State: 'open' })).toEqual([])
  })

  it('is not raised for an open door or a reading', async () => {
    await all.report('door', all.NOON, { DoorState: 2 })
    await all.report('meter', all.NOON, { AccumulatePower: 1, Voltage: 400 })
    expect(await all.list({ State: 'open' })).toEqual([])
  })

  it('that returns within ten minutes is the same alarm, counted again', async () => {
    await all.report('smoke', all.NOON + 3_000, { SmokeState: 5 })
    expect(await all.list()).toMatchObject([
      { Severity: 'warning', Count: 2, RaisedAt: all.NOON, Cleared: null },
    ])
  })

  it('that returns after ten minutes is a new alarm', async () => {
    const tenMinutesAgo = all.NOON - 600_001
    await all.report('shock', tenMinutesAgo, { ShockState: 2 })
    await all.report('shock', tenMinutesAgo, { ShockState: 1 })
    await all.report('shock', all.NOON, { ShockState: 2 })
    await all.report('shock', all.NOON + 1, { ShockState: 1 })
    const ofShock = (await all.list()).filter(({ PeripheralUID }) => PeripheralUID === 'shock')
    expect(ofShock.map(({ Count, RaisedAt }) => [Count, RaisedAt])).toEqual([
      [1, all.NOON],
      [1, tenMinutesAgo],
    ])
  })
})

describe('acknowledging', () => {
  it('names the user, keeps the alarm open and sorts it below unacknowledged ones', async () => {
    await all.report('smoke2', all.NOON - 1, { SmokeState: 5 })
    const [newest, ofSmoke] = await all.list({ State: 'open' })
    expect([newest?.PeripheralUID, ofSmoke?.PeripheralUID]).toEqual(['smoke', 'smoke2'])
    const { HomeID } = all
    const input = { HomeID, AlarmID: newest?.AlarmID, Comment: ' on my way ' }
    const { results } = await operator.post('/AcknowledgeAlarm', input)
    expect(results).toMatchObject({
      Cleared: null,
      Acknowledged: { At: all.world.clock.now(), Comment: 'on my way' },
    })
    expect((await all.list({ State: 'open' })).map(({ PeripheralUID }) => PeripheralUID)).toEqual([
      'smoke2',
      'smoke',
    ])
    const late = await all.root.post('/AcknowledgeAlarm', { HomeID, AlarmID: newest?.AlarmID })
    expect(late).toMatchObject(changed)
    expect(late.status.error).toContain(results.Acknowledged.By)
  })

  it('covers only the current severity: a worse state raises a new, unacknowledged alarm', async () => {
    await all.report('smoke', all.NOON + 4_000, { SmokeState: 4 })
    expect(
      (await all.list({ State: 'open' })).find(({ PeripheralUID }) => PeripheralUID === 'smoke'),
    ).toMatchObject({
      Values: { SmokeState: 4 },
      Acknowledged: { Comment: 'on my way' },
    })
    await all.report('smoke', all.NOON + 5_000, fire)
    expect(
      (await all.list({ State: 'open' })).find(({ PeripheralUID }) => PeripheralUID === 'smoke'),
    ).toMatchObject({
      Severity: 'critical',
      RaisedAt: all.NOON + 5_000,
      Acknowledged: null,
    })
  })

  it('keeps the first of two concurrent requests', async () => {
    const [alarm] = await all.list({ State: 'open' })
    const input = { HomeID: all.HomeID, AlarmID: alarm?.AlarmID }
    const answers = await Promise.all([all.root, operator].map((one) => one.post('/AcknowledgeAlarm', input)))
    expect(answers.map(({ status }) => status.code).toSorted()).toEqual([0, 3])
  })

  it('is audited, and rejected with read-only rights', async () => {
    const [alarm] = await all.list({ State: 'open' })
    const input = { HomeID: all.HomeID, AlarmID: alarm?.AlarmID }
    expect((await viewer.post('/AcknowledgeAlarm', input)).status.missing).toEqual({
      feature: 'power_meter_alarm',
      operation: 'Control',
    })
    const { Rows } = (await all.root.post('/ListAuditLog', { Path: '/AcknowledgeAlarm' })).results
    expect(Rows.length).toBe(2)
    expect(Rows[0].After.Acknowledged.By).toBe(Rows[0].ByName)
  })
})

describe('clearing', () => {
  const one = async (uid: string, State = 'open') =>
    (await all.list({ State })).find(({ PeripheralUID }) => PeripheralUID === uid)
  const clear = async (uid: string, more: object = {}, caller = operator) =>
    caller.post('/ClearAlarm', {
      HomeID: all.HomeID,
      AlarmID: (await one(uid))?.AlarmID,
      Reason: 'false alarm, looked at it',
      ...more,
    })

  it('is rejected while the device can still report the state, as the list shows', async () => {
    expect(await one('smoke')).toMatchObject({ SourceLost: false })
    expect(await clear('smoke')).toMatchObject({ status: { code: 3, fields: { AlarmID: 'stillTrue' } } })
  })

  it('needs a reason', async () => {
    for (const Reason of ['', ' ', 'x'.repeat(501), undefined])
      expect((await clear('smoke', { Reason })).status).toMatchObject({ code: 1 })
  })

  it('clears the last alarms of an offline hub until a newer report raises them again', async () => {
    await all.online(false)
    expect(await one('smoke')).toMatchObject({ SourceLost: true })
    const AlarmID = (await one('smoke'))?.AlarmID
    const { results } = await clear('smoke')
    expect(results).toMatchObject({
      Cleared: { At: all.world.clock.now(), Reason: 'false alarm, looked at it' },
      ReportedAt: all.NOON + 5_000,
    })
    expect(await one('smoke')).toBeUndefined()
    expect(await one('smoke', 'current')).toMatchObject({ AlarmID })
    expect(
      await all.root.post('/ClearAlarm', { HomeID: all.HomeID, AlarmID, Reason: 'me too' }),
    ).toMatchObject(changed)
    expect(await all.root.post('/AcknowledgeAlarm', { HomeID: all.HomeID, AlarmID })).toMatchObject(changed)

    await all.online(true)
    await all.report('smoke', all.NOON + 5_000, fire)
    expect(await one('smoke')).toBeUndefined()
    await all.report('smoke', all.NOON + 6_000, fire)
    expect(await one('smoke')).toMatchObject({ RaisedAt: all.NOON + 6_000, Acknowledged: null })
    expect((await one('smoke', 'current'))?.Cleared).toBeNull()
  })

  it('keeps the first of two concurrent requests', async () => {
    await all.online(false)
    const AlarmID = (await one('smoke'))?.AlarmID
    const input = { HomeID: all.HomeID, AlarmID, Reason: 'seen' }
    const answers = await Promise.all([all.root, operator].map((who) => who.post('/ClearAlarm', input)))
    expect(answers.map(({ status }) => status.code).toSorted()).toEqual([0, 3])
    await all.online(true)
  })

  it('clears the alarm of a removed device, which stays open until then', async () => {
    await all.root.post('/RemovePeripheral', { HomeID: all.HomeID, PeripheralUID: 'smoke2' })
    expect(await one('smoke2', 'current')).toMatchObject({
      SubjectName: 'smoke2',
      Cleared: null,
      SourceLost: true,
    })
    expect((await clear('smoke2')).status.code).toBe(0)
    expect(await one('smoke2', 'current')).toBeUndefined()
  })
})

describe('the list of alarms', () => {
  it('is paged, with each alarm once', async () => {
    const whole = await all.list()
    expect(whole.length).toBeGreaterThan(3)
    const found = []
    let Cursor: string | undefined
    do {
      const page = (await all.root.post('/ListAlarm', { Limit: 2, Cursor })).results
      expect(page.Total).toBe(whole.length)
      found.push(...page.Rows)
      Cursor = page.NextCursor ?? undefined
    } while (Cursor)
    expect(found).toEqual(whole)
  })

  it('contains only alarms of the own company', async () => {
    const stranger = await all.world.signUp()
    const [alarm] = await all.list()
    expect((await stranger.post('/ListAlarm', { HomeID: all.HomeID })).status.code).toBe(2)
    expect((await stranger.post('/ListAlarm', {})).results.Rows).toEqual([])
    const key = { HomeID: all.HomeID, AlarmID: alarm?.AlarmID }
    expect((await stranger.post('/AcknowledgeAlarm', key)).status.code).toBe(2)
    expect((await stranger.post('/ClearAlarm', { ...key, Reason: 'x' })).status.code).toBe(2)
  })

  it('is deleted with the home', async () => {
    const { HomeID } = (await all.root.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' }))
      .results
    await all.world.db
      .query(sql`insert into alarms (alarm_id, tenant, home_id, source, severity, values, raised_at, reported_at)
      values (gen_random_uuid(), ${all.root.tenant}, ${HomeID}, 'state:x', 'warning', '{}', 0, 0)`)
    await all.root.post('/DeleteHome', { HomeID })
    expect(await all.world.db.query(sql`select from alarms where home_id = ${HomeID}`)).toEqual([])
  })
})
