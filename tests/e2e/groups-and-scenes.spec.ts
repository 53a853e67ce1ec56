import type { Locator } from '@playwright/test'
import { addHome, type Company } from './support/company.ts'
import type { PlainHub } from './support/hub.ts'
import { addOwnHub } from './support/own-hub.ts'
import { pressInMenu, signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** Makes a lamp execute every command. */
function obeys(hub: PlainHub, uid: string): void {
  void hub.command(uid, 'Switch').then(async (command) => {
    obeys(hub, uid)
    await hub.acknowledge(command)
    await hub.report(uid, command.Values)
  })
}

/** Home with two lamps that are on. */
async function addLamps(company: Company, DeviceName: string) {
  const lamps = [1, 2].map((i) => ({
    PeripheralUID: `lamp-${DeviceName}-${i}`,
    PeripheralType: '516',
    PeripheralName: `Lamp ${i}`,
  }))
  const HomeID = await addHome(company)
  const { hub } = await addOwnHub(company, { HomeID, DeviceName, devices: lamps })
  for (const { PeripheralUID } of lamps) {
    await hub.report(PeripheralUID, { Switch: 1 })
    obeys(hub, PeripheralUID)
  }
  return { HomeID, lamps, hub }
}

for (const language of LANGUAGES)
  test(`${language}: groups lamps, captures them as a scene, runs it and undoes it`, async ({
    browser,
    company,
  }) => {
    const { HomeID, lamps, hub } = await addLamps(company, `acts-${language}`)
    const { page, words, goTo, live, leave } = await signIn(browser, company.product, language, company.email)
    await goTo(`/GroupListing/${HomeID}`)
    await live()
    const main = page.getByRole('main')
    const button = (name: string) => main.getByRole('button', { name })

    await test.step('the group shows the state of its lamps and switches them together', async () => {
      await button(words('resources:group.create')).first().click()
      await main.getByRole('textbox', { name: words('resources:group.fields.GroupName') }).fill('Lamps')
      for (const { PeripheralName } of lamps)
        await main.getByRole('checkbox', { name: PeripheralName }).check()
      await button(words('screens:save')).click()
      await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
      await main.getByRole('switch').click()
      await expect(main.getByText(words('automation:group.allOff', { count: 2 }))).toBeVisible()
    })

    await test.step('capture a scene from the current state of the lamps', async () => {
      await goTo(`/SceneList/${HomeID}`)
      await button(words('resources:scene.create')).first().click()
      await main.getByRole('textbox', { name: words('resources:scene.fields.SceneName') }).fill('Dark')
      await button(words('automation:capture.button')).click()
      const dialog = page.getByRole('dialog')
      for (const { PeripheralName } of lamps)
        await dialog.getByRole('checkbox', { name: PeripheralName }).check()
      await dialog.getByRole('button', { name: words('automation:capture.ok', { count: 2 }) }).click()
      await expect(main.getByText('Lamp 1')).toBeVisible()
      await button(words('screens:save')).click()
      await expect(main.getByText('Dark')).toBeVisible()
    })

    await test.step('the scene has run once its lamps confirm it', async () => {
      for (const { PeripheralUID } of lamps) await hub.report(PeripheralUID, { Switch: 1 })
      await button(words('automation:scene.runOf', { name: 'Dark' })).click()
      await expect(page.getByText(words('automation:run.done'), { exact: true })).toBeVisible()
      await expect(main.getByText(words('automation:run.states.done'))).toBeVisible()
    })

    await test.step('after undo the lamps are on as before', async () => {
      await button(words('automation:run.undo')).click()
      await goTo(`/GroupListing/${HomeID}`)
      await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
    })
    await hub.end()
    await leave()
  })

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Taps a target, which must be as large as a thumb. */
async function tap(target: Locator): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  expect((await target.boundingBox())?.height, await target.innerText()).toBeGreaterThanOrEqual(44)
  await target.tap()
}

test('creates a group and a scene by touch on a phone, runs it and undoes it', async ({
  browser,
  company,
}) => {
  const { HomeID, lamps, hub } = await addLamps(company, 'thumb')
  const person = await signIn(browser, company.product, 'zh-TW', company.email, {
    ...PHONE,
    at: `/GroupListing/${HomeID}`,
  })
  const { page, words, goTo, live, leave } = person
  await live()
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const button = (name: string) => main.getByRole('button', { name })
  const fits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await test.step('create a group that is switched as one', async () => {
    await tap(button(words('resources:group.create')).first())
    await main.getByRole('textbox', { name: words('resources:group.fields.GroupName') }).fill('走廊燈')
    for (const { PeripheralName } of lamps)
      await tap(main.locator('label').filter({ hasText: PeripheralName }))
    await fits()
    await tap(button(words('screens:save')))
    await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
    await fits()
    await main.getByRole('switch').tap()
    await expect(main.getByText(words('automation:group.allOff', { count: 2 }))).toBeVisible()
  })

  await test.step('capture a scene from the current state of the lamps', async () => {
    await goTo(`/SceneList/${HomeID}`)
    await tap(button(words('resources:scene.create')).first())
    await main.getByRole('textbox', { name: words('resources:scene.fields.SceneName') }).fill('下班')
    await tap(button(words('automation:capture.button')))
    for (const { PeripheralName } of lamps)
      await tap(dialog.locator('label').filter({ hasText: PeripheralName }))
    await tap(dialog.getByRole('button', { name: words('automation:capture.ok', { count: 2 }) }))
    await expect(main.getByText('Lamp 1')).toBeVisible()
    await fits()
    await tap(button(words('screens:save')))
    await expect(main.getByText('下班')).toBeVisible()
  })

  await test.step('run it and undo it', async () => {
    for (const { PeripheralUID } of lamps) await hub.report(PeripheralUID, { Switch: 1 })
    await tap(button(words('automation:scene.runOf', { name: '下班' })))
    await expect(main.getByText(words('automation:run.states.done'))).toBeVisible()
    await fits()
    await pressInMenu(person, '下班', words('automation:run.undo'))
    await goTo(`/GroupListing/${HomeID}`)
    await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
  })
  await hub.end()
  await leave()
})
