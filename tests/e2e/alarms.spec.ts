import { alarms } from '../../contract/alarms/calls.ts'
import { automation } from '../../contract/automation/automation.ts'
import { home as homeResource } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { findings } from './support/axe.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

for (const language of LANGUAGES)
  test(`${language}: explains, acknowledges and shelves an alarm on a phone`, async ({ browser, demo }) => {
    const homes = await demo.owner(homeResource.operations.list, {})
    const HomeID = homes.find(({ HomeName }) => HomeName === '內湖總部')?.HomeID ?? ''
    const { Statuses } = await demo.owner(peripheral.operations.list, { HomeID })
    const meter = Statuses.find(({ Voltage }) => typeof Voltage === 'number' && Voltage > 0)
    const AutomationName = `Voltage ${language} ${Date.now()}`
    const { AutomationID } = await demo.owner(automation.operations.create, {
      HomeID,
      AutomationType: 4,
      AutomationName,
      Conditions: {
        PeripheralUIDs: [
          { PeripheralUID: meter?.PeripheralUID ?? '', Field: 'Voltage', Logical: '<', Status: 400 },
        ],
      },
      Actions: [],
      Alarm: { Severity: 'critical' },
    })
    const open = async () =>
      (await demo.owner(alarms.listAlarm, { HomeID, AutomationID, State: 'open' })).Rows[0]
    await expect.poll(open, { timeout: 60_000 }).toBeDefined()

    const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
      ...PHONE,
      at: `/Alarm/${HomeID}?tab=live&q=${encodeURIComponent(AutomationName)}`,
    })
    const { page, words } = person
    // At the name: the row's action is at the right.
    await page
      .getByRole('button', { name: AutomationName, exact: true })
      .first()
      .click({ position: { x: 70, y: 20 } })
    const drawer = page.getByRole('dialog', { name: AutomationName })
    await expect(drawer.getByText(words('alarms:why.rule', { name: AutomationName }))).toBeVisible()
    expect(await findings(page)).toEqual([])
    const act = (key: 'acknowledgeOf' | 'shelveOf') =>
      drawer.getByRole('button', { name: words(`alarms:acts.${key}`, { name: AutomationName }) })
    for (const button of [act('acknowledgeOf'), act('shelveOf')]) {
      const box = await button.boundingBox()
      // Within reach of a thumb, and large enough for it.
      expect(box?.y).toBeGreaterThan(PHONE.viewport.height / 2)
      expect(box?.height).toBeGreaterThanOrEqual(44)
    }
    await drawer.getByRole('textbox').fill('On my way')
    await act('acknowledgeOf').tap()
    await expect.poll(async () => (await open())?.Acknowledged?.Comment).toBe('On my way')
    await act('shelveOf').tap()
    const dialog = page.getByRole('dialog', {
      name: words('alarms:acts.shelveTitle', { name: AutomationName }),
    })
    await dialog.getByRole('textbox').fill('Test run')
    await dialog.getByRole('button', { name: words('alarms:acts.shelve') }).tap()
    await expect.poll(async () => (await open())?.Shelved?.Reason).toBe('Test run')
    await expect(drawer.getByText('Test run')).toBeVisible()
    await person.leave()
    await demo.owner(automation.operations.remove, { AutomationType: 4, AutomationID })
  })
