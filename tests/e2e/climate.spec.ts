import type { Locator } from '@playwright/test'
import { AC_MODES, DEHUMIDIFIER_MODES, BREATH_MODES } from '../../contract/devices/capabilities/taiseia.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { home } from '../../contract/homes/home.ts'
import { addHome } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS, type Demo } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

// Both languages set the same appliances.
test.describe.configure({ mode: 'default' })

async function addressOf(demo: Demo, name: string): Promise<string> {
  const homes = await demo.owner(home.operations.list, {})
  const HomeID = homes.find(({ HomeName }) => HomeName === '內湖總部')?.HomeID as string
  const { Peripherals } = await demo.owner(peripheral.operations.list, { HomeID })
  const device = Peripherals.find(({ PeripheralName }) => PeripheralName === name)
  return `/DeviceInfo/${HomeID}/${device?.PeripheralUID}`
}

/** Tiles of one setting, e.g. the modes. */
const tiles = ({ page, words }: Person, field: string): Locator =>
  page.getByRole('group').filter({ hasText: words(`devices:fields.${field}`) })

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('sets every mode of every appliance, and the appliance confirms it', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: await addressOf(demo, '小會議室冷氣'),
      })
      const { words } = person
      for (const [name, field, modes] of [
        ['小會議室冷氣', 'ACMode', AC_MODES],
        ['機房除濕機', 'DehumidifierMode', DEHUMIDIFIER_MODES],
        ['三樓全熱交換器', 'BreathMode', BREATH_MODES],
      ] as const) {
        await person.goTo(await addressOf(demo, name))
        await person.live()
        for (const [, mode] of modes.toReversed()) {
          const tile = person.page.getByRole('radio', { name: words(`devices:values.${mode}`), exact: true })
          await tiles(person, field).locator('label').filter({ has: tile }).click()
          await expect(tiles(person, field).locator(tile)).toBeChecked()
        }
      }
      await person.leave()
    })

    test('sets a temperature in one command and shows it as pending until the appliance reports it', async ({
      browser,
      demo,
    }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        viewport: { width: 390, height: 844 },
        at: await addressOf(demo, '小會議室冷氣'),
      })
      const { page, words } = person
      await person.live()
      const name = words('devices:fields.TargetTemperature')
      const stepper = page.getByRole('group', { name, exact: true })
      const shown = Number.parseInt(
        await stepper.innerText().then((text) => text.replace(/\D*(\d+).*/s, '$1')),
      )
      const [word, goal] = shown > 20 ? (['lower', shown - 2] as const) : (['raise', shown + 2] as const)
      const button = stepper.getByRole('button', { name: words(`devices:climate.${word}`, { name }) })
      await button.click()
      await button.click()
      // The first of the two may be confirmed before the second is checked.
      await expect(stepper).toContainText(`→ ${goal}°C`)
      await expect(stepper).not.toContainText('→')
      await expect(stepper).toContainText(`${goal}°C`)
      await person.leave()
    })

    test('controls one thermostat zone without changing the others, and merges a report of one zone', async ({
      browser,
      company,
    }) => {
      const HomeID = await addHome(company)
      const uid = `zones-${language}`
      const title = `測試溫控器 ${language}`
      const { hub } = await addOwnHub(company, {
        HomeID,
        DeviceName: `Hub ${language}`,
        devices: [{ PeripheralUID: uid, PeripheralType: '525', PeripheralName: title }],
      })
      const node = (NodeID: number, Temperature: number, TargetTemperature: number) => ({
        NodeID,
        Switch: 1,
        Temperature,
        TargetTemperature,
      })
      await hub.report(uid, { ThermostatTable: [node(1, 26, 25), node(2, 27, 24)] })
      const person = await signIn(browser, company.product, language, company.email, {
        at: `/DeviceInfo/${HomeID}/${uid}`,
      })
      const { page, words } = person
      await person.live()
      const zone = (number: number) =>
        page
          .getByRole('listitem')
          .filter({ hasText: words('devices:climate.zone', { number }) })
          .filter({ has: page.getByRole('switch') })
      await expect(zone(2)).toContainText('24°C')
      await hub.report(uid, { ThermostatTable: [{ NodeID: 1, Temperature: 22 }] })
      await expect(zone(1)).toContainText('22')
      await expect(zone(1)).toContainText('25°C')
      await expect(zone(2)).toContainText('27')

      const asked = hub.command(uid, 'ThermostatTable')
      const name = `${words('devices:climate.zone', { number: 2 })} ${words('devices:fields.TargetTemperature')}`
      await zone(2)
        .getByRole('button', { name: words('devices:climate.raise', { name }) })
        .click()
      const command = await asked
      expect(command.Values).toEqual({ ThermostatTable: [{ NodeID: 2, TargetTemperature: 24.5 }] })
      await expect(zone(2)).toContainText('→')
      await expect(zone(1)).not.toContainText('→')
      await hub.acknowledge(command)
      await hub.report(uid, { ThermostatTable: [{ NodeID: 2, TargetTemperature: 24.5 }] })
      await expect(zone(2)).not.toContainText('→')
      await expect(zone(2)).toContainText('24.5°C')

      await test.step('fails a command to an offline hub and says so', async () => {
        hub.leave()
        await expect(page.getByText(words('devices:freshness.offline'))).toBeVisible()
        await zone(1).getByRole('switch').click()
        await expect(page.getByText(words('errors:command.hubOffline')).first()).toBeVisible()
        await expect(zone(1).getByRole('switch')).toBeChecked()
      })
      await person.leave()
    })
  })
