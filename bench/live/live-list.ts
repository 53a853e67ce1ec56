import type { Page } from '@playwright/test'
import { openBrowser, signIn } from '../support/browser.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { serveFloor } from '../support/floor-server.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { PageSample } from '../support/live-page.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'
import { watchReceiver, watchScreen } from '../support/under-load.ts'

export const name = 'live-list'
export const bar =
  '2,000 devices listed, 1,000 status/s for 30 s: frames at least 0.95 of a page that only receives, ' +
  'at most 0.5 s extra long tasks, lag p95 under 0.5 s'

const DEVICES = 2_000
const DEVICES_PER_HUB = 100
const RATE = 1_000

/** The rendered rows of the device list. */
async function rows(page: Page): Promise<string[]> {
  const all = page.locator('main [data-row-key]')
  await all.nth(5).waitFor()
  return all.allInnerTexts()
}

/** Measures in turn the device list and a page that only receives the same messages, each in a new browser. */
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
  const load = { gateway, hubs, rate: RATE, seconds }
  const list: PageSample[] = []
  const receiver: PageSample[] = []
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    receiver.push(await watchReceiver(floor, owner, HomeID, load))
    list.push(await watchScreen(`${gateway.url}/DeviceList/${HomeID}`, session, load, rows))
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
      bar: { of: 'ratio', min: 0.95 },
    },
    {
      what: `long tasks more than the page that only receives, in ${seconds} s`,
      value: longTasks(list) - longTasks(receiver),
      unit: 's',
      bar: { of: 'value', max: 0.5 },
      note: `${longTasks(list).toFixed(2)} s against ${longTasks(receiver).toFixed(2)} s`,
    },
    {
      what: `lag from report to frame, ${title}, 95th percentile`,
      value: middle(list, age95),
      unit: 'ms',
      reference: { what: 'receives only', value: middle(receiver, age95) },
      bar: { of: 'value', max: 500 },
      note: `${Math.round(middle(list, (one) => one.ages.length) / seconds)} statuses arrived a second`,
    },
  ]
}
