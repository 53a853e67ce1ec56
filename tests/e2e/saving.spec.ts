import { formatFigure, roundEstimate } from '../../contract/kernel/numbers.ts'
import { findings as findingCalls } from '../../contract/findings/calls.ts'
import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import { meterData } from '../../contract/energy/meter-data-calls.ts'
import { placeFacts } from '../../contract/homes/place-facts-calls.ts'
import {
  dayOf,
  firstDayOf,
  formatDay,
  monthOfDay,
  startOfDay,
  weekdayOf,
} from '../../contract/time/periods.ts'
import { DEMO_PASSWORD } from '../../scripts/demo-company.ts'
import { formatDate, formatPeriod } from '../../contract/time/format-time.ts'
import { homeTariff as aTariff } from '../support/home-tariff.ts'
import { seeded } from '../support/stored-energy.ts'
import { findings } from './support/axe.ts'
import { addHome, foundCompany, ZONE } from './support/company.ts'
import type { PlainHub } from './support/hub.ts'
import { browserLater, gatewayLater } from './support/later.ts'
import { addOwnHub } from './support/own-hub.ts'
import { enter, homeSelector, type Person, signIn, visit } from './support/person.ts'
import { expect, test } from './support/test.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
/** The findings job runs every 20 s. */
const LOOKED = { timeout: 90_000 }

const said = (amount: number | null) => `NT$ ${roundEstimate(amount ?? 0).toLocaleString('en-US')}`
const savingCard = ({ page, words }: Person) =>
  page.getByRole('region', { name: words('dashboard:cards.saving'), exact: true })

/** Hall with lights that stay on until eleven on workdays until the fault is fixed, and racks with constant power. */
class Hall {
  readonly random = seeded(3)
  private counters = { lights: 100, racks: 100 }
  private next: number
  constructor(first: number) {
    this.next = first
  }

  /** Sends hourly readings of its meters from the last one up to a day. */
  async count(hub: PlainHub, end: number, offAt: number): Promise<void> {
    for (const meter of ['lights', 'racks'] as const) {
      const readings: object[] = []
      let counter = this.counters[meter]
      for (let day = this.next; day < end; day++)
        for (let hour = 0; hour < 24; hour++) {
          const isLit = weekdayOf(day) % 6 !== 0 && hour >= 8 && hour < offAt
          const kw = meter === 'racks' ? 5 : isLit ? 6 : 0.4
          readings.push({
            PeripheralUID: meter,
            Timestamp: startOfDay(day, ZONE) + hour * HOUR,
            AccumulatePower: counter,
          })
          counter += kw * (0.95 + 0.1 * this.random())
        }
      readings.push({ PeripheralUID: meter, Timestamp: startOfDay(end, ZONE), AccumulatePower: counter })
      this.counters[meter] = counter
      await hub.readAll(readings)
    }
    this.next = end
  }
}

test('proves a finding, marks it as done, and verifies it a month later', async ({ browser, ownProduct }) => {
  test.slow()
  const company = await foundCompany(ownProduct)
  const { owner, email } = company
  const HomeID = await addHome(company)
  const { hub, reconnect: comeBack } = await addOwnHub(company, {
    HomeID,
    DeviceName: 'hub-hall',
    devices: [
      { PeripheralUID: 'lights', PeripheralType: '514', PeripheralName: '大廳照明' },
      { PeripheralUID: 'racks', PeripheralType: '514', PeripheralName: '伺服器機櫃' },
    ],
  })
  const today = dayOf(Date.now(), ZONE)
  await owner(homeTariff.updateHomeTariff, {
    HomeID,
    Tariffs: [aTariff({ PlanID: 'lv_standard', Capacities: { regular: 20 } })],
  })
  const hours = { Weekdays: [1, 2, 3, 4, 5], From: 480, To: 1080, Days: 'all' as const }
  await owner(placeFacts.setPlaceFact, { HomeID, RoomID: null, Fact: 'hours', Value: [hours], From: null })
  const hall = new Hall(today - 220)
  await hall.count(hub, today, 23)

  let found = await owner(findingCalls.getSaving, { HomeID })
  await expect
    .poll(async () => (found = await owner(findingCalls.getSaving, { HomeID })).State, LOOKED)
    .toBe('found')
  const person = await signIn(browser, ownProduct, 'zh-TW', email, { at: '/Dashboard', ownBrowser: true })
  const { page, words } = person
  const name = words('insight:findings.kinds.leftOn')
  const drawer = page.getByRole('dialog').filter({ hasText: '大廳照明' })

  await test.step('the dashboard shows the possible saving and links to the finding and its proof', async () => {
    await expect(savingCard(person)).toContainText(said(found.Amount))
    await savingCard(person).getByRole('link', { name, exact: true }).click()
    await expect(drawer).toContainText('大廳照明')
    await expect(drawer).toContainText(said(found.Top[0]?.Amount ?? null))
    await drawer.getByText(words('insight:findings.drawer.table')).click()
    // Yesterday, except in the first hours of a day, in which some of yesterday's readings may still arrive.
    await expect(drawer.getByRole('row', { name: formatDate(found.AsOf ?? 'none', 'zh-TW') })).toBeVisible()
    expect(await findings(page)).toEqual([])
  })

  await test.step('a matching schedule is prefilled', async () => {
    await drawer.getByRole('link', { name: words('insight:findings.links.schedule') }).click()
    await expect(page).toHaveURL(/updateSchedule/)
    await expect(
      page.getByRole('textbox', { name: words('resources:automation.fields.AutomationName') }),
    ).toHaveValue(`${name} · 大廳照明`)
    await page.goBack()
  })

  await test.step('a finding that is done leaves the possible saving', async () => {
    const done = words('insight:findings.acts.done')
    await drawer.getByRole('button', { name: done, exact: true }).click()
    const asked = page.getByRole('dialog', { name: words('insight:findings.acts.doneTitle') })
    await asked.getByRole('button', { name: done, exact: true }).click()
    await expect(drawer).toContainText(words('insight:findings.states.done'))
    await person.leave()
  })

  const later = 30 * DAY
  await test.step('a month later its saving has been measured', async () => {
    await hub.end()
    await ownProduct.kill()
    await ownProduct.restart(gatewayLater(later))
    const back = await comeBack()
    await hall.count(back, today + 1, 23)
    await hall.count(back, today + 30, 18)
    const then = await ownProduct.api.signIn(email, DEMO_PASSWORD)
    await expect
      .poll(async () => (found = await then(findingCalls.getSaving, { HomeID })).Verified.Count, LOOKED)
      .toBe(1)
    // Five hours of 21 or 22 workdays.
    expect(found.Verified.Amount).toBeGreaterThan(1_500)
    await back.end()
  })

  await test.step('it is verified on the dashboard and at the finding, with its days', async () => {
    const again = await visit(browserLater(browser, later), ownProduct, 'zh-TW')
    await enter(again, email)
    await expect(homeSelector(again)).toBeVisible()
    await again.goTo('/Dashboard')
    const amount = roundEstimate(found.Verified.Amount).toLocaleString('en-US')
    await expect(savingCard(again)).toContainText(words('insight:findings.verified', { amount, count: 1 }))
    await again.goTo(`/insight/${HomeID}?state=verified`)
    await again.page.getByText(name, { exact: true }).first().click()
    await expect(again.page.getByRole('dialog').filter({ hasText: '大廳照明' })).toContainText(
      formatPeriod(formatDay(today + 1), formatDay(today + 28), 'zh-TW'),
    )
    expect(await findings(again.page)).toEqual([])
    await again.leave()
  })
})

test('reads and prints a monthly report on a phone, and compares a Taipower bill with ours', async ({
  browser,
  company,
}) => {
  const { product, owner, email } = company
  const HomeID = await addHome(company)
  const { hub } = await addOwnHub(company, {
    HomeID,
    DeviceName: 'hub-report',
    devices: [{ PeripheralUID: 'report-meter', PeripheralType: '514', PeripheralName: '總表' }],
  })
  const month = monthOfDay(dayOf(Date.now(), ZONE))
  const [first, end] = [firstDayOf(month - 1), firstDayOf(month)]
  const Period = formatDay(first).slice(0, 7)
  await hub.readAll(
    Array.from({ length: end - first + 1 }, (_, i) => ({
      PeripheralUID: 'report-meter',
      Timestamp: startOfDay(first + i, ZONE),
      AccumulatePower: 100 + i * 81.7,
    })),
  )
  await owner(homeTariff.updateHomeTariff, { HomeID, Tariffs: [aTariff()] })
  const { Series } = await owner(meterData.getEnergySeries, {
    HomeID,
    From: startOfDay(first, ZONE),
    To: startOfDay(end, ZONE),
    Resolution: 'month',
  })
  const [of] = Series[0]?.Points ?? []
  const person = await signIn(browser, product, 'zh-TW', email, {
    ...PHONE,
    at: `/electricity/${HomeID}?range=${Period}`,
  })
  const { page, words } = person

  await test.step('the report has the figures of the electricity page', async () => {
    const totals = page.getByRole('region', { name: words('energy:totals') })
    await expect(totals).toContainText(formatFigure(of?.kWh))
    await person.open(`/report/${HomeID}/monthly/${Period}`)
    const sheet = page.getByRole('article')
    const row = (name: string) =>
      sheet
        .getByRole('row', { name: words(`report:figures.${name}`) })
        .getByRole('cell')
        .first()
    await expect(row('kwh')).toHaveText(formatFigure(of?.kWh))
    await expect(row('cost')).toHaveText(formatFigure(of?.Cost))
    await expect(row('carbon')).toHaveText(formatFigure(of?.CarbonKg))
    expect(await findings(page)).toEqual([])
  })

  await test.step('print only the sheet', async () => {
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('article')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
    await expect(page.getByRole('button', { name: words('report:tools.print') })).toBeHidden()
    await page.emulateMedia({ media: null })
  })

  await test.step('enter a bill and compare it line by line to its total', async () => {
    await person.open(`/tariff/${HomeID}?tab=bill`)
    await page.getByRole('link', { name: words('tariff:bill.utility') }).click()
    await page
      .getByRole('button', { name: words('resources:utilityBill.create') })
      .first()
      .click()
    const form = page.getByRole('dialog')
    const field = (name: string) =>
      form.getByLabel(words(`resources:utilityBill.fields.${name}`), { exact: true })
    await field('SupplyNo').fill('07-12-3456-78-9')
    for (const [name, day] of [
      ['From', first],
      ['Through', end - 1],
    ] as const) {
      await field(name).fill(formatDay(day))
      await page.keyboard.press('Enter')
    }
    const part = words('resources:utilityBill.part', { part: words('tariff:bands.peak'), unit: 'kWh' })
    await form.getByRole('spinbutton', { name: part, exact: true }).fill('2500')
    await field('Total').fill('12345.67')
    await form.getByRole('button', { name: words('screens:save') }).click()
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: words('resources:utilityBill.compare.button') }).click()
    const steps = page.getByRole('table', { name: words('resources:utilityBill.compare.caption') })
    await expect(steps.getByRole('row').last()).toContainText('12,345.67')
    const amounts = (await steps.locator('tbody td').allInnerTexts()).map((text) =>
      Number(text.replaceAll(',', '').replace('−', '-')),
    )
    expect(Math.round(amounts.reduce((sum, one) => sum + one, 0) * 100)).toBe(1_234_567)
    expect(await findings(page)).toEqual([])
  })
  await hub.end()
  await person.leave()
})
