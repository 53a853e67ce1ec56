import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { floor, floorCalls, type FloorShape } from '../../contract/homes/floor.ts'
import { SCALE } from '../../contract/homes/shapes.ts'
import { openBrowser, openPage, type Session, signIn } from '../support/browser.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import { serveFloor } from '../support/floor-server.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { PageSample } from '../support/live-page.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'
import { type Load, underLoad, watchReceiver, watchScreen } from '../support/under-load.ts'

export const name = 'building'
export const bar =
  'a site of 300 rooms, 1,000 status/s: frames of its tiles and of its plan at least 0.95 of a page that only receives; ' +
  'tap on a room to its drawer usable in at most 100 ms'

const ROOMS = 300
const DEVICES = 2_100
const DEVICES_PER_HUB = 105
const RATE = 1_000
/** Number of rooms that are opened, one after the other. */
const OPENED = 12
/** Number of rooms in a row of the plan. */
const COLUMNS = 20
const PLAN = { width: 2000, height: 1500 }

/** Measures in turn the tiles, the plan and a page that only receives the same messages, each in a new browser. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', DEVICES, ['534', '514', '516', '528', '754', '753', '525'])
  const { HomeID, hubs, rooms } = await makeHome(gateway, owner, '總部', portions(devices, DEVICES_PER_HUB), {
    rooms: ROOMS,
  })
  const FloorID = await drawFloor(owner, gateway.url, HomeID, rooms)
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  await browser.close()
  const receiverPages = await serveFloor()

  const load = { gateway, hubs, rate: RATE, seconds: quick ? 10 : 30 }
  const address = `${gateway.url}/Building/${HomeID}`
  const [receiver, tiles, plan]: [PageSample[], PageSample[], PageSample[]] = [[], [], []]
  const samples: number[] = []
  for (let round = 0; round < (quick ? 1 : 3); round++) {
    receiver.push(await watchReceiver(receiverPages, owner, HomeID, load))
    tiles.push(
      await watchScreen(`${address}?floor=all`, session, load, namesOf('main li > button[data-state]')),
    )
    plan.push(await watchScreen(`${address}?floor=${FloorID}`, session, load, namesOf('svg [role="button"]')))
    samples.push(...(await openRooms(`${address}?floor=all`, session, load)))
  }
  const frames = (of: readonly PageSample[]) => median(of.map(({ framesPerSecond }) => framesPerSecond))
  const longTasks = (of: readonly PageSample[]) =>
    (median(of.map(({ longTaskMs }) => longTaskMs)) / 1000).toFixed(2)
  const compared = (what: string, of: readonly PageSample[]): Figure => ({
    what: `frames of ${what}, ${ROOMS} rooms, ${RATE} status/s`,
    value: frames(of),
    unit: 'fps',
    reference: { what: 'receives only', value: frames(receiver) },
    bar: { of: 'ratio', min: 0.95 },
    note: `long tasks in ${load.seconds} s: ${longTasks(of)} s against ${longTasks(receiver)} s`,
  })
  return [
    compared('the tiles', tiles),
    compared('the plan', plan),
    {
      what: 'tap on a room to its drawer usable, the same load',
      value: median(samples),
      unit: 'ms',
      bar: { of: 'value', max: 100 },
      note: `90th percentile ${Math.round(percentile(samples, 0.9))} ms`,
    },
  ]
}

/** Creates a floor with every room on its plan, as a grid. */
async function drawFloor(
  { call }: Owner,
  url: string,
  HomeID: string,
  rooms: readonly number[],
): Promise<number> {
  const { FloorID } = await call(floor.operations.create, { HomeID, FloorName: '1F' })
  const ContentType = 'image/png'
  const { UploadUrl } = await call(floorCalls.uploadPlan, { HomeID, FloorID, ContentType })
  const paper = await sharp({ create: { ...PLAN, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const sent = await fetch(new URL(UploadUrl, url), {
    method: 'PUT',
    headers: { 'content-type': ContentType },
    body: new Uint8Array(paper),
  })
  if (!sent.ok) throw new Error(`The plan was answered ${sent.status}`)
  const [width, height] = [SCALE / COLUMNS, SCALE / Math.ceil(rooms.length / COLUMNS)]
  const Shapes = rooms.map((RoomID, i): FloorShape => {
    const [left, top] = [(i % COLUMNS) * width, Math.floor(i / COLUMNS) * height]
    const corners = [
      [left, top],
      [left + width, top],
      [left + width, top + height],
      [left, top + height],
    ]
    return {
      RoomID,
      Points: corners.map(([x = 0, y = 0]): [number, number] => [Math.floor(x), Math.floor(y)]),
    }
  })
  await call(floor.operations.update, { HomeID, FloorID, Shapes })
  return FloorID
}

/** Labels of all rooms, once they are rendered. */
const namesOf = (selector: string) => async (page: Page) => {
  const all = page.locator(selector)
  await all.nth(ROOMS - 1).waitFor({ state: 'attached' })
  return all.evaluateAll((rooms) =>
    rooms.map((room) => room.getAttribute('aria-label') ?? room.textContent ?? ''),
  )
}

/** Opens one room after the other while devices report; returns the ms of each. */
async function openRooms(url: string, session: Session, load: Load): Promise<number[]> {
  const browser = await openBrowser()
  const { page } = await openPage(browser, { session })
  await page.goto(url)
  await namesOf('main li > button[data-state]')(page)
  const samples = await underLoad({ ...load, seconds: OPENED + 3 }, async () => {
    // Time that a user needs to find the room; the browser prefetches meanwhile.
    await sleep(1000)
    const each: number[] = []
    // The first is the default room, which contains only hubs.
    for (let room = 1; room <= OPENED; room++) each.push(await openRoom(page, room))
    return each
  })
  await browser.close()
  return samples
}

/** Taps a room; ms until its lights can be clicked. Closes the drawer again. */
async function openRoom(page: Page, room: number): Promise<number> {
  const samples = await page.evaluate(async (index) => {
    const tile = document.querySelectorAll<HTMLElement>('main li > button[data-state]')[index]
    if (!tile) throw new Error(`There is no room ${index}`)
    const click = () => {
      const control = document.querySelector('[role="dialog"] [data-tour="room"] button')
      const box = control?.getBoundingClientRect()
      return (
        control &&
        box &&
        control.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2))
      )
    }
    const tapped = performance.now()
    tile.click()
    while (!click()) {
      if (performance.now() - tapped > 10_000) throw new Error(`Room ${index} does not open`)
      await new Promise(requestAnimationFrame)
    }
    await new Promise(requestAnimationFrame)
    return performance.now() - tapped
  }, room)
  await page.keyboard.press('Escape')
  await page.locator('[role="dialog"]').waitFor({ state: 'hidden' })
  return samples
}
