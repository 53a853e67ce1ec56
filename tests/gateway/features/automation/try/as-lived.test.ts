import { afterEach, describe, expect, it } from 'vitest'
import { Conditions } from '../../../../../contract/rules/automation/condition.ts'
import { decide } from '../../../../../gateway/features/automation/engine/decide.ts'
import { homeKeyOf, readPlaces } from '../../../../../gateway/features/automation/engine/places.ts'
import { tryRule } from '../../../../../gateway/features/automation/try/try-rule.ts'
import { seriesOf } from '../../../../../gateway/features/energy/history/history.ts'
import { termsOf } from '../../../../../gateway/features/energy/query/measures.ts'
import { type Db, sql } from '../../../../../gateway/store/db.ts'
import { holdClock } from '../../../../support/clock.ts'
import {
  addAutomation,
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
  await database?.drop()
  database = undefined
})

/** Rules of all sorts, and how often their devices change, in seconds. */
const RULES: [name: string, uids: number, more: Record<string, unknown>, EndDuration: number][] = [
  ['of one device', 1, {}, 0],
  ['of two devices', 2, {}, 60],
  ['of either of two devices', 2, { Logical: 'OR', RetriggerInterval: 60 }, 300],
  ['that holds', 1, { For: 120 }, 60],
  ['that repeats', 1, { Repeat: true, RetriggerInterval: 300 }, 0],
  ['that is awake at times', 2, { Logical: 'OR', Period: [{ Weekdays: [1], From: 600, To: 660 }] }, 0],
]

/** The hub is away, and back. */
async function presence(db: Db, online: boolean, at: number): Promise<void> {
  await db.query(sql`update things set online = ${online} where thing_name = ${HUB}`)
  for (const uid of UIDS)
    await db.query(sql`insert into device_events (tenant, peripheral_uid, timestamp, field, before, value)
      values (${TENANT}, ${uid}, ${at}::bigint, 'Online', ${online ? 0 : 1}, ${online ? 1 : 0})`)
}

/** A day of a rule: its devices change, their hub goes and comes back, and the engine decides at each. */
async function live(db: Db, automationId: string, uids: readonly string[]) {
  const clock = holdClock(START)
  const { engine, runs, due } = createTestEngine(db, clock)
  const ask = () => decide(engine, { tenant: TENANT, automationId })
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

describe('a dry run over what was stored', () => {
  it.each(RULES)('of a rule %s is what the engine did', async (_, count, more, EndDuration) => {
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
    const tried = await tryRule(
      {
        HomeID: HOME,
        AutomationType: 5,
        Conditions: conditions,
        EndDuration: EndDuration as 0,
        Days: 1,
      } as never,
      { db, ports: { seriesOf, termsOf }, tenant: TENANT, place, now: START + DAY, time: () => 0 },
    )
    expect(tried.Runs.map(({ At }) => At)).toEqual(lived.fired)
    expect([...new Set(tried.Runs.flatMap(({ EndedAt }) => EndedAt ?? []))]).toEqual(lived.ended)
    expect(lived.fired.length).toBeGreaterThan(0)
  })
})
