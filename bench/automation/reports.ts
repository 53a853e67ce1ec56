import type { Db } from '../../gateway/kernel/db.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import { type Child, startChild } from '../support/child.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { counterOf } from '../support/metrics.ts'
import { cpuOf } from '../support/process-figures.ts'
import type { Answer, Question } from '../support/publishers.ts'
import { median } from '../support/statistics.ts'
import { databaseOf } from './database.ts'
import { saveCopies, smartLink, untilArmed } from './rules.ts'

const HUBS = 400
const HOMES = 10
/** Rules of a company on devices that report nothing. */
const ELSEWHERE = 5_000
const ON_EACH = 8

interface Loaded {
  gateway: GatewayUnderTest
  publishers: Child<object>
}

/**
 * CPU cost of a report with rules: meters publish to three gateways in turn, one without rules, one with
 * 5,000 rules on other devices, one with eight on each meter whose conditions never change.
 */
export async function costOfReports({ quick }: Options): Promise<Figure[]> {
  const withoutRules = await load(async () => {})
  const elsewhere = await load(async (owner, db, homes) => {
    for (const { HomeID, unwatched, light } of homes) {
      const [first = '', ...others] = unwatched
      const instead = Array.from(
        { length: ELSEWHERE / homes.length - 1 },
        (_, i) => others[i % others.length]!,
      )
      await saveCopies(owner, db, smartLink(HomeID, 'rule', [first, 'Power', 5_000], light), {
        of: first,
        instead,
      })
    }
  })
  const own = await load(async (owner, db, homes) => {
    for (const { HomeID, meters, light } of homes) {
      const [first = '', ...others] = meters
      for (let i = 0; i < ON_EACH; i++)
        await saveCopies(owner, db, smartLink(HomeID, `rule ${i}`, [first, 'Power', 5_000 + i], light), {
          of: first,
          instead: others,
        })
    }
  })
  const readings = quick ? 5_000 : 10_000
  const cost = async ({ gateway, publishers }: Loaded): Promise<number> => {
    const before = cpuOf(gateway.pid)
    await publishers.request<Answer>({ readings, window: 1 } satisfies Question)
    return (cpuOf(gateway.pid) - before) / readings
  }
  const seen = { none: [] as number[], elsewhere: [] as number[], own: [] as number[] }
  for (let round = -1; round < (quick ? 5 : 11); round++) {
    const costs = { none: await cost(withoutRules), elsewhere: await cost(elsewhere), own: await cost(own) }
    // The first round warms up.
    if (round < 0) continue
    for (const name of ['none', 'elsewhere', 'own'] as const) seen[name].push(costs[name])
  }
  await Promise.all([withoutRules, elsewhere, own].map(({ gateway }) => gateway.stop()))
  const figure = (what: string, values: number[], max: number): Figure => ({
    what,
    value: median(values),
    unit: 'µs',
    reference: { what: 'no rules', value: median(seen.none) },
    bar: { of: 'ratio', max },
    note: `median of the rounds' ratios ${median(values.map((value, i) => value / seen.none[i]!)).toFixed(2)}`,
  })
  return [
    figure(`CPU per report, ${ELSEWHERE} rules in the company, none on this device`, seen.elsewhere, 1.03),
    figure(`CPU per report, ${ON_EACH} rules on this device, truth unchanged`, seen.own, 1.25),
  ]
}

interface LoadedHome {
  HomeID: string
  meters: string[]
  /** Meters that report nothing. */
  unwatched: string[]
  light: string
}

/** A gateway with the devices and rules, which have been evaluated with a first reading of each. */
async function load(save: (owner: Owner, db: Db, homes: LoadedHome[]) => Promise<void>): Promise<Loaded> {
  const directory = await temporaryDirectory()
  const first = await startGateway(directory)
  const owner = await signUpOwner(first.url)
  const meters = makeDevices('meter', HUBS, ['514'])
  const homes = await Promise.all(
    portions(meters, HUBS / HOMES).map(async (homeMeters, i) => {
      const unwatched = makeDevices(`quiet-${i}`, 5, ['514'])
      const [light] = makeDevices(`light-${i}`, 1, ['516'])
      const { HomeID, hubs } = await makeHome(first, owner, `home ${i}`, [
        ...portions(homeMeters, 1),
        [...unwatched, light!],
      ])
      const uids = (devices: readonly { PeripheralUID: string }[]) => devices.map((one) => one.PeripheralUID)
      return {
        HomeID,
        hubs: hubs.slice(0, homeMeters.length),
        meters: uids(homeMeters),
        unwatched: uids(unwatched),
        light: light!.PeripheralUID,
      }
    }),
  )
  const db = databaseOf(directory)
  await save(owner, db, homes)
  await db.close()
  await first.stop()
  const gateway = await startGateway(directory, first)
  const publishers = await startChild<object>('publishers.ts')
  await publishers.request({
    connect: gateway.mqttUrl,
    hubs: homes.flatMap(({ hubs }) => hubs),
  } satisfies Question)
  await untilArmed(databaseOf(directory))
  await publishers.request<Answer>({ readings: HUBS, window: 1 } satisfies Question)
  await untilDecided(gateway.url)
  return { gateway, publishers }
}

/** Resolves when no rule has been waiting for its evaluation for a second. */
async function untilDecided(url: string): Promise<void> {
  for (let before = -1; ;) {
    const decided = await counterOf(url, 'automation_decisions_total')
    if (decided === before) return
    before = decided
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
