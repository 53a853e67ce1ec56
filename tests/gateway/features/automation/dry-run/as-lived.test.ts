import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Condition, Conditions } from '../../../../../contract/automation/condition.ts'
import { decideRule } from '../../../../../gateway/features/automation/engine/decide-rule.ts'
import { homeKeyOf, readPlaces } from '../../../../../gateway/features/automation/engine/places.ts'
import { dryRunRule } from '../../../../../gateway/features/automation/dry-run/try-rule.ts'
import { readSeries } from '../../../../../gateway/features/energy/history/history.ts'
import { readVirtualTerms } from '../../../../../gateway/features/energy/calls/measures.ts'
import { type Db, sql } from '../../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import {
  addAutomation,
  addDevices,
  createBuilding,
  createTestEngine,
  HOME,
  HUB,
  plainSun,
  report,
  TENANT,
} from '../engine/support.ts'

const START = Date.UTC(2026, 0, 5, 1)
const DAY = 86_400_000
const UIDS = ['a', 'b']

let database: Awaited<ReturnType<typeof createBuilding>> | undefined
afterEach(async () => {
  await database?.dropDatabase()
  database = undefined
})

/** Rules of all kinds, with the intervals at which their devices change, in seconds. */
const RULES: [name: string, uids: number, more: Record<string, unknown>, EndDuration: number][] = [
  ['of one device', 1, {}, 0],
  ['of two devices', 2, {}, 60],
  ['of either of two devices', 2, { Logical: 'OR', RetriggerInterval: 60 }, 300],
  ['that holds', 1, { For: 120 }, 60],
  ['that repeats', 1, { Repeat: true, RetriggerInterval: 300 }, 0],
  ['that is awake at times', 2, { Logical: 'OR', Period: [{ Weekdays: [1], From: 600, To: 660 }] }, 0],
]

/** Stores the hub's disconnect or reconnect. */
async function presence(db: Db, online: boolean, at: number): Promise<void> {
  await db.query(sql`update things set online = ${online} where thing_name = ${HUB}`)
  for (const uid of UIDS)
    await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
      values (${TENANT}, ${uid}, ${at}::bigint, 'Online', ${online ? 0 : 1}, ${online ? 1 : 0})`)
}

/** One day of a rule: devices change, the hub disconnects and reconnects, and the engine evaluates at each. */
async function live(db: Db, automationId: string, uids: readonly string[]) {
  const clock = holdClock(START)
  const { engine, runs, due } = createTestEngine(db, clock)
  const ask = () => decideRule(engine, { tenant: TENANT, automationId })
  const fired: number[] = []
  const ended: number[] = []
  const follow = () => {
    for (const { cause, notRun } of runs.planned.splice(0))
      if (!notRun) (cause === 'end' ? ended : fired).push(clock.now())
  }
  const until = async (moment: number) => {
    for (;;) {
      const next = due.toSorted((a, b) => a - b).find((at) => at <= moment)
      if (next === undefined) break
      due.splice(due.indexOf(next), 1)
      clock.advance(Math.max(0, next - clock.now()))
      await ask()
      follow()
    }
    clock.advance(Math.max(0, moment - clock.now()))
  }
  await ask()
  for (let i = 0; i < 70; i++) {
    const at = START + 60_000 + i * 97_000
    await until(at)
    if (i % 20 === 11) await presence(db, false, at)
    else if (i % 20 === 14) await presence(db, true, at)
    else if (i % 20 < 11 || i % 20 > 14)
      await report(db, uids[i % uids.length]!, { Switch1: ((i * 7) % 5) % 2 }, at)
    await ask()
    follow()
  }
  await until(START + DAY)
  return { fired, ended }
}

describe('a dry run over stored history', () => {
  it.each(RULES)('of a rule %s matches the engine', async (_, count, more, EndDuration) => {
    database = await createBuilding(UIDS)
    const { db } = database
    const uids = UIDS.slice(0, count)
    for (const uid of UIDS) await report(db, uid, { Switch1: 0 }, START - 60_000)
    const conditions = Conditions.parse({
      PeripheralUIDs: uids.map((PeripheralUID) => ({
        PeripheralUID,
        Field: 'Switch1',
        Status: 1,
        Logical: '=',
      })),
      ...more,
    })
    const id = await addAutomation(db, { Conditions: conditions, EndDuration: EndDuration as 0 })
    const lived = await live(db, id, uids)
    const place = (await readPlaces(db, [{ tenant: TENANT, homeId: HOME }], plainSun)).get(
      homeKeyOf({ tenant: TENANT, homeId: HOME }),
    )!
    const tried = await dryRunRule(
      {
        HomeID: HOME,
        AutomationType: 5,
        Conditions: conditions,
        EndDuration: EndDuration as 0,
        Days: 1,
      } as never,
      {
        db,
        ports: { readSeries, readTerms: readVirtualTerms },
        tenant: TENANT,
        place,
        now: START + DAY,
        time: () => 0,
      },
    )
    expect(tried.Runs.map(({ At }) => At)).toEqual(lived.fired)
    expect([...new Set(tried.Runs.flatMap(({ EndedAt }) => EndedAt ?? []))]).toEqual(lived.ended)
    expect(lived.fired.length).toBeGreaterThan(0)
  })
})

/** Reporting interval in seconds of each meter below; after three intervals its value is unknown. */
const PAUSE = 60
const HOUR = 3_600_000

/** Report of a metered switch, or a presence change of its hub. */
interface Moment {
  at: number
  uid: string
  say: { Power: number; kWh: number; Switch: number } | 'away' | 'back'
}

const limits = fc.record({
  Logical: fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const),
  Status: fc.integer({ min: 2, max: 8 }),
  /** Distance from the limit at which the condition is false again. */
  back: fc.integer({ min: 0, max: 4 }),
})
const conditionsOn = (uid: string): fc.Arbitrary<Condition> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .record({ limit: limits, Field: fc.constantFrom('Power', 'HourlyKwh') })
        .map(({ limit: { back, ...limit }, Field }): Condition => ({
          PeripheralUID: uid,
          Field,
          ...limit,
          ...(back > 0 && {
            Clear: limit.Logical.startsWith('>') ? limit.Status - back : limit.Status + back,
          }),
        })),
    },
    fc.constant<Condition>({ PeripheralUID: uid, Field: 'Switch', Logical: '=', Status: 1 }),
  )
const rules = (uids: readonly [string, string]) =>
  fc
    .record({
      PeripheralUIDs: fc
        .tuple(
          conditionsOn(uids[0]),
          fc.option(fc.constantFrom(...uids).chain(conditionsOn), { nil: undefined }),
        )
        .map((all) => all.filter((one) => one !== undefined))
        .filter(
          ([one, other]) => !other || one?.PeripheralUID !== other.PeripheralUID || one.Field !== other.Field,
        )
        // At the start of an hour a sum is zero, then unknown: a dry run may see a value that the engine sees only afterwards.
        .filter(
          (all) =>
            new Set(all.map(({ Field }) => Field)).size < 2 || all.some(({ Field }) => Field === 'Switch'),
        ),
      Logical: fc.constantFrom('AND' as const, 'OR' as const),
      For: fc.constantFrom(0, 45, 120, 300),
      RetriggerInterval: fc.constantFrom(5 as const, 60 as const, 180 as const),
      Repeat: fc.boolean(),
      EndDuration: fc.constantFrom(0 as const, 60 as const, 300 as const),
    })
    // Of more than 5,000 runs a dry run returns the last ones.
    .map((rule) => ({ ...rule, Repeat: rule.Repeat && rule.RetriggerInterval > 5 }))

/** Several hours of two meters: they report at intervals, are silent at times, and their hub disconnects and reconnects. */
const histories = (uids: readonly [string, string]) =>
  fc
    .array(
      fc.record({
        uid: fc.constantFrom(...uids),
        seconds: fc.oneof(
          { weight: 12, arbitrary: fc.integer({ min: 7, max: 55 }) },
          { weight: 1, arbitrary: fc.integer({ min: 190, max: 420 }) },
        ),
        Power: fc.integer({ min: 0, max: 10 }),
        counts: fc.integer({ min: 0, max: 2 }),
        Switch: fc.integer({ min: 0, max: 1 }),
        hub: fc.oneof({ weight: 20, arbitrary: fc.constant(false) }, fc.constant(true)),
      }),
      { minLength: 40, maxLength: 90 },
    )
    .map((steps): Moment[] => {
      const kWh = new Map(uids.map((uid) => [uid, 100]))
      const last = new Map(uids.map((uid) => [uid, { Power: 0, Switch: 0 }]))
      let at = START
      let backAt: number | undefined
      const moments: Moment[] = []
      const say = (uid: string, when: number, rest: { Power: number; counts: number; Switch: number }) => {
        const counter = (kWh.get(uid) ?? 0) + rest.counts
        kWh.set(uid, counter)
        last.set(uid, rest)
        moments.push({ at: when, uid, say: { Power: rest.Power, kWh: counter, Switch: rest.Switch } })
      }
      for (const { uid, seconds, hub, ...rest } of steps) {
        const hour = Math.ceil((at + 1) / HOUR) * HOUR
        // A report at the time of a reconnect may be stored before or after it.
        const next = at + seconds * 1000 + (at + seconds * 1000 === backAt ? 1_000 : 0)
        if (backAt !== undefined && (next >= backAt || next >= hour)) {
          moments.push({ at: Math.min(backAt, hour - 1_000), uid, say: 'back' })
          backAt = undefined
        }
        // Each hour begins with a reading, so that its count is known and not distributed over a gap. Nothing else changes at that time,
        // because the order relative to the start of the hour is undefined.
        if (next >= hour)
          for (const one of uids) say(one, hour, { ...{ Power: 0, Switch: 0 }, ...last.get(one), counts: 0 })
        at = next === hour ? next + 1_000 : next
        if (hub && backAt === undefined && at + 2_000 < Math.ceil((at + 1) / HOUR) * HOUR) {
          backAt = at + 150_000
          moments.push({ at, uid, say: 'away' })
        } else if (backAt === undefined) say(uid, at, rest)
      }
      return moments
    })

describe('a dry run over random history', () => {
  let db: Db
  let count = 0
  beforeEach(async () => {
    database = await createBuilding()
    db = database.db
  })

  /** Two meters that no history has used yet. */
  async function addMeters(): Promise<readonly [string, string]> {
    const uids = [`meter-${(count += 1)}`, `meter-${(count += 1)}`] as const
    await addDevices(db, uids, '518')
    await db.query(sql`update peripherals set power_meter_update_frequency = ${PAUSE}
      where peripheral_uid = any(${[...uids]}::text[])`)
    for (const uid of uids)
      await db.query(
        sql`insert into meters (tenant, home_id, peripheral_uid) values (${TENANT}, ${HOME}, ${uid})`,
      )
    return uids
  }

  async function tell(
    uid: string,
    at: number,
    { kWh, ...values }: { Power: number; kWh: number; Switch: number },
  ) {
    await db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power)
      select meter_id, ${at}::bigint, ${kWh}, ${values.Power} from meters where peripheral_uid = ${uid}`)
    await report(db, uid, { AccumulatePower: kWh, ...values }, at)
  }

  async function hubIs(online: boolean, uids: readonly string[], at: number) {
    await db.query(sql`update things set online = ${online} where thing_name = ${HUB}`)
    for (const uid of uids)
      await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
        values (${TENANT}, ${uid}, ${at}::bigint, 'Online', ${online ? 0 : 1}, ${online ? 1 : 0})`)
  }

  /** Decisions of the engine over a history: it evaluates at each report, due time and expiry of a value. */
  async function lives(
    id: string,
    { uids, conditions }: { uids: readonly string[]; conditions: readonly Condition[] },
    history: readonly Moment[],
    end: number,
  ) {
    const clock = holdClock(START)
    const { engine, runs, due } = createTestEngine(db, clock)
    const readings = new Map(uids.map((uid) => [uid, [{ at: START, kWh: 100 }]]))
    /** Energy counted in the current hour, once a reading in it exists. */
    const sumOf = (uid: string) => {
      const begin = Math.floor(clock.now() / HOUR) * HOUR
      const all = readings.get(uid) ?? []
      const last = all.at(-1)
      const first = all.findLast(({ at }) => at <= begin)
      return !last || !first || last.at <= begin ? null : last.kWh - first.kWh
    }
    const lived = { fired: [] as number[], ended: [] as number[] }
    const ask = async () => {
      const measures = new Map(
        conditions.flatMap(({ PeripheralUID, Field }, i) =>
          Field === 'HourlyKwh' ? [[i, sumOf(PeripheralUID)] as const] : [],
        ),
      )
      await decideRule(engine, { tenant: TENANT, automationId: id }, measures)
      for (const { cause, notRun } of runs.planned.splice(0))
        if (!notRun) lived[cause === 'end' ? 'ended' : 'fired'].push(Math.floor(clock.now() / 1000) * 1000)
    }
    /** Advances the clock to just before a time. */
    const until = async (moment: number) => {
      for (;;) {
        const stale = [...readings.values()].map((all) => (all.at(-1)?.at ?? 0) + 3 * PAUSE * 1000 + 1)
        const hour = Math.ceil((clock.now() + 1) / HOUR) * HOUR
        const next = Math.min(
          ...[...due, ...stale, hour].filter((at) => at > clock.now() || due.includes(at)),
        )
        if (next >= moment) return
        due.splice(0, due.length, ...due.filter((at) => at > next))
        clock.advance(Math.max(0, next - clock.now()))
        await ask()
      }
    }
    await ask()
    for (const [i, { at, uid, say }] of history.entries()) {
      await until(at)
      clock.advance(at - clock.now())
      if (say === 'away' || say === 'back') await hubIs(say === 'back', uids, at)
      else {
        await tell(uid, at, say)
        readings.set(uid, [...(readings.get(uid) ?? []), { at, kWh: say.kWh }])
      }
      // Reports with the same time are stored together.
      if (history[i + 1]?.at !== at) await ask()
    }
    await until(end)
    return lived
  }

  it('of values with hysteresis, meter sums, unknown spans and holds matches the engine', async () => {
    const place = (await readPlaces(db, [{ tenant: TENANT, homeId: HOME }], plainSun)).get(
      homeKeyOf({ tenant: TENANT, homeId: HOME }),
    )!
    let runs = 0
    const uids = ['a', 'b'] as const
    await fc.assert(
      fc.asyncProperty(rules(uids), histories(uids), async ({ EndDuration, ...given }, steps) => {
        const own = await addMeters()
        const nameOf = (uid: string) => own[uid === 'a' ? 0 : 1]
        const history = steps.map((moment) => ({ ...moment, uid: nameOf(moment.uid) }))
        const conditions = Conditions.parse({
          ...given,
          PeripheralUIDs: given.PeripheralUIDs.map((one) => ({
            ...one,
            PeripheralUID: nameOf(one.PeripheralUID),
          })),
        })
        const end = START + DAY
        await db.query(sql`update things set online = true`)
        for (const uid of own) await tell(uid, START, { Power: 0, kWh: 100, Switch: 0 })
        const id = await addAutomation(db, { Conditions: conditions, EndDuration })
        const last = history.at(-1)?.at ?? START
        // The next hour would begin without a reading.
        const compared = Math.min(last + HOUR / 4, Math.ceil((last + 1) / HOUR) * HOUR - 1_000)
        const lived = await lives(id, { uids: own, conditions: conditions.PeripheralUIDs }, history, compared)
        const tried = await dryRunRule(
          { HomeID: HOME, AutomationType: 5, Conditions: conditions, EndDuration, Days: 1 } as never,
          {
            db,
            ports: { readSeries, readTerms: readVirtualTerms },
            tenant: TENANT,
            place,
            now: end,
            time: () => 0,
          },
        )
        const within = (at: number) => at < compared
        const second = (at: number) => Math.floor(at / 1000) * 1000
        expect(tried.Runs.map(({ At }) => second(At)).filter(within)).toEqual(lived.fired)
        const ends = new Set(tried.Runs.flatMap(({ EndedAt }) => (EndedAt === null ? [] : [second(EndedAt)])))
        expect([...ends].filter(within)).toEqual(lived.ended)
        runs += lived.fired.length
      }),
      { numRuns: 6, endOnFailure: true },
    )
    expect(runs).toBeGreaterThan(0)
  })
})
