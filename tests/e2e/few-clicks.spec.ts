import type { Page } from '@playwright/test'
import { personal } from '../../contract/people/personal-calls.ts'
import { addHome } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** Counts the clicks of a person on a page, across reloads; the function returns them. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0
  await page.exposeFunction('countClick', () => void clicks++)
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ isTrusted }) => {
        if (isTrusted) (window as unknown as { countClick: () => void }).countClick()
      },
      true,
    )
  })
  await page.reload()
  return () => clicks
}
const DESK = { viewport: { width: 1440, height: 900 }, ownBrowser: true }
const PHONE = {
  ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  ownBrowser: true,
}
const LIGHT = '516'

for (const language of LANGUAGES) {
  test(`${language}: a facility manager turns off the lights of a room in two clicks`, async ({
    browser,
    company,
  }) => {
    const HomeID = await addHome(company)
    const lights = ['a', 'b'].map((name) => `${name}-${language}`)
    const { hub } = await addOwnHub(company, {
      ...{ HomeID, DeviceName: 'hub' },
      devices: lights.map((PeripheralUID) => ({
        ...{ PeripheralUID, PeripheralType: LIGHT, PeripheralName: PeripheralUID },
      })),
    })
    for (const light of lights) await hub.report(light, { Switch: 1 })
    const person = await signIn(browser, company.product, language, company.email, DESK)
    const { page, words } = person
    const clicks = await countClicks(page)
    await person.live()

    const room = page
      .getByRole('article')
      .filter({ hasText: words('dashboard:lights') })
      .last()
    await room.getByRole('link', { name: words('dashboard:lights'), exact: true }).click()
    const turnedOff = lights.map(async (light) => {
      const command = await hub.command(light, 'Switch')
      await hub.acknowledge(command)
      await hub.report(light, command.Values)
    })
    await page.getByRole('button', { name: words('lists:bulk.allOff', { count: 2 }) }).click()
    await Promise.all(turnedOff)
    const results = page.getByRole('dialog', { name: words('lists:results.off') })
    await expect(results.getByText(words('lists:results.done')).first()).toBeVisible()
    expect(clicks()).toBe(2)

    await test.step('and turns them on again, because it was the wrong room', async () => {
      const turnedOn = lights.map(async (light) => {
        const command = await hub.command(light, 'Switch')
        expect(command.Values).toEqual({ Switch: 1 })
        await hub.acknowledge(command)
        await hub.report(light, command.Values)
      })
      await results.getByRole('button', { name: words('lists:results.undo') }).click()
      await Promise.all(turnedOn)
    })
    await person.leave()
  })

  test(`${language}: an operator on a phone turns off the lights that are on in two clicks`, async ({
    browser,
    company,
  }) => {
    // Of several sites, as an operator has; a second one is enough.
    const HomeID = await addHome(company, `A ${language}`)
    await addHome(company, `B ${language}`)
    const light = `light-${language}`
    const { hub } = await addOwnHub(company, {
      ...{ HomeID, DeviceName: 'hub' },
      devices: [{ PeripheralUID: light, PeripheralType: LIGHT, PeripheralName: light }],
    })
    await hub.report(light, { Switch: 1 })
    const person = await signIn(browser, company.product, language, company.email, PHONE)
    const { page, words } = person
    const clicks = await countClicks(page)
    await person.live()

    await page.getByRole('link', { name: `${words('dashboard:lights')} 1` }).click()
    const turnedOff = hub.command(light, 'Switch')
    await page.getByRole('button', { name: words('lists:bulk.allOff', { count: 1 }) }).click()
    expect((await turnedOff).Values).toEqual({ Switch: 0 })
    expect(clicks()).toBe(2)
    await person.leave()
  })

  test(`${language}: an energy manager compares last month by room with last year in two clicks`, async ({
    browser,
    company,
  }) => {
    const HomeID = await addHome(company)
    const meter = `meter-${language}`
    const { hub } = await addOwnHub(company, {
      ...{ HomeID, DeviceName: 'hub' },
      devices: [{ PeripheralUID: meter, PeripheralType: '514', PeripheralName: meter }],
    })
    await hub.read(meter, { AccumulatePower: 1 })
    const name = 'Rooms'
    await company.owner(personal.updatePersonalConfig, {
      SavedViews: [
        { List: 'electricity', Name: name, Query: 'range=lastMonth&compare=lastYear&by=room', HomeID: null },
      ],
    })
    const person = await signIn(browser, company.product, language, company.email, {
      ...DESK,
      at: `/electricity/${HomeID}`,
    })
    const { page, words } = person
    const clicks = await countClicks(page)
    await page.getByRole('button', { name: words('lists:views.title') }).click()
    await page.getByRole('menuitemradio', { name }).click()
    await expect(page).toHaveURL(/range=lastMonth&compare=lastYear&by=room/)
    await expect(page.getByLabel(words('charts:period.preset'))).toHaveValue('lastMonth')
    expect(clicks()).toBe(2)

    await test.step('and sees what another view contains', async () => {
      await page.getByRole('button', { name: words('lists:views.title') }).click()
      await page.getByRole('menuitem', { name: words('lists:views.manage') }).click()
      const by = [
        words('charts:period.presets.lastMonth'),
        words('energy:by.room'),
        words('charts:period.comparisons.lastYear'),
      ].join(' · ')
      await expect(page.getByRole('dialog', { name: words('lists:views.title') })).toContainText(by)
    })
    await person.leave()
  })

  test(`${language}: an owner sees the cost of the month without a click or a scroll`, async ({
    browser,
    demo,
  }) => {
    for (const size of [DESK, PHONE]) {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, size)
      const { page, words } = person
      const cost = page
        .getByRole('list', { name: words('dashboard:kpi.title') })
        .getByRole('listitem')
        .filter({ hasText: words('dashboard:kpi.cost') })
      await expect(cost).toBeInViewport({ ratio: 1 })
      await person.leave()
    }
  })
}
