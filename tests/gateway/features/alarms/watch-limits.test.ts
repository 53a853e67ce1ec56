import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from '../../../../gateway/kernel/db.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'
import { startWatching, type Watching } from './watching.ts'

let all: AlarmsWorld
let watching: Watching
beforeAll(async () => {
  all = await startAlarms()
  watching = startWatching(all)
  await limit({ CurrentLower: 0, CurrentUpper: 100, VoltageLower: 100, VoltageUpper: 120 })
})
afterAll(() => all.world.close())
beforeEach(() => watching.reset())

const limit = (WarningThreshold: object | null) =>
  all.world.db
    .query(sql`update peripherals set warning_threshold = ${WarningThreshold && JSON.stringify(WarningThreshold)}::jsonb
    where peripheral_uid = 'meter'`)
const current = (AvgElectricCurrent: number) => watching.say('meter', { AvgElectricCurrent })
const one = async () => (await all.list({ Kind: 'breach' }))[0]
const raise = async () => {
  await current(130)
  await watching.look()
  await watching.look(60_000)
}

it('raises a critical alarm with the value after a reading was out of limits for a minute', async () => {
  await current(130)
  await watching.look()
  await watching.look(59_000)
  expect(await one()).toBeUndefined()
  await watching.look(1_000)
  expect(await one()).toMatchObject({
    Kind: 'breach',
    Source: 'breach:meter',
    Severity: 'critical',
    PeripheralUID: 'meter',
    SubjectName: 'meter',
    Readings: [
      {
        ...{ Field: 'AvgElectricCurrent', Logical: '>', Limit: 100, Value: 130, Peak: 130, CrossesAt: null },
        ...{ Raised: 130, At: watching.clock.now() - 60_000 },
      },
    ],
    Cleared: null,
  })
  expect(watching.notices).toMatchObject([
    {
      kind: 'alarmRaised',
      severity: 'critical',
      category: 'alarm',
      values: {
        kind: 'breach',
        subject: 'meter',
        home: 'A',
        field: 'AvgElectricCurrent',
        value: 130,
        limit: 100,
        unit: 'A',
      },
      to: { access: { feature: 'device', operation: 'Read' } },
    },
  ])
  expect(watching.notices[0]?.unsent).toBeUndefined()
})

it('is not raised if the reading returns within the minute', async () => {
  await current(130)
  await watching.look()
  await current(90)
  await watching.look(30_000)
  await watching.look(60_000)
  expect(await one()).toBeUndefined()
})

it('counts from the report, even if that was long before the check', async () => {
  await watching.say('meter', { AvgElectricCurrent: 130 }, watching.clock.now() - 300_000)
  await watching.look()
  expect(await one()).toMatchObject({ Cleared: null })
})

it('stays open until the reading was back by 2 % of the limit for a minute', async () => {
  await raise()
  await current(99)
  await watching.look(5_000)
  await watching.look(120_000)
  expect((await one())?.Cleared).toBeNull()
  await current(97.9)
  await watching.look(5_000)
  await watching.look(54_000)
  expect((await one())?.Cleared).toBeNull()
  await watching.look(1_000)
  expect((await one())?.Cleared).toMatchObject({ By: null })
  expect(watching.of('alarmCleared')).toMatchObject([{ severity: 'info', values: { kind: 'breach' } }])
})

it('is not kept open by another reading that only approaches its limit', async () => {
  await raise()
  await watching.say('meter', { AvgElectricCurrent: 50, Voltage: 119.5 })
  await watching.look(5_000)
  await watching.look(60_000)
  expect((await one())?.Cleared).not.toBeNull()
})

it('names another reading that exceeds its limits, and keeps the worst value', async () => {
  await raise()
  await current(180)
  await watching.look(5_000)
  await watching.say('meter', { AvgElectricCurrent: 140, Voltage: 90 })
  await watching.look(5_000)
  expect((await one())?.Readings.toSorted((a, b) => a.Field.localeCompare(b.Field))).toMatchObject([
    { Field: 'AvgElectricCurrent', Value: 140, Peak: 180 },
    { Field: 'Voltage', Logical: '<', Limit: 100, Value: 90 },
  ])
  expect(watching.of('alarmChanged')).toEqual([])
})

it('is not raised in maintenance or while the hub is offline, until that ends', async () => {
  await watching.maintain('device', 'meter')
  await raise()
  expect(await one()).toBeUndefined()
  await all.world.db.query(sql`delete from maintenances`)
  await watching.hub(false)
  await watching.look(60_000)
  await watching.look(60_000)
  expect(await one()).toBeUndefined()
  await watching.hub(true)
  await watching.look(60_000)
  await watching.look(60_000)
  expect(await one()).toBeDefined()
})

it('clears when the limits are removed', async () => {
  await raise()
  await limit(null)
  await watching.look(60_000)
  await watching.look(60_000)
  expect((await one())?.Cleared).not.toBeNull()
  await limit({ CurrentLower: 0, CurrentUpper: 100, VoltageLower: 100, VoltageUpper: 120 })
})

it('is raised and notified once by several gateways that check concurrently', async () => {
  const others = [watching.another(), watching.another()]
  await current(130)
  await Promise.all(others.map((other) => other.run(() => false)))
  watching.advance(60_000)
  await Promise.all(others.map((other) => other.run(() => false)))
  expect(await all.list({ Kind: 'breach' })).toHaveLength(1)
  expect(watching.of('alarmRaised')).toHaveLength(1)
})

it('continues holds in another gateway after the one that stored them is gone', async () => {
  await current(130)
  await watching.another().run(() => false)
  watching.advance(60_000)
  await watching.another().run(() => false)
  expect(await one()).toMatchObject({ Cleared: null })
})

it('returns the value when raised, the worst value, and the latest one with its time', async () => {
  await raise()
  await current(150)
  await watching.look(60_000)
  await current(110)
  await watching.look(60_000)
  const reported = watching.clock.now() - 60_000
  expect((await one())?.Readings).toMatchObject([{ Raised: 130, Peak: 150, Value: 110, At: reported }])
})
