import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import { type Child, startChild } from '../support/child.ts'
import { type GatewayUnderTest, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure } from '../support/measurement.ts'
import { cpuOf } from '../support/process-figures.ts'
import type { Answer, Question } from '../support/publishers.ts'
import { median } from '../support/statistics.ts'
import { saveRules, smartLink } from './rules.ts'

const HUBS = 400
const HOMES = 10
/** Rules of a company whose devices report nothing. */
const ELSEWHERE = 5_000
const ON_EACH = 8

interface Loaded {
  gateway: GatewayUnderTest
  publishers: Child<object>
}

/**
 * What a report costs the gateway when rules are there: meters publish to three gateways in turn, one without rules, one with
 * 5,000 on other devices, one with eight on each meter whose truth never turns.
 */
export async function costOfReports(quick: boolean): Promise<Figure[]> {
  const none = await load(async () => {})
  const elsewhere = await load((owner, homes) =>
    saveRules(
      owner,
      homes.flatMap(({ HomeID, meters, quiet, light }) =>
        Array.from({ length: ELSEWHERE / homes.length }, (_, i) =>
          smartLink(HomeID, `rule ${i}`, [quiet[i % quiet.length] ?? meters[0]!, 'Power', 5_000 + i], light),
        ),
      ),
    ),
  )
  const own = await load((owner, homes) =>
    saveRules(
      owner,
      homes.flatMap(({ HomeID, meters, light }) =>
        meters.flatMap((meter) =>
          Array.from({ length: ON_EACH }, (_, i) =>
            smartLink(HomeID, `${meter} ${i}`, [meter, 'Power', 5_000 + i], light),
          ),
        ),
      ),
    ),
  )
  const readings = quick ? 8_000 : 20_000
  const cost = async ({ gateway, publishers }: Loaded): Promise<number> => {
    const before = cpuOf(gateway.pid)
    await publishers.ask<Answer>({ readings, window: 1 } satisfies Question)
    return (cpuOf(gateway.pid) - before) / readings
  }
  const seen = { none: [] as number[], elsewhere: [] as number[], own: [] as number[] }
  for (let round = -1; round < (quick ? 5 : 11); round++) {
    const costs = { none: await cost(none), elsewhere: await cost(elsewhere), own: await cost(own) }
    // The first round warms up.
    if (round < 0) continue
    for (const name of ['none', 'elsewhere', 'own'] as const) seen[name].push(costs[name])
  }
  await Promise.all([none, elsewhere, own].map(({ gateway }) => gateway.stop()))
  const figure = (what: string, values: number[], most: number): Figure => ({
    what,
    value: median(values),
    unit: 'µs',
    reference: { what: 'no rules', value: median(seen.none) },
    bar: { of: 'ratio', most },
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
  quiet: string[]
  light: string
}

async function load(rules: (owner: Owner, homes: LoadedHome[]) => Promise<void>): Promise<Loaded> {
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const meters = makeDevices('meter', HUBS, ['514'])
  const homes = await Promise.all(
    portions(meters, HUBS / HOMES).map(async (some, i) => {
      const quiet = makeDevices(`quiet-${i}`, 5, ['514'])
      const [light] = makeDevices(`light-${i}`, 1, ['516'])
      const { HomeID, hubs } = await makeHome(gateway, owner, `home ${i}`, [
        ...portions(some, 1),
        [...quiet, light!],
      ])
      const uids = (devices: readonly { PeripheralUID: string }[]) => devices.map((one) => one.PeripheralUID)
      return {
        HomeID,
        hubs: hubs.slice(0, some.length),
        meters: uids(some),
        quiet: uids(quiet),
        light: light!.PeripheralUID,
      }
    }),
  )
  await rules(owner, homes)
  const publishers = await startChild<object>('publishers.ts')
  await publishers.ask({
    connect: gateway.mqttUrl,
    hubs: homes.flatMap(({ hubs }) => hubs),
  } satisfies Question)
  return { gateway, publishers }
}
