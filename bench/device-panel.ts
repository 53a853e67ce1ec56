import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { runLoad } from '../simulator/load.ts'
import { openBrowser, openPage, signIn } from './support/browser.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median, percentile } from './support/statistics.ts'

export const name = 'device-panel'
export const bar = 'device panel, click to usable: under 150 ms with the list of 2,000 devices live behind it'

const DEVICES = 2_000
const DEVICES_PER_HUB = 100
/** Statuses per second while panels are opened. */
const RATE = 200
/** Seconds of load before the first click. */
const WARM_UP = 3
/** Number of rows that are opened, one after the other, from the first rendered one. */
const OPENED = 12

/** Opens one device after the other from a list of reporting devices; measures from the click to a clickable switch. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', DEVICES, ['516', '534'])
  const { HomeID, hubs } = await makeHome(gateway, owner, '總部', portions(devices, DEVICES_PER_HUB))
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  const rounds = quick ? 1 : 3
  const first: number[] = []
  const repeated: number[] = []
  const load = runLoad({
    url: gateway.mqttUrl,
    hubs,
    rate: RATE,
    seconds: WARM_UP + rounds * (quick ? 20 : 25),
  })
  await sleep(WARM_UP * 1000)
  for (let round = 0; round < rounds; round++) {
    const { page } = await openPage(browser, { session })
    await page.goto(`${gateway.url}/DeviceList/${HomeID}`)
    await page.locator('main [data-row-key]').nth(OPENED).waitFor()
    // Time that a user needs to find the row; the browser prefetches meanwhile.
    await page.waitForTimeout(3000)
    for (let row = 0; row < OPENED; row++) (row === 0 ? first : repeated).push(await open(page, row))
    await page.context().close()
  }
  await browser.close()
  const { unacknowledged } = await load
  if (unacknowledged) throw new Error(`${unacknowledged} reports were not acknowledged`)
  return [
    {
      what: `device panel, click to usable, ${DEVICES} devices at ${RATE} status/s`,
      value: median(repeated),
      unit: 'ms',
      bar: { of: 'value', max: 150 },
      note: `90th percentile ${Math.round(percentile(repeated, 0.9))} ms`,
    },
    { what: '… the first one of a page', value: median(first), unit: 'ms' },
  ]
}

/** Clicks a row's name; ms until a control of the panel can be clicked. Closes the panel again. */
async function open(page: Page, row: number): Promise<number> {
  const times = await page.evaluate(async (index) => {
    const link = document.querySelectorAll<HTMLElement>('main [data-row-key] a')[index]
    if (!link) throw new Error(`There is no row ${index}`)
    const click = () => {
      const control = document.querySelector('[role="dialog"] [role="switch"]')?.closest('label')
      const box = control?.getBoundingClientRect()
      return (
        control &&
        box &&
        control.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
      )
    }
    const clicked = performance.now()
    link.click()
    while (!click()) await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return performance.now() - clicked
  }, row)
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"]').waitFor({ state: 'hidden' })
  return times
}
