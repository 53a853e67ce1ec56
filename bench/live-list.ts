import { setTimeout as sleep } from 'node:timers/promises'
import { statusChange } from '../contract/channels/status.ts'
import type { FleetHub } from '../simulator/hub-device.ts'
import { runLoad } from '../simulator/load.ts'
import { openBrowser, openPage, type Session, signIn } from './support/browser.ts'
import { makeDevices, makeHome, type Owner, portions, screenLogin, signUpOwner } from './support/company.ts'
import { serveFloor } from './support/floor-server.ts'
import { ensureBuilt, type GatewayUnderTest, startGateway, temporaryDirectory } from './support/gateway.ts'
import { type PageSample, prepareSampling, sample } from './support/live-page.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median, percentile } from './support/statistics.ts'

export const name = 'live-list'
export const bar =
  '2,000 devices listed, 1,000 status/s for 30 s: frames at least 0.95 of a page that only receives, ' +
  'at most 0.5 s extra long tasks, lag p95 under 0.5 s'

const DEVICES = 2_000
const DEVICES_PER_HUB = 100
const RATE = 1_000
/** Seconds of load before the sampling begins. */
const WARM_UP = 3

/** The device list and a page that receives the same messages and draws nothing, in turn, each in a new browser. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', DEVICES, ['514', '516', '528', '534'])
  const { HomeID, hubs } = await makeHome(gateway, owner, '總部', portions(devices, DEVICES_PER_HUB))
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  await browser.close()
  const floor = await serveFloor()

  const seconds = quick ? 10 : 30
  const list: PageSample[] = []
  const receiver: PageSample[] = []
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    receiver.push(
      await watchReceiver(await receiverUrl(floor, gateway, owner, HomeID), gateway, hubs, seconds),
    )
    list.push(await watchList(`${gateway.url}/DeviceList/${HomeID}`, session, gateway, hubs, seconds))
  }
  const middle = (samples: PageSample[], of: (one: PageSample) => number) => median(samples.map(of))
  const age95 = (one: PageSample) => percentile(one.ages, 0.95)
  const longTasks = (samples: PageSample[]) => middle(samples, (one) => one.longTaskMs / 1000)
  const title = `${DEVICES} devices, ${RATE} status/s`
  return [
    {
      what: `frames, ${title}`,
      value: middle(list, (one) => one.framesPerSecond),
      unit: 'fps',
      reference: { what: 'receives only', value: middle(receiver, (one) => one.framesPerSecond) },
      bar: { of: 'ratio', least: 0.95 },
    },
    {
      what: `long tasks more than the page that only receives, in ${seconds} s`,
      value: longTasks(list) - longTasks(receiver),
      unit: 's',
      bar: { of: 'value', most: 0.5 },
      note: `${longTasks(list).toFixed(2)} s against ${longTasks(receiver).toFixed(2)} s`,
    },
    {
      what: `lag from report to frame, ${title}, 95th percentile`,
      value: middle(list, age95),
      unit: 'ms',
      reference: { what: 'receives only', value: middle(receiver, age95) },
      bar: { of: 'value', most: 500 },
      note: `${Math.round(middle(list, (one) => one.ages.length) / seconds)} statuses arrived a second`,
    },
  ]
}

async function receiverUrl(floor: string, gateway: GatewayUnderTest, owner: Owner, homeId: string) {
  const topic = statusChange.topic({ rootId: owner.rootId, homeId })
  const where = { ...(await screenLogin(gateway, owner)), topic }
  return `${floor}/receive.html#${encodeURIComponent(JSON.stringify(where))}`
}

/** Samples while hubs report, after a warm-up. */
async function underLoad<T>(
  gateway: GatewayUnderTest,
  hubs: FleetHub[],
  seconds: number,
  sampling: () => Promise<T>,
): Promise<T> {
  const load = runLoad({ url: gateway.mqttUrl, hubs, rate: RATE, seconds: WARM_UP + seconds + 1 })
  await sleep(WARM_UP * 1000)
  const sampled = await sampling()
  const { unacknowledged } = await load
  if (unacknowledged) throw new Error(`${unacknowledged} reports were not acknowledged`)
  return sampled
}

async function watchReceiver(url: string, gateway: GatewayUnderTest, hubs: FleetHub[], seconds: number) {
  const browser = await openBrowser()
  const { page } = await openPage(browser)
  await prepareSampling(page)
  await page.goto(url)
  await page.locator('[data-ready]').waitFor()
  const seen = await underLoad(gateway, hubs, seconds, () => sample(page, () => sleep(seconds * 1000)))
  await browser.close()
  return seen
}

async function watchList(
  url: string,
  session: Session,
  gateway: GatewayUnderTest,
  hubs: FleetHub[],
  seconds: number,
) {
  const browser = await openBrowser()
  const { page } = await openPage(browser, { session })
  await prepareSampling(page)
  await page.goto(url)
  const rows = page.locator('main [data-row-key]')
  await rows.nth(5).waitFor()
  const seen = await underLoad(gateway, hubs, seconds, async () => {
    const before = await rows.allInnerTexts()
    const sampled = await sample(page, () => sleep(seconds * 1000))
    const after = await rows.allInnerTexts()
    if (before.every((text, i) => text === after[i])) throw new Error('No row changed while devices reported')
    return sampled
  })
  await browser.close()
  return seen
}
