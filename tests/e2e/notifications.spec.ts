import { addHome } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const NORMAL = 1
const FIRE = 3

/** Bell with this number of unread notifications. */
const bell = ({ page, words }: Person, count: number) =>
  page.getByRole('button', {
    name: count === 0 ? words('shell:header.bell') : words('shell:header.bellCount', { count }),
    exact: true,
  })

for (const language of LANGUAGES)
  test(`shows a fire at the bell of every tab until it is read in one of them (${language})`, async ({
    browser,
    company,
  }) => {
    const HomeID = await addHome(company)
    const PeripheralUID = `smoke-${language}`
    const PeripheralName = `機房偵煙器 ${language}`
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `Hub ${language}`,
      devices: [{ PeripheralUID, PeripheralType: '756', PeripheralName }],
    })
    await hub.report(PeripheralUID, { SmokeState: NORMAL })
    const { product, email } = company
    const here = await signIn(browser, product, language, email)
    const there = await signIn(browser, product, language, email)
    const { page, words } = here
    await Promise.all([here.live(), there.live()])
    await expect(bell(here, 0)).toBeVisible()

    await hub.report(PeripheralUID, { SmokeState: FIRE })
    await Promise.all([here, there].map((person) => expect(bell(person, 1)).toBeVisible()))
    await expect(page.locator('.ant-notification-notice').filter({ hasText: PeripheralName })).toBeVisible()

    await bell(here, 1).click()
    const newest = page.getByRole('region', { name: words('inbox:panel.newest') })
    await expect(newest.getByRole('listitem').filter({ hasText: PeripheralName })).toBeVisible()
    await newest.getByRole('link', { name: words('inbox:panel.history') }).click()
    await expect(page).toHaveURL(new RegExp(`/historyNotification/${HomeID}$`))
    const row = page.getByRole('row').filter({ hasText: PeripheralName })
    await expect(row).toContainText(words('notifications:states.fire'))

    await row
      .getByRole('button')
      .filter({ hasText: words('inbox:read') })
      .click()
    await Promise.all([here, there].map((person) => expect(bell(person, 0)).toBeVisible()))
    await hub.end()
    await Promise.all([here.leave(), there.leave()])
  })
