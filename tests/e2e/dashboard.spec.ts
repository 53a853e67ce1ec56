import type { Page } from '@playwright/test'
import { FEATURES, OPERATIONS } from '../../contract/kernel/permissions.ts'
import { findings } from './support/axe.ts'
import { hire } from './support/company.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'

/** Maximum layout shift while later cards load; 0.1 is noticeable. */
const MOST_SHIFT = 0.05
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const card = ({ page, words }: Person, name: string) =>
  page.getByRole('region', {
    name: words(name === 'power' ? 'dashboard:cards.power' : `dashboard:cards.${name}`),
    exact: true,
  })

/** Measures layout shifts from the page's next load on. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const seen = globalThis as unknown as { shifted: number }
    seen.shifted = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shifted += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
const shifted = (page: Page) => page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted)

test('loads energy, rankings, warnings and hubs after the live figures without layout shift', async ({
  browser,
  demo,
}) => {
  const person = await signIn(browser, demo, 'zh-TW', ACCOUNTS.owner, {
    viewport: { width: 1440, height: 2400 },
    ownBrowser: true,
  })
  const { page, words } = person
  await watchShifts(page)
  await person.open('/Dashboard')
  await expect(page.getByRole('article').first()).toHaveAttribute('aria-busy', 'false')
  for (const name of ['usage', 'power', 'saving', 'day', 'ranking', 'categories', 'hubs']) {
    // Cards load when they come near.
    await page.evaluate(() => scrollBy(0, 400))
    await expect(card(person, name)).toHaveAttribute('aria-busy', 'false')
  }
  await expect(card(person, 'usage').getByText(words('energy:measures.kwh')).first()).toBeVisible()
  expect(await shifted(page)).toBeLessThan(MOST_SHIFT)
  expect(await findings(page)).toEqual([])

  await card(person, 'usage').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/electricity\/[^/]+\?range=month$/)
  await expect(page.getByRole('heading', { name: words('shell:pages.Electricity') })).toBeVisible()
  await person.leave()
})

test('keeps an arrangement of cards made by keyboard on a phone', async ({ browser, demo }) => {
  // Person whose dashboard no other test uses.
  const rights = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))
  const { Email } = await hire({ product: demo, owner: demo.owner }, 'Tidy', rights)
  const person = await signIn(browser, demo, 'en-US', Email, { ...PHONE, at: '/Dashboard' })
  const { page, words } = person
  const more = page.getByRole('button', { name: words('dashboard:more') })
  await more.click()
  await page.getByRole('button', { name: words('dashboard:arrange') }).scrollIntoViewIfNeeded()
  await card(person, 'usage').waitFor()
  await page.getByRole('button', { name: words('dashboard:arrange') }).press('Enter')
  const hubs = { card: words('dashboard:cards.hubs') }
  await page
    .getByRole('switch', { name: words('cards:show', { card: words('dashboard:cards.day') }) })
    .press('Space')
  const up = page.getByRole('button', { name: words('cards:up', hubs) })
  await up.focus()
  for (let place = 4; place >= 1; place--) {
    await page.keyboard.press('Enter')
    await expect(page.getByText(words('cards:moved', { ...hubs, place, count: 5 }))).toBeAttached()
    await expect(up).toBeFocused()
  }
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: words('cards:done'), exact: true }).press('Enter')
  await expect(page.getByRole('heading', { name: words('cards:arrangeTitle') })).toHaveCount(0)

  await page.reload()
  // Attention, power and sites are above the arranged cards.
  await expect(page.getByRole('region', { name: words('dashboard:attention.title') })).toBeVisible()
  await more.click()
  await page.getByRole('button', { name: words('dashboard:arrange') }).scrollIntoViewIfNeeded()
  await expect(card(person, 'hubs')).toBeVisible()
  await card(person, 'hubs').scrollIntoViewIfNeeded()
  await expect(card(person, 'usage')).toBeVisible()
  await expect(card(person, 'day')).toHaveCount(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await person.leave()
})
