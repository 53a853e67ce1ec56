import type { Page } from '@playwright/test'
import { conferenceRoom } from '../../contract/resources/conference-room.ts'
import { home } from '../../contract/resources/home.ts'
import { addHome } from './support/company.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const SITE = '內湖總部'
/** Its lights are nobody else's in the run. */
const ROOM = { 'zh-TW': '研發部', 'en-US': '業務部' } as const

/** Counts the clicks and taps on a page from now on; what is typed is no click. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.body.dataset['clicks'] = '0'
    // A press on a label is told as two clicks, one of them its field's.
    addEventListener(
      'pointerdown',
      ({ isTrusted }) => {
        const { dataset } = document.body
        if (isTrusted) dataset['clicks'] = String(Number(dataset['clicks']) + 1)
      },
      { capture: true },
    )
  })
  return async () => Number(await page.evaluate(() => document.body.dataset['clicks']))
}

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('the lights of a room are switched off with at most 3 clicks', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner)
      const { page, words } = person
      await person.live()
      const clicks = await countClicks(page)
      await page.getByRole('button', { name: words('shell:header.searchOrRun') }).click()
      const search = page.getByRole('combobox', { name: words('search:placeholder') })
      await search.fill(`${ROOM[language]} ${words('search:verbs.lightsOff.title')}`)
      await page
        .getByRole('option')
        .filter({
          hasText: words('search:deed', {
            object: ROOM[language],
            verb: words('search:verbs.lightsOff.title'),
          }),
        })
        .first()
        .click()
      await expect(page.getByText(words('automation:run.done'))).toBeVisible({ timeout: 20_000 })
      expect(await clicks()).toBeLessThanOrEqual(3)
      await person.leave()
    })

    test('a room is booked now on a phone with at most 3 taps', async ({ browser, company }) => {
      const HomeID = await addHome(company)
      await company.owner(conferenceRoom.operations.create, {
        ConferenceRoomName: '小會議室',
        Capacity: 4,
        HomeID,
      })
      const person = await signIn(browser, company.product, language, company.email, {
        at: '/ConferenceRoomBooking',
        ...PHONE,
      })
      const { page, words } = person
      const clicks = await countClicks(page)
      await page.getByText(words('bookings:minutes', { count: 60 }), { exact: true }).tap()
      await page.getByRole('button', { name: /小會議室/ }).tap()
      await page.getByRole('button', { name: words('bookings:form.book'), exact: true }).tap()
      await expect(page.getByText(words('bookings:booked', { count: 1 }))).toBeVisible()
      expect(await clicks()).toBeLessThanOrEqual(3)
      await person.leave()
    })

    test('what made last month cost more is ranked after at most 3 clicks', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner)
      const { page, words } = person
      const homes = await demo.owner(home.operations.list, {})
      const HomeID = homes.find(({ HomeName }) => HomeName === SITE)?.HomeID ?? ''
      await person.go(`/DeviceList/${HomeID}`)
      const clicks = await countClicks(page)
      await page.getByRole('button', { name: words('shell:header.searchOrRun') }).click()
      const why = words('search:verbs.whyMore.title')
      await page.getByRole('combobox', { name: words('search:placeholder') }).fill(why)
      await page.getByRole('option').filter({ hasText: why }).first().click()
      await expect(page).toHaveURL(/range=lastMonth&compare=previous&measure=cost&order=change/)
      const ranking = page.getByRole('tabpanel')
      await expect(ranking).toContainText(words('electricity:ranking.change'))
      await expect(page.getByRole('main')).toContainText(words('charts:period.presets.lastMonth'))
      await expect(page.getByRole('main')).toContainText(words('charts:period.comparisons.previous'))
      expect(await clicks()).toBeLessThanOrEqual(3)
      await person.leave()
    })

    test('Back undoes filters of the device list one by one', async ({ browser, demo }) => {
      const homes = await demo.owner(home.operations.list, {})
      const HomeID = homes.find(({ HomeName }) => HomeName === SITE)?.HomeID ?? ''
      const person = await signIn(browser, demo, language, ACCOUNTS.viewer, { at: `/DeviceList/${HomeID}` })
      const { page, words } = person
      const chips = page.getByRole('group', { name: words('screens:devices.byState') })
      const isOn = chips.getByRole('button', { name: new RegExp(`^${words('devices:listStates.on')}`) })
      await isOn.click()
      await expect(page).toHaveURL(/\?state=on$/)
      await page.getByRole('combobox', { name: words('screens:devices.byPower') }).click()
      await page.locator('.ant-select-item-option', { hasText: '100 W' }).first().click()
      await expect(page).toHaveURL(/\?state=on&watts=100\.\.$/)
      await page.goBack()
      await expect(page).toHaveURL(/\?state=on$/)
      await page.goBack()
      await expect(page).toHaveURL(/\/DeviceList\/[^?]+$/)
      await expect(isOn).toHaveAttribute('aria-pressed', 'false')
      await person.leave()
    })
  })
