import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import { insight } from '../../contract/energy/insight-calls.ts'
import { dayOf, formatDay, startOfDay } from '../../contract/time/periods.ts'
import { homeTariff as aTariff } from '../support/home-tariff.ts'
import { addHome, ZONE } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

for (const language of LANGUAGES)
  test(`${language}: explains a change, draws a load profile, and sets a budget`, async ({
    browser,
    company,
  }) => {
    const { product, owner, email } = company
    const HomeID = await addHome(company)
    const meter = `insight-${language}`
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `hub-${meter}`,
      devices: [{ PeripheralUID: meter, PeripheralType: '514', PeripheralName: meter }],
    })
    const today = dayOf(Date.now(), ZONE)
    let counter = 100
    for (let day = today - 14; day <= today; day++) {
      await hub.read(meter, { Timestamp: startOfDay(day, ZONE), AccumulatePower: counter })
      // Last week's consumption was twice as high.
      counter += day < today - 7 ? 24 : 48
    }
    await owner(homeTariff.updateHomeTariff, { HomeID, Tariffs: [aTariff()] })
    const person = await signIn(browser, product, language, email)
    const { page, words } = person
    const week = `${formatDay(today - 7)}..${formatDay(today - 1)}`

    await test.step('open the explanation of a change from Electricity with the same period', async () => {
      await person.open(`/electricity/${HomeID}?range=${week}&compare=previous`)
      await page.getByRole('link', { name: words('energy:whyChanged') }).click()
      await expect(page).toHaveURL((url) => url.searchParams.get('range') === week)
      await expect(
        page.getByText(words('insight:change.percentUsed.plain', { share: '+100.0%' })),
      ).toBeVisible()
      const total = page.getByRole('row', { name: words('insight:change.total') })
      await expect(total).toContainText('+168')
    })

    await test.step('show the hours of a week as a table of 168 cells', async () => {
      await page.getByRole('tab', { name: words('insight:tabs.profile') }).click()
      const cells = page.getByRole('table').getByRole('cell')
      await expect(cells).toHaveCount(168)
      await expect(cells.first()).toContainText('2')
    })

    await test.step('set a budget before there is a forecast', async () => {
      await page.getByRole('tab', { name: words('insight:tabs.forecast') }).click()
      await page.getByRole('spinbutton', { name: words('insight:budget.amount') }).fill('5000')
      await page.getByRole('button', { name: words('insight:budget.set') }).click()
      await expect(page.getByText(words('insight:budget.saved'))).toBeVisible()
      const { Budget } = await owner(insight.getForecast, { HomeID })
      expect(Budget).toEqual({ Unit: 'TWD', Period: 'bill', Amount: 5_000 })
    })
  })
