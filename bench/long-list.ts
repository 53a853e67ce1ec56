import type { Page } from '@playwright/test'
import { peripheral } from '../contract/devices/peripheral.ts'
import { openBrowser, openPage, type Session, signIn } from './support/browser.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import { prepareSampling, sample } from './support/live-page.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median } from './support/statistics.ts'

export const name = 'long-list'
export const bar =
  '10,000 devices: data arrived to first rows painted under 1 s; scrolling at least 50 frames/s'

const DEVICES = 10_000
const DEVICES_PER_HUB = 250
/** Scroll distance in px, and speed of a fast wheel in px per second. */
const SCROLL = { distance: 15_000, speed: 3_000 }
const ROW = 'main [data-row-key]'

/** Opens the list of a home with 10,000 devices in a new browser, and scrolls it. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', DEVICES, ['514', '516', '528', '534'])
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(devices, DEVICES_PER_HUB))
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  await browser.close()

  const painted: number[] = []
  const scrolling: number[] = []
  const idle: number[] = []
  for (let run = 0; run < (quick ? 2 : 5); run++) {
    const seen = await openAndScroll(`${gateway.url}/DeviceList/${HomeID}`, session)
    painted.push(seen.paintedAfter)
    scrolling.push(seen.scrolling)
    idle.push(seen.idle)
  }
  return [
    {
      what: `${DEVICES} devices: data arrived to first rows painted`,
      value: median(painted),
      unit: 'ms',
      bar: { of: 'value', max: 1000 },
    },
    {
      what: `${DEVICES} devices: scrolling`,
      value: median(scrolling),
      unit: 'fps',
      reference: { what: 'the same page at rest', value: median(idle) },
      bar: { of: 'value', min: 50 },
    },
  ]
}

async function openAndScroll(url: string, session: Session) {
  const browser = await openBrowser()
  const { page, devtools } = await openPage(browser, { session })
  await prepareSampling(page)
  await noteFirstRow(page, ROW)
  await page.goto(url)
  await page.locator(ROW).nth(5).waitFor()
  const paintedAfter = await page.evaluate((path) => {
    const { firstRowAt } = window as unknown as { firstRowAt: number }
    const calls = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith(path))
    const ends = calls.map((call) => (call as PerformanceResourceTiming).responseEnd)
    return firstRowAt - Math.min(...ends)
  }, peripheral.operations.list.path)

  // Requests after the first screen (the live channel) are not part of scrolling.
  await page.waitForTimeout(3000)
  const idle = await sample(page, () => page.waitForTimeout(2000))
  const box = await page.locator(ROW).nth(5).boundingBox()
  const before = await page.locator(ROW).first().innerText()
  const scrolling = await sample(page, () =>
    devtools.send('Input.synthesizeScrollGesture', {
      x: (box?.x ?? 0) + 100,
      y: (box?.y ?? 0) + 5,
      yDistance: -SCROLL.distance,
      speed: SCROLL.speed,
      preventFling: true,
      gestureSourceType: 'mouse',
    }),
  )
  if ((await page.locator(ROW).first().innerText()) === before) throw new Error('The list did not scroll')
  await browser.close()
  return { paintedAfter, idle: idle.framesPerSecond, scrolling: scrolling.framesPerSecond }
}

/** Makes the page record the start of the frame after the one with the first row. */
async function noteFirstRow(page: Page, row: string): Promise<void> {
  await page.addInitScript((selector) => {
    const check = () => {
      if (!document.querySelector(selector)) return void requestAnimationFrame(check)
      requestAnimationFrame(() => Object.assign(window, { firstRowAt: performance.now() }))
    }
    requestAnimationFrame(check)
  }, row)
}
