import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AlarmPart } from '../../../../../contract/automation/alarm-part.ts'
import { Conditions } from '../../../../../contract/automation/condition.ts'
import type { EnginePorts } from '../../../../../gateway/features/automation/engine/ports.ts'
import {
  candidatesOfReports,
  loadRules,
} from '../../../../../gateway/features/automation/engine/rule-index.ts'
import {
  computeMeasures,
  readHourlyConsumption,
  decideRule,
} from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { openDb } from '../../../../../gateway/store/db.ts'
import { type HeldClock, holdClock } from '../../../../support/clock.ts'
import { createKillPoints, points } from '../../../../support/kill-points.ts'
import { silentLog, testSocketDir } from '../../../../support/postgres.ts'
import {
  addAutomation,
  addDevices,
  createBuilding,
  createRecordingAlarms,
  createTestEngine,
  HOME,
  HUB,
  replanNow,
  report,
  storedAlarms,
  storedRuns,
  TENANT,
} from './support.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Monday, 9:00 in Taipei. */
const START = Date.UTC(2026, 0, 5, 1)

let database: Awaited<ReturnType<typeof createBuilding>>
let db: Db
let clock: HeldClock
let alarms: EnginePorts['alarms']
let gateway: ReturnType<typeof createTestEngine>
let id: string

beforeEach(async () => {
  database = await createBuilding(['lamp'])
  db = database.db
  clock = holdClock(START)
  // Air sensor that measures temperature.
  await addDevices(db, ['air', 'air2'], '753')
  alarms = await createRecordingAlarms(db)
  gateway = createTestEngine(db, clock, { alarms })
})
afterEach(() => database.dropDatabase())

const WARM = { PeripheralUID: 'air', Field: 'Temperature', Logical: '>', Status: 50 } as const
const conditionsOf = (list: readonly object[] = [WARM], more: object = {}) =>
  Conditions.parse({ PeripheralUIDs: list, ...more })
const part = (more: object = {}) => AlarmPart.parse({ Severity: 'critical', ...more })

/** Saves a rule of type 4 and evaluates it; it has no actions unless given. */
async function save(given: Partial<Parameters<typeof addAutomation>[1]> = {}): Promise<void> {
  id = await addAutomation(db, {
    AutomationType: 4,
    Conditions: conditionsOf(),
    Alarm: part({ ClearAfter: 0 }),
    Actions: [],
    ...given,
  })
  await replanNow(db, clock, id, alarms)
  await ask()
}

async function ask({ engine } = gateway): Promise<void> {
  const key = { tenant: TENANT, automationId: id }
  await loadRules(engine.ruleIndex, db, [key])
  await decideRule(engine, key, await computeMeasures(engine, key), await readHourlyConsumption(engine, key))
}

async function warm(Temperature: number, after = 10 * SECOND): Promise<void> {
  clock.advance(after)
  await report(db, 'air', { Temperature }, clock.now())
  await ask()
}

async function wait(ms: number): Promise<void> {
  clock.advance(ms)
  await ask()
}

const told = async () =>
  (await storedAlarms(db)).map(({ what, kind }) => (kind === 'rule' ? what : `${what} ${kind}`))

/** Alarm changes without those that only update a measured value. */
const lives = async () => (await told()).filter((what) => !what.startsWith('change'))

/** Stores the presence of the devices' hub. */
async function hearHub(online: boolean): Promise<void> {
  await db.query(sql`update things set online = ${online} where thing_name = ${HUB}`)
  await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value, late)
    select tenant, peripheral_uid, ${clock.now()}::bigint, 'Online', ${online ? 0 : 1}, ${online ? 1 : 0}, false
    from peripherals where tenant = ${TENANT}`)
  await ask()
}

describe('an alarm of a rule', () => {
  it('is raised with the measured value when its conditions become true, and cleared when false', async () => {
    await report(db, 'air', { Temperature: 20 }, clock.now())
    await save({ Notify: { To: 'readers', Text: 'hot' } })
    await warm(51)
    await warm(20)
    expect(await storedAlarms(db)).toMatchObject([
      {
        automationId: id,
        what: 'raise',
        kind: 'rule',
        said: {
          homeId: HOME,
          automationName: id,
          severity: 'critical',
          peripheralUid: 'air',
          at: START + 10 * SECOND,
          late: false,
          notify: { To: 'readers', Text: 'hot' },
          escalate: [],
          readings: [{ Field: 'Temperature', Logical: '>', Limit: 50, Value: 51, Peak: 51, CrossesAt: null }],
        },
      },
      { what: 'clear', said: { at: START + 20 * SECOND } },
    ])
    expect(await storedRuns(db)).toEqual([])
  })

  it('is also raised if the conditions are true when it is saved', async () => {
    await report(db, 'air', { Temperature: 60 }, clock.now())
    await save()
    expect(await told()).toEqual(['raise'])
  })

  it('is raised once they have held for their time, and not before', async () => {
    await save({ Conditions: conditionsOf([WARM], { For: 60 }) })
    await warm(60)
    await wait(59 * SECOND)
    expect(await told()).toEqual([])
    await wait(2 * SECOND)
    expect(await told()).toEqual(['raise'])
  })

  it('stays on while a value fluctuates at its limit, and clears 2 % below unless configured', async () => {
    await save()
    for (const value of [51, 49.5, 50.5, 49.1, 51]) await warm(value)
    expect(await told()).toEqual(['raise'])
    await warm(48.9)
    expect(await told()).toEqual(['raise', 'clear'])
    await save({ Conditions: conditionsOf([{ ...WARM, Clear: 30 }]) })
    for (const value of [51, 31]) await warm(value)
    expect(await told()).toEqual(['raise', 'clear', 'raise'])
  })

  it('is cleared only after the conditions were false for the configured time without a gap', async () => {
    await save({ Alarm: part({ ClearAfter: 60 }) })
    await warm(60)
    await warm(20)
    await wait(50 * SECOND)
    await warm(60)
    await warm(20)
    await wait(59 * SECOND)
    expect(await lives()).toEqual(['raise'])
    await wait(2 * SECOND)
    expect(await lives()).toEqual(['raise', 'clear'])
  })

  it('stays open while values are unknown, and restarts the time when they are known again', async () => {
    await save({ Alarm: part({ ClearAfter: 60 }) })
    await warm(60)
    await hearHub(false)
    await wait(HOUR)
    expect(await lives()).toEqual(['raise'])
    await report(db, 'air', { Temperature: 20 }, clock.now())
    await hearHub(true)
    await wait(50 * SECOND)
    expect(await lives()).toEqual(['raise'])
    await wait(11 * SECOND)
    expect(await lives()).toEqual(['raise', 'clear'])
  })

  it('is raised again once conditions are known to hold, if a user cleared it meanwhile', async () => {
    await save({ Actions: [{ PeripheralUID: 'lamp', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' }] })
    await warm(60)
    await hearHub(false)
    await hearHub(true)
    expect(await told()).toEqual(['raise', 'raise'])
    expect(await storedRuns(db)).toHaveLength(1)
  })

  it('is not raised by the silence of a device whose hub is offline', async () => {
    const silent = { PeripheralUID: 'air', Field: 'SilentFor', Logical: '>', Status: 600 }
    await save({ Conditions: conditionsOf([silent]) })
    await warm(20)
    await hearHub(false)
    await wait(HOUR)
    expect(await told()).toEqual([])
    await report(db, 'air', { Temperature: 20 }, clock.now())
    await hearHub(true)
    // The reconnect of its hub has already been published.
    expect(await told()).toEqual([])
    await wait(11 * MINUTE)
    expect((await told()).at(-1)).toBe('raise')
  })

  it('is raised after values were unknown for a minute, if configured', async () => {
    await save({ Alarm: part({ ClearAfter: 0, NoData: 'alarm' }) })
    await warm(20)
    await hearHub(false)
    await wait(59 * SECOND)
    expect(await told()).toEqual([])
    await wait(2 * SECOND)
    expect(await storedAlarms(db)).toMatchObject([{ what: 'raise', said: { readings: [{ Value: null }] } }])
    await report(db, 'air', { Temperature: 20 }, clock.now())
    await hearHub(true)
    expect(await told()).toEqual(['raise', 'clear'])
  })

  it('is not delayed by the minimum interval between runs', async () => {
    await save({ Conditions: conditionsOf([WARM], { RetriggerInterval: 300 }) })
    for (const value of [60, 20, 60, 20]) await warm(value, SECOND)
    expect(await told()).toEqual(['raise', 'clear', 'raise', 'clear'])
  })

  it('updates the measured value once a minute, and immediately if it is worse by 1 %', async () => {
    await save()
    await warm(60)
    await warm(60.5)
    expect(await told()).toEqual(['raise'])
    await warm(60.7)
    await warm(55)
    expect(await storedAlarms(db)).toMatchObject([
      { what: 'raise' },
      { what: 'change', said: { readings: [{ Value: 60.7, Peak: 60.7 }] } },
    ])
    await warm(54, MINUTE)
    expect((await storedAlarms(db)).at(-1)).toMatchObject({
      what: 'change',
      said: { readings: [{ Value: 54, Peak: 60.7 }] },
    })
  })

  it('is evaluated for a report only if an update is due', async () => {
    await save()
    await warm(60)
    const isLookedAt = (Temperature: number, after: number) =>
      candidatesOfReports(
        gateway.engine.ruleIndex,
        [{ device: { key: `${TENANT}/air`, peripheralUID: 'air' }, values: { Temperature } }],
        clock.now() + after,
      ).size > 0
    expect(isLookedAt(60.5, SECOND)).toBe(false)
    expect(isLookedAt(60, 2 * MINUTE)).toBe(false)
    expect(isLookedAt(60.7, SECOND)).toBe(true)
    expect(isLookedAt(59, MINUTE)).toBe(true)
  })

  it('is raised by a late report with its time, and only stored if that is over an hour ago', async () => {
    await save()
    await report(db, 'air', { Temperature: 60 }, clock.now())
    clock.advance(10 * MINUTE)
    await ask()
    await warm(20)
    await report(db, 'air', { Temperature: 60 }, clock.now())
    clock.advance(61 * MINUTE)
    await ask()
    const [first, , second] = await storedAlarms(db)
    expect(first).toMatchObject({ what: 'raise', said: { at: START, late: false } })
    expect(second).toMatchObject({
      what: 'raise',
      said: { at: START + 10 * MINUTE + 10 * SECOND, late: true },
    })
  })

  it('ends when its rule is changed, disabled or deleted, and restarts with the changed rule', async () => {
    await save()
    await warm(60)
    await db.query(sql`update automations set version = version + 1 where automation_id = ${id}`)
    await replanNow(db, clock, id, alarms)
    await ask()
    expect(await told()).toEqual(['raise', 'clear', 'raise'])
    await db.query(sql`delete from automations where automation_id = ${id}`)
    await replanNow(db, clock, id, alarms)
    expect(await told()).toEqual(['raise', 'clear', 'raise', 'clear'])
  })

  it('belongs to no single device if its conditions involve several', async () => {
    await save({ Conditions: conditionsOf([WARM, { ...WARM, PeripheralUID: 'air2' }], { Logical: 'OR' }) })
    await warm(60)
    expect(await storedAlarms(db)).toMatchObject([
      { said: { peripheralUid: null, readings: [{ Value: 60 }, { Value: null }] } },
    ])
  })
})

describe('the actions of an alarm', () => {
  const ON = [{ PeripheralUID: 'lamp', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' as const }]

  it('run when it is raised', async () => {
    await save({ Actions: ON })
    await warm(60)
    await warm(20)
    expect(await storedRuns(db)).toMatchObject([{ cause: 'alarm', edgeNo: 1, state: 'planned' }])
    expect(gateway.runs.begun).toHaveLength(1)
  })

  it('are skipped while the home is paused, and the alarm is still raised', async () => {
    await db.query(sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${TENANT}, ${HOME}, null, '', '', 0)`)
    await save({ Actions: ON })
    await warm(60)
    expect(await told()).toEqual(['raise'])
    expect(await storedRuns(db)).toMatchObject([{ cause: 'alarm', state: 'skipped', reason: 'paused' }])
  })

  it('are skipped if they ran too often, and the alarm is still raised', async () => {
    await save({ Actions: ON })
    for (let i = 0; i < 14; i++) {
      await warm(60, SECOND)
      await warm(20, SECOND)
    }
    expect((await told()).filter((what) => what === 'raise')).toHaveLength(14)
    const states = (await storedRuns(db)).map(({ reason }) => reason)
    expect(states.filter((reason) => reason === 'moreOften')).toHaveLength(2)
    const [rule] = await db.query(sql`select problem from automations where automation_id = ${id}`)
    expect(rule).toEqual({ problem: null })
  })
})

describe('an alarm on a sum of energy', () => {
  let sum: number | null
  let pace: number | null
  const HOURLY = { PeripheralUID: 'meter', Field: 'HourlyKwh', Logical: '>', Status: 10 } as const

  beforeEach(() => {
    sum = 0
    pace = null
    gateway = createTestEngine(db, clock, {
      alarms,
      readSums: async () => ({ HourlyKwh: sum, DailyKwh: null, MonthlyKwh: null }),
      readPace: async () => pace,
    })
  })
  const counts = async (kWh: number | null, after = 15 * SECOND) => {
    sum = kWh
    await wait(after)
  }

  it('is raised once an hour when it crosses its limit, and cleared by the new hour', async () => {
    await save({ Conditions: conditionsOf([HOURLY]) })
    await counts(9, 30 * MINUTE)
    await counts(10.5)
    await counts(12, 29 * MINUTE)
    expect(await lives()).toEqual(['raise'])
    await counts(0.1, MINUTE)
    expect(await lives()).toEqual(['raise', 'clear'])
  })

  it('is cleared by the new hour even if nothing, or much, was counted in it yet', async () => {
    await save({ Conditions: conditionsOf([HOURLY]) })
    await counts(11, 50 * MINUTE)
    await counts(null, 11 * MINUTE)
    expect(await storedAlarms(db)).toMatchObject([
      { what: 'raise' },
      { what: 'clear', said: { at: START + HOUR } },
    ])
    await counts(12, 20 * MINUTE)
    await counts(13, HOUR)
    expect((await told()).slice(2)).toEqual(['raise', 'clear', 'raise'])
  })

  it('is predicted at the pace of the last hour, until it crosses its limit', async () => {
    await save({ Conditions: conditionsOf([HOURLY]), Alarm: part({ ClearAfter: 0, Ahead: true }) })
    pace = 12
    await counts(1, 5 * MINUTE)
    expect(await told()).toEqual([])
    await counts(6, 25 * MINUTE)
    expect(await storedAlarms(db)).toMatchObject([
      {
        what: 'raise',
        kind: 'ahead',
        said: {
          severity: 'warning',
          readings: [{ Field: 'HourlyKwh', Limit: 10, Value: 6, CrossesAt: START + 50 * MINUTE }],
        },
      },
    ])
    await counts(10.1, 20 * MINUTE)
    expect(await told()).toEqual(['raise ahead', 'raise', 'clear ahead'])
  })

  it('is no longer predicted if it will not cross, and never with an unknown pace', async () => {
    await save({ Conditions: conditionsOf([HOURLY]), Alarm: part({ ClearAfter: 0, Ahead: true }) })
    await counts(6, 30 * MINUTE)
    expect(await told()).toEqual([])
    pace = 12
    await counts(6.1)
    pace = null
    await counts(6.1)
    expect(await told()).toEqual(['raise ahead'])
    pace = 2
    await counts(6.2)
    expect(await told()).toEqual(['raise ahead', 'clear ahead'])
  })

  it('is no longer predicted when its hour is over', async () => {
    await save({ Conditions: conditionsOf([HOURLY]), Alarm: part({ ClearAfter: 0, Ahead: true }) })
    pace = 12
    await counts(6, 30 * MINUTE)
    await counts(null, 31 * MINUTE)
    expect(await told()).toEqual(['raise ahead', 'clear ahead'])
  })
})

describe('exactly once', () => {
  /** Pseudorandom numbers in [0, 1) that repeat for a seed (mulberry32). */
  function seeded(seed: number): () => number {
    let state = seed
    return () => {
      state = (state + 0x6d2b79f5) | 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
    }
  }

  it('raises and clears an alarm at each crossing of both lines, with one to three gateways', async () => {
    let raises = 0
    for (let seed = 1; seed <= 9; seed++) {
      const random = seeded(seed)
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
      await db.query(sql`delete from automations`)
      await db.query(sql`delete from told_alarms`)
      clock.advance(HOUR)
      await report(db, 'air', { Temperature: 20 }, clock.now())
      const gateways = Array.from({ length: 1 + (seed % 3) }, () => createTestEngine(db, clock, { alarms }))
      await save({ Alarm: part({ ClearAfter: 0 }) })
      const expected: string[] = []
      let isOpen = false
      for (let i = 0; i < 40; i++) {
        clock.advance(1_000 + Math.floor(random() * 10_000))
        const Temperature = 47 + Math.round(random() * 600) / 100
        await report(db, 'air', { Temperature }, clock.now())
        // Each gateway receives the change at the same time, one of them twice.
        await Promise.all([...gateways, pick(gateways)].map((one) => ask(one)))
        const turns = isOpen ? Temperature < 49 : Temperature > 50
        if (turns) {
          isOpen = !isOpen
          expected.push(isOpen ? 'raise' : 'clear')
        }
      }
      raises += expected.filter((what) => what === 'raise').length
      const seen = await lives()
      expect({ seed, seen }).toEqual({ seed, seen: expected })
    }
    expect(raises).toBeGreaterThan(25)
  })

  it('raises and clears an alarm although the gateway is killed at any of its statements', async () => {
    const killed = openDb({ socketDir: testSocketDir(), database: database.name, max: 2, log: silentLog })
    const kills = createKillPoints({ db: killed, name: database.name })
    await save({ Actions: [{ PeripheralUID: 'lamp', Values: { Switch1: 1 }, After: 0, IfOffline: 'fail' }] })
    const mortal = createTestEngine(killed, clock, { alarms })
    const expected: string[] = []
    for (const point of points()) {
      let isReached = false
      for (const [what, Temperature] of [
        ['raise', 60],
        ['clear', 20],
      ] as const) {
        clock.advance(11 * MINUTE)
        await report(db, 'air', { Temperature }, clock.now())
        const key = { tenant: TENANT, automationId: id }
        isReached =
          (await kills.kill(point, () => decideRule(mortal.engine, key).catch(() => {}))) || isReached
        await ask()
        expected.push(what)
        expect({ point, told: await told() }).toEqual({ point, told: expected })
      }
      expect(await storedRuns(db)).toHaveLength(expected.length / 2)
      if (!isReached) break
    }
    expect(expected.length).toBeGreaterThan(20)
    await kills.close()
    await killed.close()
  })
})
