import type { Browser, Page, TestInfo } from '@playwright/test'
import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import { conferenceRoom } from '../../contract/bookings/conference-room.ts'
import { home } from '../../contract/homes/home.ts'
import { dayOf, monthOfDay, startOfMonth } from '../../contract/time/periods.ts'
import { homeTariff as aTariff } from '../support/home-tariff.ts'
import { addHome, ZONE, type Company } from './support/company.ts'
import { film } from './support/film.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const HOUR = 3_600_000
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const SITE = '內湖總部'
/** Room whose lights no other test of the run uses. */
const ROOM = { 'zh-TW': '研發部', 'en-US': '業務部' } as const

/** Films a task, on a phone of this width. */
function filmTask(browser: Browser, { page }: Person, info: TestInfo): Promise<() => Promise<void>> {
  const size = page.viewportSize()
  return film(browser, page, { info, name: 'task', ...(size && size.width < size.height && { size }) })
}

/**
 * Stores hourly readings of two meters in the last two complete months: lights used the same, the air conditioning three times as much in
 * the second. Returns the additional kWh of the second month.
 */
async function twoMonths(company: Company, HomeID: string): Promise<number> {
  const { hub } = await addOwnHub(company, {
    ...{ HomeID, DeviceName: 'hub-months' },
    devices: [
      { PeripheralUID: `${HomeID}-lights`, PeripheralType: '514', PeripheralName: '照明' },
      { PeripheralUID: `${HomeID}-chiller`, PeripheralType: '514', PeripheralName: '冰水主機' },
    ],
  })
  await company.owner(homeTariff.updateHomeTariff, { HomeID, Tariffs: [aTariff()] })
  const month = monthOfDay(dayOf(Date.now(), ZONE))
  const [from, last, end] = [month - 2, month - 1, month].map((one) => startOfMonth(one, ZONE)) as [
    number,
    number,
    number,
  ]
  const kwOf = { lights: () => 2, chiller: (at: number) => (at < last ? 1 : 3) }
  const readings = Object.entries(kwOf).flatMap(([name, kw]) => {
    let AccumulatePower = 100
    return Array.from({ length: (end - from) / HOUR + 1 }, (_, i) => {
      const Timestamp = from + i * HOUR
      if (i > 0) AccumulatePower += kw(Timestamp - HOUR)
      return { PeripheralUID: `${HomeID}-${name}`, Timestamp, AccumulatePower }
    })
  })
  await hub.readAll(readings)
  await hub.end()
  return (5 * (end - last) - 3 * (last - from)) / HOUR
}

/** Counts the clicks and taps on a page from now on; typing does not count. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    document.body.dataset['clicks'] = '0'
    // A press on a label fires two clicks, one of them for its field.
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
    test('switches off the lights of a room in at most 3 clicks', async ({ browser, demo }, info) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner)
      const { page, words } = person
      await person.live()
      const done = await filmTask(browser, person, info)
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
      await expect(page.getByText(words('automation:run.done'))).toBeVisible()
      await done()
      expect(await clicks()).toBeLessThanOrEqual(3)
      await person.leave()
    })

    test('books a room now on a phone in at most 3 taps', async ({ browser, company }, info) => {
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
      const done = await filmTask(browser, person, info)
      const clicks = await countClicks(page)
      await page.getByText(words('bookings:minutes', { count: 60 }), { exact: true }).tap()
      await page.getByRole('button', { name: /小會議室/ }).tap()
      await page.getByRole('button', { name: words('bookings:form.book'), exact: true }).tap()
      await expect(
        page.getByText(words('bookings:bookedOne', { room: '小會議室', when: '' }).trim()),
      ).toBeVisible()
      await done()
      expect(await clicks()).toBeLessThanOrEqual(3)
      await person.leave()
    })

    test('ranks what made last month more expensive in at most 3 clicks', async ({
      browser,
      company,
    }, info) => {
      const HomeID = await addHome(company)
      const more = await twoMonths(company, HomeID)
      const person = await signIn(browser, company.product, language, company.email, {
        at: `/DeviceList/${HomeID}`,
      })
      const { page, words } = person
      const done = await filmTask(browser, person, info)
      const clicks = await countClicks(page)
      await page.getByRole('button', { name: words('shell:header.searchOrRun') }).click()
      const why = words('search:verbs.whyMore.title')
      await page.getByRole('combobox', { name: words('search:placeholder') }).fill(why)
      await page.getByRole('option').filter({ hasText: why }).first().click()
      await expect(page).toHaveURL(/range=lastMonth&compare=previous&measure=cost&order=change/)
      const first = page.getByRole('tabpanel').getByRole('row').nth(1)
      await expect(first).toContainText('冰水主機')
      await expect(first).toContainText(/\+NT\$ [\d,]+/)
      const used = page.getByRole('button', { name: words('energy:measures.kwh') })
      await expect(used).toContainText(more.toLocaleString('en-US'))
      const compared = page.getByRole('combobox', { name: words('charts:period.compare') })
      await expect(compared).toHaveValue('previous')
      await done()
      expect(await clicks()).toBeLessThanOrEqual(3)
      await person.leave()
    })

    test('Back undoes device list filters one by one', async ({ browser, demo }) => {
      const homes = await demo.owner(home.operations.list, {})
      const HomeID = homes.find(({ HomeName }) => HomeName === SITE)?.HomeID ?? ''
      const person = await signIn(browser, demo, language, ACCOUNTS.viewer, { at: `/DeviceList/${HomeID}` })
      const { page, words } = person
      const chips = page.getByRole('group', { name: words('screens:devices.byState') })
      const isOn = chips.getByRole('button', { name: new RegExp(`^${words('devices:listStates.on')}`) })
      await isOn.click()
      await expect(page).toHaveURL(/\?state=on$/)
      await page.getByRole('combobox', { name: words('screens:devices.byPower') }).click()
      await page.locator('.ant-select-item-option', { hasText: '0.1 kW' }).first().click()
      await expect(page).toHaveURL(/\?state=on&watts=100\.\.$/)
      await page.goBack()
      await expect(page).toHaveURL(/\?state=on$/)
      // The address changes before the page.
      await expect(isOn).toHaveAttribute('aria-pressed', 'true')
      await page.goBack()
      await expect(page).toHaveURL(/\/DeviceList\/[^?]+$/)
      await expect(isOn).toHaveAttribute('aria-pressed', 'false')
      await person.leave()
    })
  })
