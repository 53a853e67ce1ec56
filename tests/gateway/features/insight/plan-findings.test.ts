import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Finding } from '../../../../contract/findings/calls.ts'
import type { bills, PlanBills } from '../../../../contract/tariffs/bill-calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { dayOf, parseDay, startOfDay, weekdayOf } from '../../../../contract/time/periods.ts'
import { detectFindings } from '../../../../gateway/features/insight/findings/find-in-home.ts'
import { ALL_KINDS } from '../../../../gateway/features/insight/findings/kinds/all-kinds.ts'
import { sql } from '../../../../gateway/kernel/db.ts'
import { holdClock } from '../../../support/clock.ts'
import { findingPorts } from '../../../support/finding-ports.ts'
import { homeTariff } from '../../../support/home-tariff.ts'
import { addMeter, addSite, type Site, storeEnergy } from '../../../support/stored-energy.ts'
import { cases } from '../../../support/thorough.ts'
import { type Caller, startWorld, type World } from '../../../support/world.ts'

const zone = 'Asia/Taipei'
const NOW = Date.parse('2026-06-11T02:07:00Z')
const END = parseDay('2026-06-11')
const SINCE = parseDay('2025-04-01')

let world: World
let root: Caller
beforeAll(async () => {
  world = await startWorld({ clock: holdClock(NOW) })
  root = await world.signUp()
})
afterAll(() => world.close())

const ask = async (path: string, input: object) => {
  const { status, results } = await root.post(path, input)
  expect(status).toMatchObject({ code: 0 })
  return results
}

/** Load with one busy span of hours a day; `off` is the part of it on Saturdays and Sundays. */
const shapes = fc.record({
  from: fc.integer({ min: 0, max: 23 }),
  hours: fc.integer({ min: 2, max: 14 }),
  busyKw: fc.integer({ min: 20, max: 90 }),
  idleKw: fc.integer({ min: 1, max: 15 }),
  off: fc.constantFrom(0, 0.5, 1),
})
type Shape = typeof shapes extends fc.Arbitrary<infer S> ? S : never

function kwAt({ from, hours, busyKw, idleKw, off }: Shape, time: number): number {
  const day = dayOf(time, zone)
  const hour = (time - startOfDay(day, zone)) / 3_600_000
  if ((hour - from + 24) % 24 >= hours) return idleKw
  return Math.max(idleKw, weekdayOf(day) % 6 === 0 ? busyKw * off : busyKw)
}

/** Present plans with the part of the highest demand that is agreed. */
const tariffs = fc.constantFrom(
  ...['lv_standard', 'lv_two_stage', 'lv_three_stage'].flatMap((PlanID) =>
    [0.6, 1, 1.8].map((share) => ({ PlanID, share, minKw: 1, maxKw: 99 })),
  ),
  ...['hv_two_stage', 'hv_three_stage'].map((PlanID) => ({ PlanID, share: 3, minKw: 100, maxKw: 300 })),
)

let sites = 0
async function siteOf(shape: Shape): Promise<Site> {
  const name = `load-${(sites += 1)}`
  const site = await addSite(root, name)
  const id = await addMeter(world, root, site, name)
  await storeEnergy(world, site, id, [startOfDay(SINCE, zone), startOfDay(END, zone)], (time) => {
    return kwAt(shape, time) / 4
  })
  return site
}

/** Findings about the contract and the plan of a home. */
async function findingsOf({ HomeID }: Site): Promise<Map<string, Finding>> {
  await world.db.query(sql`delete from findings where home_id = ${HomeID}`)
  const kinds = ALL_KINDS.filter(([kind]) => kind === 'contract' || kind === 'plan')
  const options = {
    db: world.db,
    log: world.log,
    ports: findingPorts(world.db, world.clock),
    now: NOW,
    kinds,
  }
  await world.db.transaction((tx) => detectFindings(tx, options, root.tenant, { HomeID, zone }, END - 1))
  const { Rows } = await ask('/ListFinding', { HomeID })
  return new Map(Rows.map((row: Finding) => [row.Kind, row]))
}

it('another plan is advised only if Compare plans shows it as cheaper, for its saving beyond the best present contract', async () => {
  const found = { plan: 0, contract: 0, both: 0 }
  await fc.assert(
    fc.asyncProperty(shapes, fc.uniqueArray(tariffs, { minLength: 3, maxLength: 3 }), async (shape, some) => {
      const site = await siteOf(shape)
      for (const { PlanID, share, minKw, maxKw } of some) {
        const regular = Math.min(maxKw, Math.max(minKw, Math.round(shape.busyKw * share)))
        const Tariffs = [homeTariff({ PlanID, Capacities: { regular } })]
        await ask('/UpdateHomeTariff', { HomeID: site.HomeID, Tariffs })
        const findings = await findingsOf(site)
        const compared: ResultsOf<typeof bills.compareTariff> = await ask('/CompareTariff', {
          HomeID: site.HomeID,
          Months: 12,
        })
        const rowOf = (id: unknown) => compared.Plans.find((row) => row.PlanID === id) as PlanBills
        const own = rowOf(PlanID)
        const ownBest = own.Best?.Total ?? own.Total
        const [contract, plan] = [findings.get('contract'), findings.get('plan')]
        const advised = plan && rowOf(plan.Why.Values['Then'])
        const advisedBest = advised ? (advised.Best?.Total ?? advised.Total) : undefined
        expect(advised?.Difference ?? -Infinity).toBeLessThan(0)
        expect(advisedBest ?? -Infinity).toBeLessThan(ownBest)
        expect(plan?.Amount ?? 0).toBeCloseTo((ownBest - (advisedBest ?? ownBest)) / 12, 1)
        expect(contract?.Amount ?? 0).toBeCloseTo(contract ? (own.Total - ownBest) / 12 : 0, 1)
        // Neither repeats the saving of the other: together they are the headline.
        const { Exact } = await ask('/GetSaving', { HomeID: site.HomeID })
        const counted = [contract, plan].filter((one) => one && one.Confidence !== 'low')
        const sum = counted.reduce((all, one) => all + (one?.Amount ?? 0), 0)
        expect(Exact ?? 0).toBeCloseTo(sum, 1)
        found.plan += plan ? 1 : 0
        found.contract += contract ? 1 : 0
        found.both += plan && contract ? 1 : 0
      }
    }),
    { numRuns: cases(8, 60), seed: 7 },
  )
  for (const count of Object.values(found)) expect(count).toBeGreaterThan(0)
})
