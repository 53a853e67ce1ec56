import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AlarmReading } from '../../../../../contract/alarms/calls.ts'
import { endMaintenance } from '../../../../../gateway/features/alarms/maintenance.ts'
import { sql } from '../../../../../gateway/kernel/db.ts'
import { type AlarmsWorld, startAlarms } from '../alarms-world.ts'
import { startWatching, type Watching } from '../watching.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let all: AlarmsWorld
let watching: Watching
beforeAll(async () => {
  all = await startAlarms()
  watching = startWatching(all)
})
afterAll(() => all.world.close())
beforeEach(async () => {
  await all.world.db.query(sql`delete from automations`)
  await watching.reset()
})

const reading = (Value: number | null, more: Partial<AlarmReading> = {}): AlarmReading => ({
  ...{ Field: 'Power', Logical: '>', Limit: 10, Value, Peak: null, CrossesAt: null },
  ...more,
})
const key = () => ({ tenant: all.root.tenant, automationId: 'rule-1', kind: 'rule' as const })

/** Stores a rule of type 4 on devices. */
const save = (uids: string[], Logical: 'AND' | 'OR' = 'OR') =>
  all.world.db.query(sql`
    insert into automations (tenant, automation_id, home_id, automation_type, automation_name, description, enabled, rule, created_at)
    values (${all.root.tenant}, 'rule-1', ${all.HomeID}, 4, 'Too much', '', true, ${JSON.stringify({
      Conditions: { Logical, PeripheralUIDs: uids.map((PeripheralUID) => ({ PeripheralUID })) },
    })}::jsonb, 0)`)
const raise = (readings: readonly AlarmReading[], more: object = {}) =>
  all.world.db.transaction((tx) =>
    watching.rules.raise(tx, {
      ...key(),
      homeId: all.HomeID,
      automationName: 'Too much',
      severity: 'warning',
      peripheralUid: null,
      readings,
      at: watching.clock.now(),
      late: false,
      notify: undefined,
      escalate: [],
      ...more,
    }),
  )
const clear = () =>
  all.world.db.transaction((tx) => watching.rules.clear(tx, { ...key(), at: watching.clock.now() }))
const open = async () => (await all.list({ State: 'open' })).map(({ Source }) => Source)
const told = () => watching.notices.map(({ kind, unsent = false }) => (unsent ? `(${kind})` : kind))
const endIt = () =>
  endMaintenance({ ...all.world, clock: watching.clock, events: watching.events }, watching).run(() => false)

describe('in maintenance', () => {
  it('raises the alarm of a rule when it ends, if the conditions still hold', async () => {
    await save(['meter'])
    await watching.maintain('device', 'meter')
    await raise([reading(12)])
    await watching.look(30 * MINUTE)
    expect([await open(), told()]).toEqual([[], []])
    await watching.look(30 * MINUTE + 1)
    expect([await open(), told()]).toEqual([['rule:rule-1'], ['alarmRaised']])
    await watching.look(MINUTE)
    expect(told()).toHaveLength(1)
  })

  it('discards the alarm if the conditions no longer hold or the rule is no longer active', async () => {
    await save(['meter'])
    await watching.maintain('device', 'meter')
    await raise([reading(12)])
    await clear()
    await watching.look(2 * HOUR)
    expect(await open()).toEqual([])
    await all.world.db.query(sql`delete from maintenances`)
    await watching.maintain('device', 'meter')
    await raise([reading(12)])
    await all.world.db.query(sql`update automations set enabled = false`)
    await watching.look(2 * HOUR)
    expect([await open(), told()]).toEqual([[], []])
    expect(await all.world.db.query(sql`select from suppressed_alarms`)).toEqual([])
  })

  it('mutes one device of an AND rule, and of an OR rule if no other device makes it true', async () => {
    await save(['meter', 'door'], 'AND')
    await watching.maintain('device', 'meter')
    await raise([reading(12), reading(12)])
    await watching.look()
    expect(await open()).toEqual([])
    await all.world.db.query(sql`delete from automations`)
    await save(['meter', 'door'], 'OR')
    await raise([reading(12), reading(5)])
    await watching.look()
    expect(await open()).toEqual([])
    await all.world.db.transaction((tx) =>
      watching.rules.change(tx, { ...key(), readings: [reading(12), reading(30)], at: watching.clock.now() }),
    )
    await watching.look()
    expect([await open(), told()]).toEqual([['rule:rule-1'], ['alarmRaised']])
  })

  it('delays escalations until it ends', async () => {
    const escalate = [{ After: 5, To: 'readers' as const }]
    await save(['meter'])
    await raise([reading(12)], { escalate, peripheralUid: 'meter' })
    await watching.maintain('device', 'meter')
    await watching.look(10 * MINUTE)
    await watching.look(30 * MINUTE)
    expect(told()).toEqual(['alarmRaised'])
    await watching.look(20 * MINUTE)
    await watching.look(MINUTE)
    expect(told()).toEqual(['alarmRaised', 'alarmEscalated'])
  })

  it('does not wait to handle late reports', async () => {
    await save(['meter'])
    await raise([reading(12)], { escalate: [{ After: 5, To: 'readers' as const }], late: true })
    await watching.look(10 * MINUTE)
    expect(told()).toEqual(['(alarmRaised)'])
  })

  it('notifies when it ends of a state reported over an hour ago that still holds', async () => {
    await watching.maintain('device', 'shock')
    await watching.say('shock', { ShockState: 2 })
    watching.advance(2 * HOUR)
    await endIt()
    expect([await open(), told()]).toEqual([['state:shock'], ['alarmRaised', 'maintenanceEnded']])
  })
})

describe('an offline hub', () => {
  it('explains the silence of its devices, and rule alarms caused by unknown values', async () => {
    const silent = reading(900, { Field: 'SilentFor', Limit: 600 })
    await save(['meter'])
    await watching.hub(false)
    for (const readings of [[silent], [reading(null)]]) {
      await raise(readings)
      await watching.look()
      expect(told()).toEqual([])
    }
    await watching.look(MINUTE)
    expect(told(), 'the hub itself').toEqual(['alarmRaised'])
    expect(await open()).toEqual([`hubLost:${all.ThingName}`])
    await watching.hub(true)
    await watching.look(30_000)
    expect(await open(), 'it has just come back').toEqual([])
    await watching.look(31_000)
    expect(await open()).toEqual(['rule:rule-1'])
  })

  it('does not explain measured values', async () => {
    await save(['meter'])
    await watching.hub(false)
    await raise([reading(12)])
    expect(told()).toEqual(['alarmRaised'])
  })
})

describe('silence', () => {
  it('is reported however long after the last report it begins', async () => {
    await all.world.db.query(sql`update peripherals set silent_after = 180 where peripheral_uid = 'door'`)
    await watching.say('door', { DoorState: 0 })
    await watching.look(3 * HOUR)
    await all.world.db.query(sql`update peripherals set silent_after = null where peripheral_uid = 'door'`)
    expect(told()).toEqual(['alarmRaised'])
  })

  it('of a device with a configured limit is reported, however many others are silent without one', async () => {
    const { db } = all.world
    // Air sensors without a configured silence limit.
    await db.query(sql`
      insert into peripherals select (jsonb_populate_record(p,
        jsonb_build_object('peripheral_uid', 'quiet-' || n, 'peripheral_name', 'quiet ' || n, 'peripheral_type', '753'))).*
      from peripherals p, generate_series(1, 600) n where p.tenant = ${all.root.tenant} and p.peripheral_uid = 'door'`)
    await db.query(sql`
      insert into device_status (tenant, peripheral_uid, home_id, peripheral_type, timestamp, values, updated_at)
      select tenant, peripheral_uid, home_id, peripheral_type, 0, '{}', 0 from peripherals where peripheral_uid like 'quiet-%'`)
    await watching.say('meter', { Power: 1 })
    await watching.look(HOUR)
    await db.query(sql`delete from peripherals where peripheral_uid like 'quiet-%'`)
    expect(told()).toEqual(['alarmRaised'])
  })
})

describe('a voltage loss at a main meter', () => {
  const limits = { CurrentLower: 0, CurrentUpper: 100, VoltageLower: 100, VoltageUpper: 120 }
  beforeAll(async () => {
    await all.world.db.query(sql`
      insert into peripherals select (jsonb_populate_record(p, jsonb_build_object('peripheral_uid', 'sub',
        'peripheral_name', 'sub', 'parent_meter', 'meter'))).* from peripherals p where p.peripheral_uid = 'meter'`)
    await all.world.db.query(sql`update peripherals set warning_threshold = ${JSON.stringify(limits)}::jsonb
      where peripheral_uid in ('meter', 'sub')`)
  })
  afterAll(() => all.world.db.query(sql`delete from peripherals where peripheral_uid = 'sub'`))

  const volts = async (values: Record<string, number>, more: object = {}) => {
    for (const [uid, Voltage] of Object.entries(values)) await watching.say(uid, { Voltage, ...more })
  }
  const sources = () =>
    watching.notices.map(({ values: { subject }, unsent }) => (unsent ? `(${subject})` : subject))

  it('is reported once, and the meters below are only listed', async () => {
    await volts({ meter: 0, sub: 0 })
    await watching.look()
    await watching.look(MINUTE)
    expect((await open()).toSorted()).toEqual(['breach:meter', 'breach:sub'])
    expect(sources().toSorted()).toEqual(['(sub)', 'meter'])
    await volts({ meter: 110, sub: 110 })
    await watching.look()
    await watching.look(MINUTE)
    expect(await open()).toEqual([])
    expect(sources().toSorted()).toEqual(['(sub)', '(sub)', 'meter', 'meter'])
  })

  it('also explains losses that a meter below reports first', async () => {
    await volts({ sub: 0 })
    await watching.look()
    await watching.look(30_000)
    await volts({ meter: 0 })
    await watching.look()
    await watching.look(30_000)
    await watching.look(30_000)
    expect(sources().toSorted()).toEqual(['(sub)', 'meter'])
  })

  it('is followed by the alarm of a meter below that persists after the main meter recovers', async () => {
    await volts({ meter: 0, sub: 0 })
    await watching.look()
    await watching.look(MINUTE)
    await volts({ meter: 110 })
    await watching.look()
    await watching.look(MINUTE)
    expect(sources().filter((one) => one === 'sub')).toEqual([])
    await volts({ meter: 110, sub: 0 })
    await watching.look(2 * MINUTE)
    expect(sources().filter((one) => one === 'sub')).toEqual(['sub'])
  })

  it('does not explain a current that is too high', async () => {
    await volts({ meter: 0 })
    await volts({ sub: 0 }, { AvgElectricCurrent: 130 })
    await watching.look()
    await watching.look(MINUTE)
    expect(sources().toSorted()).toEqual(['meter', 'sub'])
  })
})
