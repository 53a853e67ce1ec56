import type { Page } from '@playwright/test'
import { pathTo, type PathName } from '../../src/navigation/paths.ts'
import { screens } from '../../src/screens.ts'
import { isThorough } from '../support/thorough.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { paramsIn } from './support/screen-params.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES, type Language } from './support/words.ts'

/** Widths of the screen by device, px; a device visits every screen once, and is then resized. */
const WIDTHS = { desktop: [1920, 1440, 1024, 768, 600], phone: [390, 320] } as const
const LANGUAGE_OF: Record<keyof typeof WIDTHS, Language> = { desktop: 'zh-TW', phone: 'en-US' }
const HEIGHT = 900

/** Number of consecutive screens of one test: as many as take no longer than other tests. */
const AT_ONCE = 10
const NAMES = Object.keys(screens) as PathName[]
const PARTS = NAMES.flatMap((_, i) => (i % AT_ONCE === 0 ? [NAMES.slice(i, i + AT_ONCE)] : []))

/** Faults of the page's layout, in words, and the width of its frame. */
interface Layout {
  faults: string[]
  /** Right edge of the page's frame, px. */
  right: number | undefined
}

/** Checks the page as a person sees it: nothing is wider than the screen, no two texts overlap, and there is one title. Runs in the browser. */
function probe(): Layout {
  const faults: string[] = []
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}.${String(element.getAttribute('class') ?? '').slice(0, 60)} “${(element.textContent ?? '').trim().slice(0, 30)}”`
  const main = document.querySelector('main') as HTMLElement
  const titles = main.querySelectorAll('h1').length
  if (titles !== 1) faults.push(`${titles} titles`)
  if (document.documentElement.scrollWidth > innerWidth) {
    const widest = [...main.querySelectorAll('*')].find(
      (element) => element.getBoundingClientRect().right > innerWidth + 1,
    )
    faults.push(`wider than the screen: ${widest ? nameOf(widest) : 'outside of main'}`)
  }
  // A white box says nothing, in a picture or to a screen reader. A part that is loading has its title.
  for (const card of main.querySelectorAll('section[class*="_card_"], article[class*="_card_"], .ant-card'))
    if (card.textContent?.trim() === '' && !card.querySelector('img, svg, canvas, input'))
      faults.push(`blank card: ${nameOf(card)}`)
  /** Visible parts of a text, a box for each line: ancestors with another overflow than `visible` cut them off. */
  const visibleBoxes = (text: Text): DOMRect[] => {
    const clips: DOMRect[] = []
    for (let parent = text.parentElement; parent && parent !== main; parent = parent.parentElement) {
      const { overflow, visibility, opacity, position } = getComputedStyle(parent)
      if (visibility !== 'visible' || opacity === '0' || position === 'fixed' || position === 'sticky')
        return []
      if (overflow !== 'visible') clips.push(parent.getBoundingClientRect())
    }
    const range = document.createRange()
    range.selectNodeContents(text)
    return [...range.getClientRects()].flatMap((line) => {
      const left = Math.max(line.left, ...clips.map((clip) => clip.left))
      const top = Math.max(line.top, ...clips.map((clip) => clip.top))
      const right = Math.min(line.right, ...clips.map((clip) => clip.right))
      const bottom = Math.min(line.bottom, ...clips.map((clip) => clip.bottom))
      return right - left > 3 && bottom - top > 3 ? [new DOMRect(left, top, right - left, bottom - top)] : []
    })
  }
  const texts: { text: Text; box: DOMRect }[] = []
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text
    if (text.data.trim() === '') continue
    if (text.parentElement?.closest('svg, canvas, .visually-hidden, [aria-busy="true"]')) continue
    texts.push(...visibleBoxes(text).map((box) => ({ text, box })))
  }
  texts.sort((a, b) => a.box.top - b.box.top)
  for (const [i, a] of texts.entries())
    for (const b of texts.slice(i + 1)) {
      if (b.box.top > a.box.bottom) break
      const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left)
      const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top)
      if (a.text !== b.text && across > 2 && down > 4)
        faults.push(`overlap: “${a.text.data.slice(0, 30)}” and “${b.text.data.slice(0, 30)}”`)
    }
  return {
    faults: faults.slice(0, 5),
    right: main.querySelector(':scope > section')?.getBoundingClientRect().right,
  }
}

/** Resolves when the page shows its data. */
async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('.ant-skeleton-active, .opening, [aria-busy="true"]')).toHaveCount(0)
}

/** Signed-in person and the addresses of the screens to visit. */
interface Walk {
  person: Person
  addressOf: (name: PathName) => string
}

/** One page for all tests of a worker and a language, because opening the application takes as long as looking at a screen. */
const walks = new Map<string, Promise<Walk>>()

/** Right edges of the frames of all visited screens by width of the screen. */
const edges = new Map<number, Map<number, PathName>>()

for (const device of Object.keys(WIDTHS) as (keyof typeof WIDTHS)[])
  for (const language of isThorough ? LANGUAGES : [LANGUAGE_OF[device]])
    test.describe(isThorough ? `${device}, ${language}` : device, () => {
      for (const part of PARTS)
        test(`no texts overlap on the screens from ${part[0]} to ${part.at(-1)}, and their frames have three widths`, async ({
          browser,
          demo,
        }) => {
          const key = `${device} ${language}`
          const walk =
            walks.get(key) ??
            (async () => {
              const paramsOf = await paramsIn(demo.owner)
              const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
                viewport: { width: WIDTHS[device][0], height: HEIGHT },
                ...(device === 'phone' && { hasTouch: true, isMobile: true }),
                ownBrowser: true,
              })
              return { person, addressOf: (name: PathName) => pathTo(name, paramsOf(name)) }
            })()
          walks.set(key, walk)
          const { person, addressOf } = await walk
          const { page } = person
          for (const name of part) {
            await page.setViewportSize({ width: WIDTHS[device][0], height: HEIGHT })
            await person.goTo(addressOf(name))
            for (const width of WIDTHS[device]) {
              await page.setViewportSize({ width, height: HEIGHT })
              await settle(page)
              let right: number | undefined
              const faults = async () => {
                const found = await page.evaluate(probe)
                right = found.right
                return found.faults
              }
              // The content of a card may load after its frame.
              await expect
                .configure({ soft: true })
                .poll(faults, { message: `${name} at ${width} px`, timeout: 10_000 })
                .toEqual([])
              if (name === 'Dashboard' && width === 390)
                expect
                  .soft(await page.evaluate(() => document.documentElement.scrollHeight), 'height on a phone')
                  .toBeLessThanOrEqual(1_700)
              if (right !== undefined) {
                const known = edges.get(width) ?? new Map<number, PathName>()
                edges.set(width, known.set(Math.round(right), known.get(Math.round(right)) ?? name))
              }
            }
          }
          for (const [width, known] of edges)
            expect
              .soft(known.size, `frames at ${width} px: ${JSON.stringify([...known])}`)
              .toBeLessThanOrEqual(3)
        })
    })
