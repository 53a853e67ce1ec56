import type { Locator } from '@playwright/test'
import { deviceTypes } from '../../contract/devices/kinds/registry.ts'
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
      await expect(main.getByText(words('automation:run.outcome.all', { count: 2 }))).toBeVisible()
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
    await expect(main.getByText(words('automation:run.outcome.all', { count: 2 }))).toBeVisible()
    await fits()
    await pressInMenu(person, '下班', words('automation:run.undo'))
    await goTo(`/GroupListing/${HomeID}`)
    await expect(main.getByText(words('automation:group.allOn', { count: 2 }))).toBeVisible()
  })
  await hub.end()
  await leave()
})

/** Appliances of a TaiSEIA device: its form follows from the one that it reports. */
const APPLIANCES = [1, 4, 14]

/** Controls of actions that are cut off, leave their row or overlap. Runs in the browser. */
function probeActions(): string[] {
  const faults: string[] = []
  for (const setting of document.querySelectorAll('main ol [role="group"]')) {
    const name = setting.getAttribute('aria-label') ?? ''
    const { right } = setting.getBoundingClientRect()
    const controls = [
      ...setting.querySelectorAll('.ant-segmented, .ant-select, .ant-slider, .ant-input-number, button'),
    ]
      .filter((control) => !control.parentElement?.closest('.ant-select, .ant-input-number'))
      .map((control) => control.getBoundingClientRect())
    const label = setting.firstElementChild?.firstChild
    if (label) {
      const range = document.createRange()
      range.selectNodeContents(label)
      controls.push(range.getBoundingClientRect())
    }
    for (const [i, a] of controls.entries()) {
      if (a.right > right + 1) faults.push(`${name}: outside of its row by ${a.right - right}`)
      for (const b of controls.slice(i + 1)) {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        if (across > 1 && down > 1) faults.push(`${name}: overlap`)
      }
    }
    for (const segment of setting.querySelectorAll('.ant-segmented-item-label'))
      if (segment.scrollWidth > segment.clientWidth)
        faults.push(`${name}: “${segment.textContent}” is cut off`)
  }
  return faults
}

for (const language of LANGUAGES)
  test(`${language}: the settings of every kind of device fit on every screen`, async ({
    browser,
    company,
  }) => {
    const HomeID = await addHome(company)
    const types = deviceTypes.filter(({ hidden }) => !hidden).map(({ type }) => type)
    const devices = types.flatMap((type) =>
      (type === '527' ? APPLIANCES : [0]).map((appliance) => ({
        PeripheralUID: `kind-${language}-${type}-${appliance}`.toLowerCase(),
        PeripheralType: type,
        PeripheralName: `${type} ${appliance}`,
        appliance,
      })),
    )
    const { hub } = await addOwnHub(company, { HomeID, DeviceName: `kinds-${language}`, devices })
    for (const { PeripheralUID, PeripheralType, appliance } of devices) {
      if (appliance > 0) await hub.report(PeripheralUID, { TaiSEIAType: appliance })
      if (PeripheralType === '525')
        await hub.report(PeripheralUID, { ThermostatTable: [{ NodeID: 1, Switch: 1 }] })
    }
    const { page, words, leave } = await signIn(browser, company.product, language, company.email, {
      at: `/updateScene/${HomeID}`,
    })
    const main = page.getByRole('main')
    await main.getByRole('button', { name: words('automation:actions.add') }).click()
    const picker = page.getByRole('dialog', { name: words('automation:picker.title') })
    await picker.getByRole('checkbox').first().check()
    await picker.locator('.ant-modal-footer .ant-btn-primary').click()
    await expect(main.locator('ol > li')).not.toHaveCount(0)
    const more = main.getByRole('button', {
      name: language === 'zh-TW' ? /其他 \d+ 項設定/ : /more settings?$/,
    })
    while ((await more.count()) > 0) await more.first().click()
    await expect(main.getByRole('group', { name: words('devices:fields.BreathMode') })).not.toHaveCount(0)
    for (const width of [1440, 768, 390]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(probeActions), `at ${width} px`).toEqual([])
    }
    await hub.end()
    await leave()
  })
