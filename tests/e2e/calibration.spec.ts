import type { Locator } from '@playwright/test'
import { FEATURES, OPERATIONS } from '../../contract/kernel/permissions.ts'
import { peripheral, type Peripheral } from '../../contract/devices/peripheral.ts'
import type { Calibration } from '../../contract/devices/capabilities/light-house.ts'
import { home } from '../../contract/homes/home.ts'
import { addHome, foundCompany, hire, type Company } from './support/company.ts'
import type { PlainHub } from './support/hub.ts'
import { addOwnHub, type OwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS, type Demo } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const RED = { Red: 244, Green: 33, Blue: 28 }
const GREEN = { Red: 22, Green: 196, Blue: 84 }
/** Names of a company's owner and its second person. */
const [OWNER, FACILITY] = ['擁有者測試', '廠務管理']
const PHONE = { viewport: { width: 390, height: 844 } }

/** Home of the demo's towers, and all its devices. */
async function towersOf({ owner }: Demo): Promise<{ HomeID: string; Peripherals: Peripheral[] }> {
  const homes = await owner(home.operations.list, {})
  const HomeID = homes.find(({ HomeName }) => HomeName === '台中精機園區工廠')?.HomeID ?? ''
  return { HomeID, Peripherals: (await owner(peripheral.operations.list, { HomeID })).Peripherals }
}

/** Tower at a home of the company whose hub the test simulates, and the address of its page. */
async function addTower(
  company: Company,
): Promise<OwnHub & { HomeID: string; uid: string; address: string }> {
  const HomeID = await addHome(company)
  const uid = 'tower'
  const devices = [{ PeripheralUID: uid, PeripheralType: '515', PeripheralName: '測試三色燈' }]
  const own = await addOwnHub(company, { HomeID, DeviceName: 'Hub', devices })
  return { ...own, HomeID, uid, address: `/DeviceInfo/${HomeID}/${uid}` }
}

const dark = { Sensor1: 0, Sensor2: 0, Sensor3: 0, Sensor4: 0, Sensor5: 0, BlinkRate: 0 }

/** Waits for the next step requested of the device, and executes it: acknowledges and reports. */
async function play(
  hub: PlainHub,
  uid: string,
  act: () => Promise<void>,
  report: Calibration,
): Promise<unknown> {
  const next = hub.command(uid, 'Calibration')
  await act()
  const command = await next
  await hub.acknowledge(command)
  await hub.report(uid, { Calibration: report })
  return command.Values['Calibration']
}

const wizard = ({ page, words }: Person): Locator =>
  page.getByRole('dialog', { name: words('lightHouse:title') })
const heading = (person: Person, stage: string): Locator =>
  wizard(person).getByRole('heading', { name: person.words(`lightHouse:steps.${stage}`) })

/** Opens the wizard on the page of a tower. */
async function openWizard(person: Person, button: 'open' | 'resume'): Promise<void> {
  await person.live()
  await person.page.getByRole('button', { name: person.words(`lightHouse:${button}`) }).click()
  await expect(wizard(person)).toBeVisible()
}
const press = (person: Person, action: string) =>
  wizard(person)
    .getByRole('button', { name: person.words(`lightHouse:do.${action}`), exact: true })
    .last()
    .click()

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('shows each state of a signal tower in words, not only by color', async ({ browser, company }) => {
      const { product, owner, email } = company
      const { hub, HomeID, uid, address } = await addTower(company)
      await hub.report(uid, { ...dark, Colors: [RED], Calibration: { Step: 'idle' } })
      const person = await signIn(browser, product, language, email, { at: address })
      const { page, words } = person
      await person.live()
      const tower = page.getByRole('region', { name: words('lightHouse:tower') })
      const named = (lamp: string, state: string) =>
        tower.getByText(words('devices:lamps.state', { lamp, state: words(`devices:values.${state}`) }))
      const lamp = (color: string, state: string) => named(words(`devices:lamps.${color}`), state)
      await expect(lamp('red', 'noLight')).toBeVisible()
      await hub.report(uid, { Sensor1: 1 })
      await expect(lamp('red', 'lit')).toBeVisible()
      // Only the first lamp has its color; those of the others are not entered yet.
      for (const number of [2, 3, 4, 5])
        await expect(named(words('devices:lamps.unknown', { number }), 'noLight')).toBeVisible()
      await hub.report(uid, { Sensor1: 2, BlinkRate: 120 })
      await expect(lamp('red', 'flashing')).toBeVisible()
      await expect(tower.getByText(words('lightHouse:blinkRate', { rate: 120 }))).toBeVisible()

      await test.step('raises an alarm at the configured flash rate', async () => {
        await expect(page.getByText(words('lightHouse:abnormalNote'))).toHaveCount(0)
        await page.getByLabel(words('lightHouse:settings.rate')).fill('100')
        await page.getByRole('button', { name: words('lightHouse:settings.save') }).click()
        await expect(page.getByText(words('lightHouse:abnormalNote'))).toBeVisible()
      })

      await test.step('rejects sensors of one lamp that are not adjacent', async () => {
        await page.getByRole('switch', { name: words('lightHouse:settings.custom') }).click()
        const choose = async (sensor: number, number: number, name: string) => {
          await page
            .getByRole('combobox', { name: words('lightHouse:settings.sensor', { number: sensor }) })
            .press('Enter')
          await page
            .locator('.ant-select-dropdown:visible')
            .getByTitle(
              words('lightHouse:settings.lampOption', { number, name: words(`devices:lamps.${name}`) }),
            )
            .click()
        }
        await choose(3, 1, 'red')
        await expect(page.getByText(words('errors:fields.notAdjacent'))).toBeVisible()
        await expect(page.getByRole('button', { name: words('lightHouse:settings.save') })).toBeDisabled()
        await choose(2, 1, 'red')
        await expect(page.getByText(words('errors:fields.notAdjacent'))).toHaveCount(0)
        await page.getByRole('button', { name: words('lightHouse:settings.save') }).click()
        const sensors = words('lightHouse:sensors', {
          count: 3,
          numbers: [1, 2, 3].join(words('screens:listComma')),
        })
        await expect(tower.getByText(sensors)).toBeVisible()
      })
      const { Peripheral } = await owner(peripheral.operations.get, { HomeID, PeripheralUID: uid })
      expect(Peripheral).toMatchObject({ AbnormalBlinkRate: 100, LightHouseThreshold: null })
      await hub.end()
      await person.leave()
    })

    test('continues a calibration in another browser, after the hub was offline, and after a gateway restart', async ({
      browser,
      ownProduct: product,
    }) => {
      const company = await foundCompany(product)
      const { hub: first, reconnect: comeBack, uid, address } = await addTower(company)
      let hub = first
      await hub.report(uid, { ...dark, Calibration: { Step: 'idle' } })
      const desk = await signIn(browser, product, language, company.email, { at: address })
      const phone = await signIn(browser, product, language, company.email, { ...PHONE, at: address })
      const { words } = desk

      await test.step('begin at the desk', async () => {
        await openWizard(desk, 'open')
        await wizard(desk).getByText(words('lightHouse:types.column'), { exact: true }).click()
        const asked = await play(hub, uid, () => press(desk, 'begin'), at('initialized'))
        expect(asked).toEqual({ Step: 'initialized', LightType: 'column' })
        await expect(heading(desk, 'lightsOn')).toBeVisible()
      })

      await test.step('continue at the same step on the phone at the machine', async () => {
        await openWizard(phone, 'resume')
        await expect(heading(phone, 'lightsOn')).toBeVisible()
        await play(hub, uid, () => press(phone, 'lightsOn'), at('lightsOn'))
        await expect(heading(phone, 'lightsOff')).toBeVisible()
        await expect(heading(desk, 'lightsOff')).toBeVisible()
      })

      await test.step('hub goes offline: the page says so and keeps the step open', async () => {
        hub.leave()
        await expect(wizard(phone).getByText(words('lightHouse:hubOffline'))).toBeVisible()
        await press(phone, 'lightsOff')
        await expect(wizard(phone).getByText(words('errors:command.hubOffline'))).toBeVisible()
        await expect(heading(phone, 'lightsOff')).toBeVisible()
      })

      await test.step('hub returns: retry the same step', async () => {
        hub = await comeBack()
        await expect(wizard(phone).getByText(words('lightHouse:hubOffline'))).toHaveCount(0)
        await play(
          hub,
          uid,
          () =>
            wizard(phone)
              .getByRole('button', { name: words('screens:retry') })
              .click(),
          at('lightsOff'),
        )
        await expect(heading(phone, 'memorize')).toBeVisible()
      })

      await test.step('gateway restarts: the calibration keeps its step', async () => {
        await product.kill()
        await product.restart()
        await hub.end()
        hub = await comeBack()
        await phone.open(address)
        await openWizard(phone, 'resume')
        await expect(heading(phone, 'memorize')).toBeVisible()
      })

      await test.step('memorize colors and clear one of them', async () => {
        const memorized = (...Colors: (typeof RED)[]) => at('memorizing', { Count: Colors.length, Colors })
        const first = await play(hub, uid, () => press(phone, 'memorize'), memorized(RED))
        expect(first).toEqual({ Step: 'memorizing', Count: 1 })
        await play(hub, uid, () => press(phone, 'memorize'), memorized(RED, GREEN))
        const green = words('lightHouse:color', { number: 2, name: words('devices:lamps.green') })
        await expect(wizard(phone).getByText(green)).toBeVisible()
        const fewer = await play(hub, uid, () => press(phone, 'forget'), memorized(RED))
        expect(fewer).toEqual({ Step: 'memorizing', Count: 1 })
        await expect(wizard(phone).getByText(green)).toHaveCount(0)
      })

      await test.step('the calibration fails with a reason and is restarted', async () => {
        const failed = at('finished', { Count: 1, Outcome: 'failure', Fault: 'noContrast' })
        await play(hub, uid, () => press(phone, 'finish'), failed)
        await expect(wizard(phone).getByText(words('lightHouse:failureNote'))).toBeVisible()
        await expect(wizard(phone).getByText(words('lightHouse:faults.noContrast'))).toBeVisible()
        await play(hub, uid, () => press(phone, 'restart'), at('initialized'))
        await expect(heading(phone, 'lightsOn')).toBeVisible()
      })

      await test.step('cancel the calibration', async () => {
        await press(phone, 'cancel')
        const confirm = phone.page.getByRole('dialog').filter({ hasText: words('lightHouse:cancelNote') })
        const asked = await play(
          hub,
          uid,
          () => confirm.getByRole('button', { name: words('lightHouse:do.cancel') }).click(),
          { Step: 'idle' },
        )
        expect(asked).toEqual({ Step: 'idle' })
        await expect(heading(phone, 'type')).toBeVisible()
      })
      await hub.end()
      await Promise.all([desk.leave(), phone.leave()])
    })

    test('shows each of two people who calibrates the tower now', async ({ browser, company }) => {
      const { hub, uid, address } = await addTower(company)
      const rights = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))
      const { Email } = await hire(company, FACILITY, rights)
      await hub.report(uid, { ...dark, Calibration: { Step: 'idle' } })
      const first = await signIn(browser, company.product, language, Email, { at: address })
      const toldOf = (person: Person, name: string) =>
        wizard(person).getByText(person.words('lightHouse:other', { name }))
      await openWizard(first, 'open')
      await wizard(first).getByText(first.words('lightHouse:types.column'), { exact: true }).click()
      await play(hub, uid, () => press(first, 'begin'), at('initialized'))
      await expect(heading(first, 'lightsOn')).toBeVisible()
      await expect(toldOf(first, FACILITY)).toHaveCount(0)
      const second = await signIn(browser, company.product, language, company.email, { at: address })
      await openWizard(second, 'resume')
      await expect(toldOf(second, FACILITY)).toBeVisible()
      await play(hub, uid, () => press(second, 'lightsOn'), at('lightsOn'))
      await expect(toldOf(first, OWNER)).toBeVisible()
      await expect(toldOf(second, FACILITY)).toHaveCount(0)
      await hub.end()
      await Promise.all([first.leave(), second.leave()])
    })
  })

test.describe('demo signal towers', () => {
  // Both languages calibrate the same two towers.
  test.describe.configure({ mode: 'default' })

  for (const language of LANGUAGES)
    test(`${language}: calibrates a simulated tower and rejects one with a covered sensor`, async ({
      browser,
      demo,
    }) => {
      const { HomeID, Peripherals } = await towersOf(demo)
      const addressOf = (name: string) =>
        `/DeviceInfo/${HomeID}/${Peripherals.find(({ PeripheralName }) => PeripheralName === name)?.PeripheralUID}`
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        ...PHONE,
        at: addressOf('加工中心機 B1 三色燈'),
      })
      const { words } = person
      for (const [name, outcome] of [
        ['加工中心機 B1 三色燈', 'success'],
        ['沖床 D1 三色燈', 'failure'],
      ] as const) {
        if (outcome === 'failure') await person.open(addressOf(name))
        await openWizard(person, 'open')
        const again = wizard(person).getByRole('button', { name: words('lightHouse:do.restart') })
        await ((await again.isVisible()) ? again.click() : press(person, 'begin'))
        await press(person, 'lightsOn')
        await press(person, 'lightsOff')
        await press(person, 'memorize')
        await press(person, 'finish')
        await expect(wizard(person).getByText(words(`lightHouse:${outcome}`), { exact: true })).toBeVisible()
        await press(person, 'close')
        await expect(wizard(person)).toBeHidden()
      }
      await person.leave()
    })
})

test('shows the tower without calibration to a person who may not control it', async ({ browser, demo }) => {
  const { HomeID, Peripherals } = await towersOf(demo)
  const uid = Peripherals.find(({ PeripheralType }) => PeripheralType === '515')?.PeripheralUID as string
  const person = await signIn(browser, demo, 'zh-TW', ACCOUNTS.viewer, { at: `/DeviceInfo/${HomeID}/${uid}` })
  await expect(person.page.getByText(person.words('lightHouse:mayNot'))).toBeVisible()
  await expect(person.page.getByRole('button', { name: person.words('lightHouse:open') })).toHaveCount(0)
  await expect(
    person.page.getByRole('button', { name: person.words('lightHouse:settings.save') }),
  ).toHaveCount(0)
  await person.leave()
})

const at = (Step: Calibration['Step'], more: Partial<Calibration> = {}): Calibration => ({
  Step,
  LightType: 'column',
  Count: 0,
  Colors: [],
  ...more,
})
