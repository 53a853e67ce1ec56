import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AlarmReading, MAX_SHELVE_MS } from '../../../../contract/alarms/calls.ts'
import type { RuleAlarm } from '../../../../gateway/domain/alarms/rule-alarms.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'
import { startWatching, type Watching } from './watching.ts'

let all: AlarmsWorld
let watching: Watching
let electrician: Caller
let colleague: Caller
beforeAll(async () => {
  all = await startAlarms()
  watching = startWatching(all)
  electrician = await all.world.createUser(all.root, [rights('power_meter_alarm', 'Read', 'Control')])
  colleague = await all.world.createUser(all.root, [
    rights('device', 'Read'),
    rights('device_control', 'Control'),
  ])
})
afterAll(() => all.world.close())
beforeEach(() => watching.reset())

const reading = (Value: number, more: Partial<AlarmReading> = {}): AlarmReading => ({
  Field: 'Power',
  Logical: '>',
  Limit: 10,
  Value,
  Peak: null,
  CrossesAt: null,
  ...more,
})
const key = (kind: RuleAlarm['kind'] = 'rule') => ({ tenant: all.root.tenant, automationId: 'rule-1', kind })
const alarm = (more: Partial<RuleAlarm> = {}): RuleAlarm => ({
  ...key(more.kind),
  homeId: all.HomeID,
  automationName: 'Too much power',
  severity: 'warning',
  peripheralUid: 'meter',
  readings: [reading(12)],
  at: watching.clock.now(),
  late: false,
  notify: undefined,
  escalate: [],
  ...more,
})
const raise = (more: Partial<RuleAlarm> = {}) =>
  all.world.db.transaction((tx) => watching.rules.raise(tx, alarm(more)))
const clear = () =>
  all.world.db.transaction((tx) => watching.rules.clear(tx, { ...key(), at: watching.clock.now() }))
const one = async (caller = electrician) => (await all.list({}, caller))[0]

describe('the alarm of a rule', () => {
  it('is raised once however often the rule fires, and published by the right to its feature', async () => {
    await raise()
    await raise()
    expect(await all.list({}, electrician)).toMatchObject([
      {
        Kind: 'rule',
        Source: 'rule:rule-1',
        AutomationID: 'rule-1',
        AutomationName: 'Too much power',
        PeripheralUID: 'meter',
        SubjectName: 'meter',
        Readings: [{ Field: 'Power', Limit: 10, Value: 12, Peak: 12 }],
        Count: 1,
      },
    ])
    expect(watching.notices).toMatchObject([
      {
        kind: 'alarmRaised',
        values: {
          kind: 'rule',
          subject: 'Too much power',
          device: 'meter',
          field: 'Power',
          value: 12,
          limit: 10,
          unit: 'W',
        },
        to: { access: { feature: 'power_meter_alarm', operation: 'Read' } },
      },
    ])
    expect(watching.moved).toMatchObject([{ kind: 'rule', homeId: all.HomeID, alarm: { News: 'raised' } }])
  })

  it('notifies the recipients that the rule names, with its text', async () => {
    const Users = [electrician.cognitoId]
    await raise({ notify: { To: { Users, Departments: ['d1'] }, Text: 'Switch the kiln off' } })
    await clear()
    for (const notice of watching.notices)
      expect(notice).toMatchObject({
        to: { users: Users, departments: ['d1'] },
        values: { text: 'Switch the kiln off' },
      })
    expect(watching.notices.map(({ kind }) => kind)).toEqual(['alarmRaised', 'alarmCleared'])
  })

  it('keeps the worst measured value', async () => {
    await raise()
    const change = (value: number) =>
      all.world.db.transaction((tx) =>
        watching.rules.change(tx, { ...key(), readings: [reading(value)], at: watching.clock.now() }),
      )
    await change(30)
    await change(11)
    expect((await one())?.Readings).toMatchObject([{ Raised: 12, Value: 11, Peak: 30 }])
    expect(watching.moved.map(({ alarm: { News } }) => News)).toEqual(['raised', 'changed'])
  })

  it('is separate for the predicted sum', async () => {
    await raise()
    const CrossesAt = watching.clock.now() + 3_600_000
    await raise({ kind: 'ahead', readings: [reading(8, { Field: 'DailyKwh', CrossesAt })] })
    expect((await all.list({ Kind: 'ahead' }, electrician)).map(({ Source }) => Source)).toEqual([
      'ahead:rule-1',
    ])
    expect(watching.notices[1]?.values).toMatchObject({ kind: 'ahead', unit: 'kWh', crossesAt: CrossesAt })
  })

  it('is only stored in the history if it is late', async () => {
    await raise({ late: true })
    expect(watching.notices).toMatchObject([{ kind: 'alarmRaised', unsent: true }])
    await clear()
    expect(watching.of('alarmCleared')).toMatchObject([{ unsent: true }])
  })

  it('stores and publishes nothing if the transaction is rolled back', async () => {
    await all.world.db
      .transaction(async (tx) => {
        await watching.rules.raise(tx, alarm())
        throw new Error('no')
      })
      .catch(() => {})
    expect(await one()).toBeUndefined()
    expect(watching.moved).toEqual([])
  })

  it('is not cleared if none is open', async () => {
    await clear()
    await all.world.db.transaction((tx) => watching.rules.change(tx, { ...key(), readings: [], at: 1 }))
    expect(watching.notices).toEqual([])
  })
})

describe('rights', () => {
  it('show alarms of rules and devices to users who can read these', async () => {
    await raise()
    await all.report('smoke', watching.clock.now(), { SmokeState: 3 })
    const kinds = async (caller: Caller) => (await all.list({}, caller)).map(({ Kind }) => Kind)
    expect(await kinds(electrician)).toEqual(['rule'])
    expect(await kinds(colleague)).toEqual(['state'])
    expect((await kinds(all.root)).toSorted()).toEqual(['rule', 'state'])
    const counts = async (caller: Caller) => (await caller.post('/ListAlarm', {})).results.Counts
    expect(await counts(electrician)).toEqual({ critical: 0, warning: 1, unacknowledged: 1, shelved: 0 })
    expect(await counts(colleague)).toEqual({ critical: 1, warning: 0, unacknowledged: 1, shelved: 0 })
  })

  it('hide alarms that a user cannot read, and reject changes with read-only rights', async () => {
    await raise()
    const input = { HomeID: all.HomeID, AlarmID: (await one())?.AlarmID }
    expect((await colleague.post('/AcknowledgeAlarm', input)).status.code).toBe(2)
    const reader = await all.world.createUser(all.root, [
      rights('power_meter_alarm', 'Read'),
      rights('device_control', 'Control'),
    ])
    expect((await reader.post('/AcknowledgeAlarm', input)).status).toMatchObject({
      missing: { feature: 'power_meter_alarm', operation: 'Control' },
    })
    expect((await electrician.post('/AcknowledgeAlarm', input)).status.code).toBe(0)
  })

  it('reject clearing an alarm while its rule is active', async () => {
    await raise()
    await all.world.db.query(sql`
      insert into automations (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, created_at)
      values (${all.root.tenant}, 'rule-1', ${all.HomeID}, 4, 'New name', '', true, '{}', 0)`)
    expect(await one()).toMatchObject({ AutomationName: 'New name', SourceLost: false })
    const input = { HomeID: all.HomeID, AlarmID: (await one())?.AlarmID, Reason: 'x' }
    expect((await electrician.post('/ClearAlarm', input)).status).toMatchObject({
      fields: { AlarmID: 'stillTrue' },
    })
    await all.world.db.query(sql`update automations set enabled = false`)
    expect(await one()).toMatchObject({ SourceLost: true })
    await all.world.db.query(sql`delete from automations`)
    expect((await electrician.post('/ClearAlarm', input)).results).toMatchObject({
      AutomationName: 'Too much power',
      Cleared: { Reason: 'x' },
    })
  })
})

it('keeps alarms of the same condition on two meters apart', async () => {
  await raise({ readings: [reading(12), reading(30)] })
  await raise({ readings: [reading(13), reading(20)] })
  expect((await one())?.Readings).toMatchObject([
    { Value: 13, Peak: 13 },
    { Value: 20, Peak: 30 },
  ])
})

describe('escalation', () => {
  const escalate = [
    { After: 5, To: { Users: ['boss'], Departments: [] } },
    { After: 30, To: 'readers' as const },
  ]
  const told = () => watching.of('alarmEscalated').map(({ to }) => to.users ?? 'readers')

  it('notifies the next recipients while the alarm is not acknowledged', async () => {
    await raise({ escalate })
    await watching.look(5 * 60_000 - 1)
    expect(told()).toEqual([])
    await watching.look(1)
    await watching.look(60_000)
    expect(told()).toEqual([['boss']])
    await watching.look(25 * 60_000)
    expect(told()).toEqual([['boss'], 'readers'])
  })

  it('also notifies the channels that a step names', async () => {
    await raise({ escalate: [{ After: 5, To: 'readers', Channels: ['night'] }] })
    await watching.look(5 * 60_000)
    expect(watching.of('alarmEscalated')).toMatchObject([{ to: { channels: ['night'] } }])
    expect(watching.of('alarmRaised')[0]?.to.channels).toBeUndefined()
  })

  it('states the current severity, not that at the time it was raised', async () => {
    await raise({ escalate, severity: 'critical' })
    await clear()
    watching.advance(60_000)
    await raise({ escalate, severity: 'warning' })
    await watching.look(5 * 60_000)
    expect(watching.of('alarmEscalated')).toMatchObject([{ severity: 'warning' }])
  })

  it('ends when the alarm is acknowledged or cleared', async () => {
    await raise({ escalate })
    await electrician.post('/AcknowledgeAlarm', { HomeID: all.HomeID, AlarmID: (await one())?.AlarmID })
    await raise({ automationId: 'rule-2', escalate })
    await all.world.db.transaction((tx) =>
      watching.rules.clear(tx, { ...key(), automationId: 'rule-2', at: watching.clock.now() }),
    )
    await watching.look(3_600_000)
    expect(told()).toEqual([])
  })

  it('starts again when the acknowledgement is withdrawn', async () => {
    const now = all.world.clock.now()
    const delays = async () =>
      (
        await all.world.db.query<{ delay: number }>(
          sql`select due_at - ${now}::bigint as delay from alarm_escalations order by due_at`,
        )
      ).map(({ delay }) => delay)
    await raise({ escalate })
    const input = { HomeID: all.HomeID, AlarmID: (await one())?.AlarmID }
    await electrician.post('/AcknowledgeAlarm', input)
    expect(await delays()).toEqual([])
    const { results } = await electrician.post('/UnacknowledgeAlarm', input)
    expect(results).toMatchObject({
      Acknowledged: null,
      Cleared: null,
      Withdrawn: [{ Act: 'acknowledged', WithdrawnBy: expect.any(String) }],
    })
    expect(await delays()).toEqual([5 * 60_000, 30 * 60_000])
    expect((await electrician.post('/UnacknowledgeAlarm', input)).status).toMatchObject({ code: 3 })
  })

  it('waits while the alarm is shelved', async () => {
    await raise({ escalate })
    const Until = all.world.clock.now() + MAX_SHELVE_MS
    await electrician.post('/ShelveAlarm', {
      HomeID: all.HomeID,
      AlarmID: (await one())?.AlarmID,
      Until,
      Reason: 'x',
    })
    await watching.look(10 * 60_000)
    expect(told()).toEqual([])
    await watching.look(MAX_SHELVE_MS)
    await watching.look(1)
    expect(told()).toEqual([['boss'], 'readers'])
  })

  it('notifies once with several gateways', async () => {
    await raise({ escalate })
    watching.advance(5 * 60_000)
    await Promise.all([watching.another(), watching.another()].map((one) => one.run(() => false)))
    expect(told()).toEqual([['boss']])
  })
})
