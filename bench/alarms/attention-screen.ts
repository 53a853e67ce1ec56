import type { Page } from '@playwright/test'
import { openBrowser, signIn } from '../support/browser.ts'
import { makeDevices, makeHome, portions, signUpOwner } from '../support/company.ts'
import { serveFloor } from '../support/floor-server.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { PageSample } from '../support/live-page.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median } from '../support/statistics.ts'
import { watchReceiver, watchScreen } from '../support/under-load.ts'

const DEVICES = 2_000
const DEVICES_PER_HUB = 100
const RATE = 1_000

/** Measures in turn the dashboard and a page that only receives the same messages, each in a new browser. */
export async function attentionScreen({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', DEVICES, ['514', '516', '528', '534', '754', '756'])
  const { HomeID, hubs } = await makeHome(gateway, owner, '總部', portions(devices, DEVICES_PER_HUB))
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  await browser.close()
  const floor = await serveFloor()

  const load = { gateway, hubs, rate: RATE, seconds: quick ? 10 : 30 }
  const [dashboard, receiver]: [PageSample[], PageSample[]] = [[], []]
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    receiver.push(await watchReceiver(floor, owner, HomeID, load))
    dashboard.push(await watchScreen(`${gateway.url}/Dashboard`, session, load, shownTexts))
  }
  const frames = (of: readonly PageSample[]) => median(of.map(({ framesPerSecond }) => framesPerSecond))
  const longTasks = (of: readonly PageSample[]) =>
    (median(of.map(({ longTaskMs }) => longTaskMs)) / 1000).toFixed(2)
  return [
    {
      what: `frames of the dashboard, ${DEVICES} devices, ${RATE} status/s`,
      value: frames(dashboard),
      unit: 'fps',
      reference: { what: 'receives only', value: frames(receiver) },
      bar: { of: 'ratio', min: 0.95 },
      note: `long tasks in ${load.seconds} s: ${longTasks(dashboard)} s against ${longTasks(receiver)} s`,
    },
  ]
}

/** Texts of the dashboard after the verdict has loaded; they include the verdict and the current power. */
async function shownTexts(page: Page): Promise<string[]> {
  await page.locator('main [data-verdict]').waitFor()
  return [await page.locator('main').innerText()]
}
