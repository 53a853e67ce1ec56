import type { Page } from '@playwright/test'
import { bookings as bookingCalls } from '../contract/bookings/calls.ts'
import { conferenceRoom } from '../contract/bookings/conference-room.ts'
import { home } from '../contract/homes/home.ts'
import { formatDay, toEpoch, toWallTime } from '../contract/time/periods.ts'
import { openBrowser, openPage, type Session, signIn } from './support/browser.ts'
import { inTurns, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import { prepareSampling, sample } from './support/live-page.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median } from './support/statistics.ts'

export const name = 'booking-grid'
export const bar =
  'day grid of 50 rooms with 400 bookings: data arrived to painted under 300 ms; dragging at least 50 frames/s'

const ROOMS = 50
const PER_ROOM = 8
const ZONE = 'Asia/Taipei'
/** Minutes of the day at which each room's bookings begin, every hour and a half; each lasts an hour. */
const FIRST = 9 * 60
const EVERY = 90
const BLOCK = 'main [data-track] ~ button'
const TRACK = 'main [data-track]'
/** Distance of a drag back and forth in px, its repetitions and its step. */
const DRAG = { distance: 300, times: 6, step: 5 }

/** Opens a day of fifty rooms in a new browser, goes to the next day, and drags over a free time. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const { call } = await signUpOwner(gateway.url)
  const { HomeID } = await call(home.operations.create, { HomeName: '總部', TimeZone: ZONE })
  // Free until nine, independent of the time of the measurement.
  const day = toWallTime(Date.now(), ZONE).day + 1
  const rooms = Array.from({ length: ROOMS }, (_, i) => `會議室 ${String(i + 1).padStart(2, '0')}`)
  await inTurns(rooms, async (ConferenceRoomName) => {
    const { ConferenceRoomID } = await call(conferenceRoom.operations.create, {
      ConferenceRoomName,
      Capacity: 8,
      HomeID,
    })
    for (let i = 0; i < PER_ROOM; i++) {
      const StartTimestamp = toEpoch(day, FIRST + i * EVERY, ZONE)
      await call(bookingCalls.add, {
        ConferenceRoomID,
        StartTimestamp,
        EndTimestamp: StartTimestamp + 3_600_000,
        Subject: `${ConferenceRoomName} 週會 ${i + 1}`,
        Host: '王淑芬',
        Attendees: ['guest@bench.example', 'other@bench.example'],
      })
    }
  })
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  await browser.close()

  const opened: number[] = []
  const times: number[] = []
  const dragging: number[] = []
  const idle: number[] = []
  for (let run = 0; run < (quick ? 3 : 7); run++) {
    const seen = await openWalkAndDrag(gateway.url, day, session)
    opened.push(seen.opened)
    times.push(seen.walked)
    dragging.push(seen.dragging)
    idle.push(seen.idle)
  }
  const what = `day grid, ${ROOMS} rooms, ${ROOMS * PER_ROOM} bookings`
  return [
    {
      what: `${what}: bookings arrived to painted`,
      value: median(opened),
      unit: 'ms',
      bar: { of: 'value', max: 300 },
    },
    { what: '… walked to from the day before, click to painted', value: median(times), unit: 'ms' },
    {
      what: `${what}: dragging`,
      value: median(dragging),
      unit: 'fps',
      reference: { what: 'the same page at rest', value: median(idle) },
      bar: { of: 'value', min: 50 },
    },
  ]
}

async function openWalkAndDrag(url: string, day: number, session: Session) {
  const browser = await openBrowser()
  const { page } = await openPage(browser, { session })
  await prepareSampling(page)
  await noteBlocks(page)
  await page.goto(`${url}/ConferenceRoomBooking?date=${formatDay(day)}`)
  const opened = await paintedAfter(page)

  // Requests after the first screen (the live channel) are not part of navigating or dragging.
  await page.waitForTimeout(3000)
  await page.locator('main button:has(.anticon-left)').click()
  await page.locator(BLOCK).first().waitFor({ state: 'detached' })
  const times = await page.evaluate(async () => {
    const { blocksAt } = window as unknown as Noted
    const clicked = performance.now()
    document.querySelector<HTMLElement>('main button:has(.anticon-right)')?.click()
    while (blocksAt() === undefined) await new Promise(requestAnimationFrame)
    return (blocksAt() as number) - clicked
  })

  const idle = await sample(page, () => page.waitForTimeout(2000))
  const track = await page.locator(TRACK).nth(2).boundingBox()
  const from = await page.locator(`${TRACK} >> nth=2`).evaluate((element) => {
    // Free before nine: two and a half hours are visible left of the first booking.
    const frame = element.closest('[data-tracks]') as HTMLElement
    frame.scrollLeft = 0
    return element.getBoundingClientRect().left
  })
  const y = (track?.y ?? 0) + 20
  await page.mouse.move(from + 200, y)
  await page.mouse.down()
  const dragging = await sample(page, async () => {
    for (let i = 0; i < DRAG.times; i++)
      await page.mouse.move(from + 200 + (i % 2 === 0 ? DRAG.distance : 0), y, {
        steps: DRAG.distance / DRAG.step,
      })
  })
  const marked = await page.locator(`${TRACK} >> nth=2`).evaluate((element) => {
    const mark = element.parentElement?.lastElementChild as HTMLElement
    return mark.getBoundingClientRect().width
  })
  if (!(marked > 0)) throw new Error('Nothing was marked')
  await browser.close()
  return { opened, walked: times, dragging: dragging.framesPerSecond, idle: idle.framesPerSecond }
}

/** Functions that `noteBlocks` adds to the page. */
interface Noted {
  blocksAt: () => number | undefined
}

/** Milliseconds from the bookings' arrival until the frame after they are rendered. */
const paintedAfter = (page: Page): Promise<number> =>
  page.evaluate(async (path) => {
    const { blocksAt } = window as unknown as Noted
    while (blocksAt() === undefined) await new Promise(requestAnimationFrame)
    const calls = performance.getEntriesByType('resource').filter(({ name: url }) => url.endsWith(path))
    const ends = calls.map((call) => (call as PerformanceResourceTiming).responseEnd)
    return (blocksAt() as number) - Math.min(...ends)
  }, bookingCalls.getByStartTimestamp.path)

/** Makes the page record the start of the frame after the one in which bookings appear, each time they do. */
async function noteBlocks(page: Page): Promise<void> {
  await page.addInitScript((block) => {
    let there = false
    let at: number | undefined
    Object.assign(window, { blocksAt: () => at })
    const check = () => {
      const now = document.querySelector(block) !== null
      if (now !== there) {
        there = now
        at = undefined
        if (now) requestAnimationFrame(() => (at = performance.now()))
      }
      requestAnimationFrame(check)
    }
    requestAnimationFrame(check)
  }, BLOCK)
}
