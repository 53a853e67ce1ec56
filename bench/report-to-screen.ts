import { meterReport } from '../contract/meters/channels.ts'
import { statusChange, statusReport } from '../contract/devices/channels/control.ts'
import type { FleetHub } from '../simulator/building/building.ts'
import { runLoad } from '../simulator/load.ts'
import { type Child, startChild } from './support/child.ts'
import { makeDevices, makeHome, portions, screenLogin, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import type { Collected, Question, ScreenLogin } from './support/screens.ts'
import { median } from './support/statistics.ts'

export const name = 'report-to-screen'
export const bar =
  'report to 50 screens over WebSocket at 1,000 messages/s: p50 under 20 ms, p99 under 150 ms'

const HOMES = 10
const HUBS_PER_HOME = 10
const DEVICES_PER_HUB = 50
const SCREENS = 50
const RATE = 1_000

/**
 * 5,000 devices in ten homes report in turn; five screens view every home. Age is the time from the report's
 * Timestamp, which is the time of sending, to its arrival at each screen. The reference is the broker alone.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const homes: { HomeID: string; hubs: FleetHub[] }[] = []
  for (let i = 0; i < HOMES; i++) {
    const devices = makeDevices(`home${i}`, HUBS_PER_HOME * DEVICES_PER_HUB, ['514', '516', '528', '534'])
    homes.push(await makeHome(gateway, owner, `home ${i}`, portions(devices, DEVICES_PER_HUB)))
  }
  const hubs = homes.flatMap((home) => home.hubs)
  const homeOf = (screen: number) => ({ rootId: owner.rootId, homeId: homes[screen % HOMES]?.HomeID ?? '' })
  const bare = await startChild<{ mqttUrl: string; screenUrl: string }>('bare-broker.ts')

  const real: ScreenLogin[] = []
  const logins: ScreenLogin[] = []
  for (let i = 0; i < SCREENS; i++) {
    real.push({ ...(await screenLogin(gateway, owner)), topics: [statusChange.topic(homeOf(i))] })
    logins.push({
      url: bare.ready.screenUrl,
      clientId: `screen-${i}`,
      username: '',
      password: '',
      topics: [statusReport.topic(homeOf(i)), meterReport.topic(homeOf(i))],
    })
  }
  const screens = await openScreens(real)
  const bareScreens = await openScreens(logins)

  const seconds = quick ? 8 : 20
  async function round(url: string, watching: Child<object>): Promise<Collected> {
    const { unacknowledged } = await runLoad({ url, hubs, rate: RATE, seconds })
    if (unacknowledged) throw new Error(`${unacknowledged} reports were not acknowledged`)
    return watching.request<Collected>('collect' satisfies Question)
  }
  const seen: { gateway: Collected[]; logins: Collected[] } = { gateway: [], logins: [] }
  for (let i = -1; i < (quick ? 2 : 5); i++) {
    const [one, other] = [await round(gateway.mqttUrl, screens), await round(bare.ready.mqttUrl, bareScreens)]
    // The first round warms up.
    if (i < 0) continue
    seen.gateway.push(one)
    seen.logins.push(other)
  }
  await Promise.all([screens, bareScreens].map((child) => child.request('leave' satisfies Question)))

  const figure = (what: string, of: 'p50' | 'p99', max: number): Figure => ({
    what: `report to ${SCREENS} screens, ${RATE} messages/s, ${what}`,
    value: median(seen.gateway.map((round) => round[of])),
    unit: 'ms',
    reference: { what: 'broker alone', value: median(seen.logins.map((round) => round[of])) },
    bar: { of: 'value', max },
    note: `${Math.round(median(seen.gateway.map(({ reports }) => reports)) / seconds)} reports arrived a second, all screens together`,
  })
  return [figure('median', 'p50', 20), figure('99th percentile', 'p99', 150)]
}

async function openScreens(logins: ScreenLogin[]): Promise<Child<object>> {
  const child = await startChild<object>('screens.ts')
  await child.request({ connect: logins } satisfies Question)
  return child
}
