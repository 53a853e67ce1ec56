import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { statusChange } from '../../contract/devices/channels/control.ts'
import type { FleetHub } from '../../simulator/building/building.ts'
import { runLoad } from '../../simulator/load.ts'
import { openBrowser, openPage, type Session } from './browser.ts'
import { type Owner, screenLogin } from './company.ts'
import type { GatewayUnderTest } from './gateway.ts'
import { type PageSample, prepareSampling, sample } from './live-page.ts'

/** Seconds of load before the first sample. */
const WARM_UP = 3

/** The reporting devices, and the duration of the sample. */
export interface Load {
  gateway: GatewayUnderTest
  hubs: readonly FleetHub[]
  /** Statuses per second. */
  rate: number
  seconds: number
}

/** Runs a task while hubs report, after a warm-up; throws if a report was not acknowledged. */
export async function underLoad<T>(
  { gateway, hubs, rate, seconds }: Load,
  work: () => Promise<T>,
): Promise<T> {
  const load = runLoad({ url: gateway.mqttUrl, hubs, rate, seconds: WARM_UP + seconds + 1 })
  await sleep(WARM_UP * 1000)
  const done = await work()
  const { unacknowledged } = await load
  if (unacknowledged) throw new Error(`${unacknowledged} reports were not acknowledged`)
  return done
}

/**
 * Samples, in a separate browser, a page that receives a home's statuses, parses them and renders nothing.
 *
 * floor  the address of the pages of bench/floor
 */
export async function watchReceiver(
  floor: string,
  owner: Owner,
  homeId: string,
  load: Load,
): Promise<PageSample> {
  const topic = statusChange.topic({ rootId: owner.rootId, homeId })
  const where = { ...(await screenLogin(load.gateway, owner)), topic }
  const url = `${floor}/receive.html#${encodeURIComponent(JSON.stringify(where))}`
  const browser = await openBrowser()
  const { page } = await openPage(browser)
  await prepareSampling(page)
  await page.goto(url)
  await page.locator('[data-ready]').waitFor()
  const seen = await underLoad(load, () => sample(page, () => sleep(load.seconds * 1000)))
  await browser.close()
  return seen
}

/**
 * Samples a page of the product in a separate browser; throws if its content did not change.
 *
 * readShown  returns, once the page has loaded, the texts that must change
 */
export async function watchScreen(
  url: string,
  session: Session,
  load: Load,
  readShown: (page: Page) => Promise<readonly string[]>,
): Promise<PageSample> {
  const browser = await openBrowser()
  const { page } = await openPage(browser, { session })
  await prepareSampling(page)
  await page.goto(url)
  await readShown(page)
  const seen = await underLoad(load, async () => {
    const before = await readShown(page)
    const sampled = await sample(page, () => sleep(load.seconds * 1000))
    const after = await readShown(page)
    if (before.every((text, i) => text === after[i]))
      throw new Error(`Nothing changed on ${url} while devices reported`)
    return sampled
  })
  await browser.close()
  return seen
}
