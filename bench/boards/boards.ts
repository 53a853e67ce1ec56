import type { Page } from '@playwright/test'
import { dashboard } from '../../contract/dashboards/dashboard.ts'
import { openBrowser, openPage, signIn } from '../support/browser.ts'
import { makeDevices, makeHome, type Owner, portions, signUpOwner } from '../support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median } from '../support/statistics.ts'

export const name = 'boards'
export const bar =
  'a dashboard of 40 cards: frames while a card is dragged at least 0.9 of a grid with that card alone; opened in at most 2.5 times what 8 cards take'

const KINDS = ['usage', 'hubs', 'attention', 'day', 'ranking', 'categories', 'demand', 'visitors'] as const
/** Number of pointer moves of a drag, one per frame. */
const MOVES = 120

/** Cards of every kind that needs only a site, three in a row. */
const cards = (count: number, HomeID: string) =>
  Array.from({ length: count }, (_, i) => {
    const Kind = KINDS[i % KINDS.length] ?? 'usage'
    const place = { CardID: `c${i}`, X: (i % 3) * 4, Y: Math.floor(i / 3) * 4, W: 4, H: 4 }
    const home = Kind === 'usage' || Kind === 'visitors' ? {} : { HomeID }
    return { ...place, Kind, ...home }
  })

async function addBoard({ call }: Owner, Name: string, count: number, HomeID: string): Promise<string> {
  const input = dashboard.operations.create.input.parse({ Name, Cards: cards(count, HomeID) })
  return (await call(dashboard.operations.create, input)).DashboardID
}

/** ms from navigation until the last visible card has content. */
async function open(page: Page, url: string): Promise<number> {
  const startedAt = performance.now()
  await page.goto(url)
  const board = page.locator('section[aria-labelledby="board-title"]')
  await board.scrollIntoViewIfNeeded()
  await board.locator('section[aria-busy="false"]').first().waitFor()
  await page.waitForFunction(() =>
    [...document.querySelectorAll('section[aria-labelledby="board-title"] section')].every(
      (card) => card.getBoundingClientRect().top > innerHeight || card.getAttribute('aria-busy') !== 'true',
    ),
  )
  return performance.now() - startedAt
}

/** Frames per second while the first card is dragged back and forth. */
async function drag(page: Page): Promise<number> {
  const board = page.locator('section[aria-labelledby="board-title"]')
  await board.locator('header button').first().click()
  const dragHandle = board.locator('button[aria-pressed]').first()
  await dragHandle.scrollIntoViewIfNeeded()
  const box = await dragHandle.boundingBox()
  if (!box) throw new Error('There is no card to drag')
  const [x, y] = [box.x + 40, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const frames = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now()
        let count = 0
        const next = () => {
          count++
          const elapsedMs = performance.now() - startedAt
          if (elapsedMs < 3000) requestAnimationFrame(next)
          else resolve((count * 1000) / elapsedMs)
        }
        requestAnimationFrame(next)
      }),
  )
  for (let i = 0; i < MOVES; i++) await page.mouse.move(x + 300 * Math.sin(i / 10), y + 150 * Math.sin(i / 7))
  const found = await frames
  await page.mouse.up()
  return found
}

/** Measures dashboards of 40, 8 and one card, in turn, each in a new page. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('device', 200, ['514', '516'])
  const { HomeID } = await makeHome(gateway, owner, '總部', portions(devices, 100))
  const boards = {
    many: await addBoard(owner, '40', 40, HomeID),
    few: await addBoard(owner, '8', 8, HomeID),
    one: await addBoard(owner, '1', 1, HomeID),
  }
  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  const durations: Record<keyof typeof boards, number[]> = { many: [], few: [], one: [] }
  const frames: Record<keyof typeof boards, number[]> = { many: [], few: [], one: [] }
  for (let round = 0; round < (quick ? 1 : 5); round++)
    for (const [board, id] of Object.entries(boards) as [keyof typeof boards, string][]) {
      const { page } = await openPage(browser, { session })
      durations[board].push(await open(page, `${gateway.url}/Dashboard?board=${id}`))
      if (board !== 'few') frames[board].push(await drag(page))
      await page.context().close()
    }
  await browser.close()
  return [
    {
      what: 'frames while a card of 40 is dragged',
      value: median(frames.many),
      unit: 'fps',
      reference: { what: 'a grid with that card alone', value: median(frames.one) },
      bar: { of: 'ratio', min: 0.9 },
    },
    {
      what: 'dashboard of 40 cards, address to cards in sight',
      value: median(durations.many),
      unit: 'ms',
      reference: { what: '8 cards', value: median(durations.few) },
      bar: { of: 'ratio', max: 2.5 },
    },
  ]
}
