import type { BrowserContextOptions, Page } from '@playwright/test'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { home as homeResource } from '../../contract/homes/home.ts'
import { pathTo, paths, type PathName } from '../../src/navigation/paths.ts'
import { screens } from '../../src/screens.ts'
import { VIEW_PATHS } from '../../src/sign-in/views.ts'
import { isThorough } from '../support/thorough.ts'
import { CONTRAST, findings } from './support/axe.ts'
import { signIn, visit, type Person } from './support/person.ts'
import { paramsIn } from './support/screen-params.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import type { Language } from './support/words.ts'

const devices: Record<string, { language: Language; options: BrowserContextOptions }> = {
  desktop: { language: 'zh-TW', options: { viewport: { width: 1440, height: 900 } } },
  phone: {
    language: 'en-US',
    options: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  },
}

/** Number of consecutive screens of one test: as many as take no longer than other tests. */
const AT_ONCE = 6
const NAMES = Object.keys(screens) as PathName[]
const PARTS = NAMES.flatMap((_, i) => (i % AT_ONCE === 0 ? [NAMES.slice(i, i + AT_ONCE)] : []))

/** Elements that a device visits: every second one, so that the devices share them; all of them with THOROUGH=1. */
const shareOf = <T>(all: readonly T[], device: string): readonly T[] =>
  isThorough ? all : all.filter((_, i) => i % 2 === Object.keys(devices).indexOf(device))

/** Signed-in person and the addresses of the screens to visit. */
interface Walk {
  person: Person
  addressOf: (name: PathName) => string
}

/** Walks by device: one page for all tests of a worker, because opening the application takes as long as checking it. */
const walks = new Map<string, Promise<Walk>>()

function walkWith(device: string, begin: () => Promise<Walk>): Promise<Walk> {
  const walk = walks.get(device) ?? begin()
  walks.set(device, walk)
  return walk
}

/**
 * Checks the structure of the page. With THOROUGH=1 also its contrast, in both themes: a unit test computes that of every pair of colours
 * (tests/src/ui/theme/contrast.test.ts).
 */
async function look(page: Page, what: string): Promise<void> {
  await lookIn(page, what, 'light', isThorough ? {} : { exclude: [CONTRAST] })
  // Only colors differ.
  if (isThorough) await lookIn(page, what, 'dark', { include: [CONTRAST] })
}

async function lookIn(
  page: Page,
  what: string,
  colorScheme: 'light' | 'dark',
  rules: Parameters<typeof findings>[1],
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveCSS('color-scheme', colorScheme)
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('.ant-skeleton-active, .opening, [aria-busy="true"]')).toHaveCount(0)
  expect.soft(await findings(page, rules), `${what}, ${colorScheme}`).toEqual([])
}

for (const [device, { language, options }] of Object.entries(devices))
  test.describe(device, () => {
    test('the sign-in page and its variants have no serious accessibility violation', async ({
      browser,
      demo,
    }) => {
      const person = await visit(browser, demo, language, options)
      for (const path of shareOf(['/', ...Object.values(VIEW_PATHS)], device)) {
        await person.open(path)
        await look(person.page, path)
      }
      // With an error at every field.
      await person.open(VIEW_PATHS.signUp)
      await person.page.getByRole('button', { name: person.words('auth:signUp.submit'), exact: true }).click()
      await look(person.page, 'sign-up with faults')
      await person.leave()
    })

    for (const part of PARTS)
      test(`no screen from ${part[0]} to ${part.at(-1)} has a serious accessibility violation`, async ({
        browser,
        demo,
      }) => {
        const { person, addressOf } = await walkWith(device, async () => {
          const paramsOf = await paramsIn(demo.owner)
          return {
            person: await signIn(browser, demo, language, ACCOUNTS.owner, { ...options, ownBrowser: true }),
            addressOf: (name) => pathTo(name, paramsOf(name)),
          }
        })
        for (const name of shareOf(part, device)) {
          await person.goTo(addressOf(name))
          await look(person.page, `${name} (${paths[name].patterns[0]})`)
        }
      })

    test('the page for an unknown address has no serious accessibility violation', async ({
      browser,
      demo,
    }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        ...options,
        at: '/nothing/is/here',
      })
      await look(person.page, 'not found')
      await person.leave()
    })

    test('no dialog, menu or drawer has a serious accessibility violation', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, options)
      const { page, words } = person
      const [home] = await demo.owner(homeResource.operations.list, {})
      const HomeID = home?.HomeID ?? ''
      const { Peripherals } = await demo.owner(peripheral.operations.list, { HomeID })
      const list = pathTo('DeviceList', { HomeID })

      for (const [what, type] of [
        ['meter', '528'],
        ['dry contact', '517'],
        ['light', '535'],
      ] as const) {
        const device = Peripherals.find(({ PeripheralType }) => PeripheralType === type)
        await person.goTo(`${list}?device=${device?.PeripheralUID}`)
        await expect(page.getByRole('dialog', { name: device?.PeripheralName ?? '' })).toBeVisible()
        await look(page, `panel of a ${what}`)
      }

      await person.goTo(pathTo('RoomList', { HomeID }))
      await page.getByRole('button', { name: words('resources:room.create') }).click()
      await look(page, 'form in a dialog')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('screens:cancel') })
        .click()
      await expect(page.getByRole('dialog')).toHaveCount(0)

      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: words('search:placeholder') }).fill('a')
      await look(page, 'search')
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: words('shell:header.bell') }).click()
      await look(page, 'notifications')
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: words('shell:header.personal') }).click()
      await look(page, 'personal menu')
      await page.keyboard.press('Escape')
      if (device === 'phone') {
        await page.getByRole('button', { name: words('shell:bottomBar.more'), exact: true }).click()
        await look(page, 'side menu')
      }
      await person.leave()
    })
  })
