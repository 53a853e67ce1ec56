import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { MAX_ATTENTION_ITEMS, type attention } from '../../../../contract/attention/calls.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'
import { readDemands } from '../../../../gateway/features/alarms/attention/list-attention.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { addDiscovered } from '../../../support/discoveries.ts'
import { type Caller, rights } from '../../../support/world.ts'
import { type AlarmsWorld, startAlarms } from './alarms-world.ts'

let all: AlarmsWorld
beforeAll(async () => {
  all = await startAlarms()
})
afterAll(() => all.world.close())
beforeEach(async () => {
  await all.world.db.query(sql`delete from alarms`)
  await all.world.db.query(sql`delete from device_status`)
  await all.world.db.query(sql`update peripherals set created_at = ${all.world.clock.now()}::bigint`)
  await all.online(true)
})

type Answer = ResultsOf<typeof attention.listAttention>
const ask = async (input: object = {}, caller: Caller = all.root): Promise<Answer> =>
  (await caller.post('/ListAttention', input)).results
const keys = ({ Items }: Answer) => Items.map(({ Key }) => Key)
const WELL = {
  smoke: { SmokeState: 1 },
  smoke2: { SmokeState: 1 },
  shock: { ShockState: 1 },
  door: { DoorState: 1 },
  meter: { Power: 5, AccumulatePower: 7, AvgElectricCurrent: 1 },
}
const allWell = async () => {
  const now = all.world.clock.now()
  for (const [uid, values] of Object.entries(WELL)) await all.report(uid, now, values)
}

describe('the attention list', () => {
  it('is empty once everything has reported that it is OK', async () => {
    expect(await ask()).toMatchObject({
      Verdict: 'unknown',
      Known: 1,
      Watched: 6,
      UnknownIn: { [all.HomeID]: 5 },
    })
    await allWell()
    expect(await ask()).toEqual({
      Verdict: 'clear',
      Items: [],
      Counts: { critical: 0, warning: 0, info: 0 },
      Known: 6,
      Watched: 6,
      UnknownIn: {},
      Maintained: 0,
      AsOf: all.world.clock.now(),
      Without: [],
    })
  })

  it('contains a fire reported before the hub went offline, with both times', async () => {
    await allWell()
    const now = all.world.clock.now()
    await all.report('smoke', now + 1, { SmokeState: 3 })
    await all.world.db.query(
      sql`update things set online = false, seen_at = ${now - 120_000}::bigint where thing_name = ${all.ThingName}`,
    )
    const found = await ask()
    expect(keys(found)).toEqual(['state/smoke', `hubLost/${all.ThingName}`])
    expect(found).toMatchObject({
      Verdict: 'attention',
      Counts: { critical: 2, warning: 0, info: 0 },
      Known: 0,
      Items: [
        {
          Name: 'smoke',
          Since: now + 1,
          Stale: { Why: 'hubLost', Since: now - 120_000 },
          Values: { SmokeState: 3 },
        },
        { Name: 'hub', Severity: 'critical' },
      ],
    })
  })

  it('contains what is out of limits, low or silent, by the values of any device kind', async () => {
    await allWell()
    const { db, clock } = all.world
    await db.query(
      sql`update peripherals set value_limits = '{"Power": {"Lower": null, "Upper": 4}}' where peripheral_uid = 'meter'`,
    )
    await all.report('door', clock.now() + 1, { DoorState: 1, Battery: 9 })
    expect(keys(await ask()).toSorted()).toEqual(['breach/meter', 'lowBattery/door'])
    await db.query(sql`update peripherals set value_limits = null where peripheral_uid = 'meter'`)
    await db.query(
      sql`update device_status set timestamp = timestamp - 86400000 * 2::bigint where peripheral_uid in ('meter', 'shock')`,
    )
    expect(keys(await ask()).toSorted()).toEqual(['lowBattery/door', 'meterSilent/meter', 'silent/shock'])
  })

  it('contains one silent device among many similar ones, and the others stay known', async () => {
    await allWell()
    const { db } = all.world
    await addDiscovered(all.world, all.root, {
      ...{ HomeID: all.HomeID, ThingName: all.ThingName, type: '755', uids: ['door2', 'door3'] },
    })
    for (const uid of ['door2', 'door3']) await all.report(uid, all.world.clock.now(), { DoorState: 1 })
    expect(await ask()).toMatchObject({ Verdict: 'clear', Known: 8, Watched: 8 })
    await db.query(
      sql`update device_status set timestamp = timestamp - 86400000 * 2::bigint where peripheral_uid = 'door3'`,
    )
    expect(await ask()).toMatchObject({
      Known: 7,
      Watched: 8,
      Items: [{ Key: 'silent/door3', Name: 'door3', Severity: 'warning' }],
    })
    await db.query(sql`delete from peripherals where peripheral_uid in ('door2', 'door3')`)
  })

  it('contains the alarm of a device similar to others, which is not treated as removed', async () => {
    await allWell()
    await all.world.db
      .query(sql`insert into alarms (alarm_id, tenant, home_id, kind, source, peripheral_uid, peripheral_type, severity,
        values, raised_at, reported_at)
      values (gen_random_uuid(), ${all.root.tenant}::uuid, ${all.HomeID}, 'silent', 'silent:door', 'door', '755', 'warning', '{}', 1, 1)`)
    expect((await ask()).Items).toMatchObject([{ Key: 'silent/door', Name: 'door', Stale: null }])
  })

  it('contains, as information, a device without a report ten minutes after it was added', async () => {
    const before = all.world.clock.now() - 600_000
    await all.world.db.query(
      sql`update peripherals set created_at = ${before}::bigint where peripheral_uid = 'door'`,
    )
    expect(await ask()).toMatchObject({
      Verdict: 'unknown',
      Counts: { info: 1 },
      Items: [{ Key: 'neverSeen/door', IsHub: false, Since: before }],
    })
  })

  it('lists at most 500 items and counts all of them', async () => {
    await all.world.db
      .query(sql`insert into alarms (alarm_id, tenant, home_id, kind, source, automation_id, automation_name, severity,
        values, raised_at, reported_at)
      select gen_random_uuid(), ${all.root.tenant}::uuid, ${all.HomeID}, 'rule', 'rule:' || n, 'r' || n, 'Too hot', 'warning', '{}', n, n
      from generate_series(1, 600) n`)
    const { Items, Counts } = await ask()
    expect([Items.length, Counts.warning]).toEqual([MAX_ATTENTION_ITEMS, 600])
    expect(Items[0]).toMatchObject({ Kind: 'rule', Name: 'Too hot', Since: 600 })
  })
})

describe('quarantined readings', () => {
  it('are one item per meter, as information that does not change the verdict', async () => {
    await allWell()
    const { db } = all.world
    const [meter] = await db.query<{ id: number }>(sql`insert into meters (tenant, home_id, peripheral_uid)
      values (${all.root.tenant}::uuid, ${all.HomeID}, 'meter') returning meter_id as id`)
    await db.query(sql`insert into quarantined_readings (meter_id, timestamp, value, reason)
      select ${meter?.id ?? 0}::int, n * 60000, n, 'jump' from generate_series(1, 3) n`)
    expect(await ask()).toMatchObject({
      Verdict: 'clear',
      Items: [
        {
          Key: 'quarantined/meter',
          Kind: 'quarantined',
          Severity: 'info',
          Count: 3,
          Since: 60_000,
          Name: 'meter',
        },
      ],
    })
    await db.query(sql`update quarantined_readings set decision = 'dropped'`)
    expect((await ask()).Items).toEqual([])
  })
})

describe('the caller', () => {
  const only = (...features: Parameters<typeof rights>[0][]) =>
    all.world.createUser(
      all.root,
      features.map((feature) => rights(feature, 'Read')),
    )

  it('sees the items that their rights cover, and how many are left out', async () => {
    await allWell()
    const now = all.world.clock.now()
    await all.report('smoke', now + 1, { SmokeState: 3 })
    await all.world.db
      .query(sql`insert into alarms (alarm_id, tenant, home_id, kind, source, automation_id, automation_name, severity,
        values, raised_at, reported_at)
      values (gen_random_uuid(), ${all.root.tenant}::uuid, ${all.HomeID}, 'rule', 'rule:r1', 'r1', 'Too hot', 'warning', '{}', 1, 1)`)
    const [devices, rules, nothing] = await Promise.all([
      only('device'),
      only('power_meter_alarm'),
      only('dashboard'),
    ])
    expect(keys(await ask())).toEqual(['state/smoke', 'rule/r1'])
    const ofDevices = await ask({}, devices)
    expect([keys(ofDevices), ofDevices.Without]).toEqual([
      ['state/smoke'],
      ['power_meter_alarm', 'electricity'],
    ])
    const ofRules = await ask({}, rules)
    expect([keys(ofRules), ofRules.Without, ofRules.Watched]).toEqual([
      ['rule/r1'],
      ['device', 'electricity'],
      0,
    ])
    expect(await ask({}, nothing)).toMatchObject({ Verdict: 'unknown', Items: [], Known: 0, Watched: 0 })
  })

  it('never sees items of another company or of homes they have no access to', async () => {
    await all.report('smoke', all.world.clock.now(), { SmokeState: 3 })
    const stranger = await all.world.signUp()
    expect(await ask({}, stranger)).toMatchObject({ Verdict: 'clear', Items: [], Watched: 0 })
    expect((await stranger.post('/ListAttention', { HomeID: all.HomeID })).status.code).toBe(2)
  })

  it('can ask for one home', async () => {
    await all.report('smoke', all.world.clock.now(), { SmokeState: 3 })
    const { HomeID } = (await all.root.post('/CreateHome', { HomeName: 'B', TimeZone: 'Asia/Taipei' }))
      .results
    expect(keys(await ask({ HomeID }))).toEqual([])
    expect(keys(await ask({ HomeID: all.HomeID }))).toEqual(['state/smoke'])
  })
})

describe('the demand of a home', () => {
  const BEGIN = Math.floor(1_790_000_000_000 / QUARTER_MS) * QUARTER_MS
  const THIRD = BEGIN + 3 * 60_000
  const demands = (now: number, { seesRules = true, asOf = now - 1_000 } = {}) =>
    readDemands(
      all.world.db,
      {
        homesWithContract: async () => [{ HomeID: all.HomeID, zone: 'Asia/Taipei' }],
        readCapacity: async () => 100,
        readDemand: async () => ({ forecast: 97, asOf, slowest: 60 }),
      },
      { tenant: all.root.tenant, homes: null, canSeeRules: () => seesRules },
      now,
    )

  it('is queried from the third minute of the quarter-hour on', async () => {
    expect(await demands(THIRD - 1)).toEqual([])
    expect(await demands(THIRD)).toEqual([{ HomeID: all.HomeID, Forecast: 97, Limit: 100, IsRuled: false }])
  })

  it('is unknown while a main meter has missed three reports', async () => {
    expect(await demands(THIRD, { asOf: THIRD - 179_999 })).toMatchObject([{ Forecast: 97 }])
    expect(await demands(THIRD, { asOf: THIRD - 180_000 })).toMatchObject([{ Forecast: null }])
  })

  it('is left to a rule that monitors it, for users who can read alarms of rules', async () => {
    const { results, status } = await all.root.post('/CreateAutomation', {
      HomeID: all.HomeID,
      AutomationName: '需量',
      AutomationType: 4,
      Conditions: {
        PeripheralUIDs: [{ PeripheralUID: 'home', Field: 'DemandForecast', Logical: '>', Status: 90 }],
      },
      Actions: [],
      Alarm: { Severity: 'warning' },
    })
    expect(status.code).toBe(0)
    expect(await demands(THIRD)).toEqual([{ HomeID: all.HomeID, Forecast: null, Limit: null, IsRuled: true }])
    expect(await demands(THIRD, { seesRules: false })).toMatchObject([{ Forecast: 97, IsRuled: false }])
    await all.root.post('/SetAutomationEnabled', {
      ...{ AutomationType: 4, AutomationID: results.AutomationID, Enabled: false },
    })
    expect(await demands(THIRD)).toMatchObject([{ Forecast: 97, IsRuled: false }])
  })
})
