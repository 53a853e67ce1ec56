import { meterCorrections } from '../../contract/meters/correction-calls.ts'
import { tariff, type Tariff } from '../../contract/tariffs/tariff.ts'
import { dayOf, firstDayOf, formatDay, monthOfDay, startOfDay } from '../../contract/time/periods.ts'
import type { TariffVersion } from '../../contract/tariffs/tariff-terms.ts'
import { formatDate, formatPeriod } from '../../contract/time/format-time.ts'
import { addHome, ZONE } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** Same on every day of the year: 9 hours off-peak, 15 of peak. */
const DAY = [
  { FromMinute: 0, ThroughMinute: 540, Band: 'offPeak' as const },
  { FromMinute: 540, ThroughMinute: 1440, Band: 'peak' as const },
]
const version = (peak: number): TariffVersion => ({
  ValidFrom: '2020-01-01',
  ValidThrough: null,
  Kind: 'timeOfUse',
  Seasons: [
    {
      Season: 'allYear',
      From: '01-01',
      Through: '12-31',
      Windows: { weekday: DAY, saturday: DAY, offPeakDay: DAY },
      Prices: { peak, offPeak: 2 },
      Tiers: [],
      CapacityRates: {},
    },
  ],
  BasicCharge: { single: 0, three: 0 },
  Surcharge: null,
  MinimumBill: 0,
  PowerFactor: false,
})

for (const language of LANGUAGES)
  test(`${language}: selects a plan, corrects a band, and updates the bill of the month at once`, async ({
    browser,
    company,
  }) => {
    test.slow()
    const { product, owner, email } = company
    const HomeID = await addHome(company)
    const TariffName = `park ${language}`
    const { TariffID }: Tariff = await owner(tariff.operations.create, { TariffName, Versions: [version(5)] })
    const meter = `meter-${language}`
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `hub-${language}`,
      devices: [{ PeripheralUID: meter, PeripheralType: '514', PeripheralName: meter }],
    })
    // 2,400 kWh, evenly over the previous month: 1,500 of them in peak hours.
    const month = monthOfDay(dayOf(Date.now(), ZONE))
    const [first, end] = [firstDayOf(month - 1), firstDayOf(month)]
    const [From, To] = [startOfDay(first, ZONE), startOfDay(end, ZONE)]
    await hub.read(meter, { Timestamp: From, AccumulatePower: 100 })
    await hub.read(meter, { Timestamp: To, AccumulatePower: 2_500 })

    const person = await signIn(browser, product, language, email)
    const { page, words } = person
    const date = (day: string) => formatDate(day, language)
    const button = (key: string) => page.getByRole('button', { name: words(key), exact: true })
    const total = page.getByRole('row', { name: words('tariff:bill.total') })
    const openBill = async () => {
      await person.open(`/tariff/${HomeID}?tab=bill`)
      await button('tariff:bill.before').click()
      await expect(
        page.getByText(
          words('tariff:bill.of', { days: formatPeriod(formatDay(first), formatDay(end - 1), language) }),
        ),
      ).toBeVisible()
    }

    await test.step('select a plan from a date on', async () => {
      await person.open(`/tariff/${HomeID}`)
      await button('tariff:home.choose').click()
      const dialog = page.getByRole('dialog')
      const plan = dialog.getByRole('combobox', { name: words('tariff:home.plan') })
      await plan.fill(TariffName)
      await plan.press('Enter')
      await dialog.getByLabel(words('tariff:from')).fill('2025-01-01')
      await page.keyboard.press('Enter')
      await dialog.getByRole('button', { name: words('screens:save'), exact: true }).click()
      await expect(dialog).toBeHidden()
      await expect(
        page.getByText(words('tariff:span', { from: date('2025-01-01'), through: words('tariff:open') })),
      ).toBeVisible()
      await openBill()
      await expect(total).toContainText('NT$ 9,300.00')
    })

    await test.step('reject a day with a gap and name its minutes; apply the new price once fixed', async () => {
      await person.open(`/tariff/${HomeID}?tab=own`)
      const row = page.getByRole('listitem').filter({ hasText: TariffName })
      await row.getByRole('button', { name: words('tariff:edit'), exact: true }).click()
      const weekdays = page.getByRole('group', { name: words('tariff:days.weekday'), exact: true })
      await weekdays
        .getByRole('button', { name: words('tariff:home.remove'), exact: true })
        .last()
        .click()
      const hole = { span: '09:00–24:00', reason: words('errors:fields.hole') }
      await expect(page.getByRole('alert')).toHaveText(words('tariff:faultAt', hole))
      await expect(button('screens:save')).toBeDisabled()
      await weekdays.getByRole('button', { name: words('tariff:own.addWindow'), exact: true }).click()
      await expect(page.getByRole('alert')).toHaveCount(0)
      const band = weekdays.getByRole('combobox', { name: words('tariff:own.windowBand') }).last()
      await band.press('ArrowUp')
      await page
        .locator('.ant-select-dropdown:visible')
        .getByTitle(words('tariff:bands.peak'), { exact: true })
        .click()
      const price = words('tariff:own.price', { band: words('tariff:bands.peak') })
      await page.getByRole('spinbutton', { name: new RegExp(`^${price}`) }).fill('6')
      await button('screens:save').click()
      await expect(row).toBeVisible()
      await openBill()
      await expect(total).toContainText('NT$ 10,800.00')
    })

    await test.step('the page follows changes by others: a price, and the energy itself', async () => {
      await person.live()
      await owner(tariff.operations.update, { TariffID, Versions: [version(7)] })
      await expect(total).toContainText('NT$ 12,300.00')
      await owner(meterCorrections.createMeterCorrection, {
        HomeID,
        PeripheralUID: meter,
        Kind: 'interval',
        From,
        To,
        kWh: 4_800,
        Sharing: 'even',
        Note: 'bill',
      })
      await expect(total).toContainText('NT$ 24,600.00')
    })
    await person.leave()
  })
