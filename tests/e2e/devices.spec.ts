import type { Locator } from '@playwright/test'
import type { Capability } from '../../contract/devices/capabilities/capability.ts'
import { fieldShape } from '../../contract/devices/kinds/field-shape.ts'
import { capabilityOf, deviceType } from '../../contract/devices/kinds/registry.ts'
import { peripheralCalls } from '../../contract/devices/peripheral.ts'
import { addHome, type Company } from './support/company.ts'
import { addOwnHub, type OwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES, type Words } from './support/words.ts'

/** Type codes of sensors, switches and meters that are rendered from the contract's capabilities. */
const TYPES = [
  '516',
  '533',
  '534',
  '535',
  '517',
  '526',
  '532',
  '754',
  '529',
  '755',
  '756',
  '757',
  '753',
] as const
const METERS = ['513', '514', '528', '520', '521', '522', '518', '519', '526'] as const
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** Home with a hub that the test simulates, with one device of each type. */
async function addDevices(
  company: Company,
  types: readonly string[],
  label: string,
): Promise<OwnHub & { HomeID: string; uidOf(type: string): string }> {
  const uidOf = (type: string) => `${label}-${type}`
  const HomeID = await addHome(company)
  const own = await addOwnHub(company, {
    HomeID,
    DeviceName: label,
    devices: [...new Set(types)].map((type) => ({
      PeripheralUID: uidOf(type),
      PeripheralType: type,
      PeripheralName: `${label} ${type}`,
    })),
  })
  return { ...own, HomeID, uidOf }
}

const addressOf = (HomeID: string, uid: string): string => `/DeviceInfo/${HomeID}/${uid}`

async function openDevice(person: Person, HomeID: string, uid: string): Promise<Locator> {
  await person.goTo(addressOf(HomeID, uid))
  await person.live()
  return person.page.getByRole('region', { name: person.words('devices:columns.state'), exact: true })
}

/** All states of a capability: a report, and the words displayed for it. */
const statesOf = (capability: Capability, words: Words) =>
  Object.keys(capability.status).flatMap((field) => {
    const shape = fieldShape(capability, field)
    if (shape.as === 'onOff')
      return [0, 1].map((value) => ({
        report: { [field]: value },
        shown: words(`devices:state.${value ? 'on' : 'off'}`),
      }))
    if (shape.as === 'choice')
      return shape.choices.map(([value, name]) => ({
        report: { [field]: value },
        shown: words(`devices:values.${name as 'none'}`),
      }))
    return []
  })

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('shows each state of every sensor and switch as its hub reports it', async ({
      browser,
      company,
    }) => {
      test.slow()
      const { hub, HomeID, uidOf } = await addDevices(company, TYPES, `s-${language}`)
      const person = await signIn(browser, company.product, language, company.email, {
        at: addressOf(HomeID, uidOf(TYPES[0] ?? '')),
      })
      for (const type of TYPES)
        await test.step(`${type} ${deviceType(type)?.kind}`, async () => {
          const state = await openDevice(person, HomeID, uidOf(type))
          for (const capability of deviceType(type)?.capabilities ?? [])
            for (const { report, shown } of statesOf(capability, person.words)) {
              await hub.report(uidOf(type), report)
              await expect(state.getByText(shown, { exact: true }).first()).toBeVisible()
            }
        })
      await test.step('shows the values of an air sensor with their units', async () => {
        const state = await openDevice(person, HomeID, uidOf('753'))
        await hub.report(uidOf('753'), { PM25: 37, Temperature: 26.4, Humidity: 61 })
        await expect(state).toContainText('37.00µg/m³')
        await expect(state).toContainText('26.4°C')
        await expect(state).toContainText('61%')
      })
      await hub.end()
      await person.leave()
    })

    test('shows the values of a meter, line by line if it measures several lines', async ({
      browser,
      company,
    }) => {
      test.slow()
      const { hub, HomeID, uidOf } = await addDevices(company, METERS, `m-${language}`)
      const person = await signIn(browser, company.product, language, company.email, {
        at: addressOf(HomeID, uidOf(METERS[0] ?? '')),
      })
      const { words } = person
      for (const type of METERS)
        await test.step(`${type} ${deviceType(type)?.kind}`, async () => {
          const state = await openDevice(person, HomeID, uidOf(type))
          const fields = Object.keys(capabilityOf(type, 'meter')?.status ?? {})
          const values: Record<string, number> = {}
          for (const [i, field] of fields.entries())
            values[field] = field === 'PhaseShift' ? 1 : field === 'PowerFactor' ? 0.9 : 100 + i
          await hub.read(uidOf(type), values as { AccumulatePower: number })
          await expect(state).toContainText(`${(values['Power'] ?? 0) / 1000}kW`)
          await expect(state).toContainText('100.00kWh')
          if (fields.includes('PhaseShift'))
            for (const [value, name] of [
              [1, 'lag'],
              [2, 'lead'],
              [0, 'none'],
            ] as const) {
              await hub.read(uidOf(type), { ...values, PhaseShift: value })
              await expect(state.getByText(words(`devices:values.${name}`), { exact: true })).toBeVisible()
            }
          const lines = fields.filter((field) => /^Voltage\d$/.test(field)).length
          await expect(state.getByRole('row')).toHaveCount(lines > 0 ? lines + 1 : 0)
        })
      await hub.end()
      await person.leave()
    })

    test('sets a dimmer and a radar: pending, then as reported, or failed with a retry', async ({
      browser,
      company,
    }) => {
      const { hub, HomeID, uidOf } = await addDevices(company, ['532', '529'], `c-${language}`)
      const person = await signIn(browser, company.product, language, company.email, {
        ...PHONE,
        at: addressOf(HomeID, uidOf('532')),
      })
      const { page, words } = person
      await hub.report(uidOf('532'), { Switch: 1, Brightness: 40 })

      await test.step('sends the slider value and ends at the value that the device reports', async () => {
        const state = await openDevice(person, HomeID, uidOf('532'))
        const slider = state.getByRole('slider', { name: words('devices:fields.Brightness') })
        await expect(slider).toHaveAttribute('aria-valuenow', '40')
        const asked = hub.command(uidOf('532'), 'Brightness')
        await slider.press('ArrowRight')
        const command = await asked
        expect(command.Values).toEqual({ Brightness: 41 })
        await expect(state.getByText('40% → 41%')).toBeVisible()
        await hub.acknowledge(command)
        await hub.report(uidOf('532'), { Switch: 1, Brightness: 41 })
        await expect(state.getByText('40% → 41%')).toBeHidden()
        await expect(slider).toHaveAttribute('aria-valuenow', '41')
      })

      await test.step('says that a hub does not answer, and retries', async () => {
        const state = await openDevice(person, HomeID, uidOf('532'))
        await state.getByRole('switch').click()
        await expect(page.getByText(words('devices:command.failed'))).toBeVisible()
        await expect(state.getByRole('switch')).toBeChecked()
        const again = hub.command(uidOf('532'), 'Switch')
        await page.getByRole('button', { name: words('screens:retry') }).click()
        const command = await again
        await hub.acknowledge(command)
        await hub.report(uidOf('532'), { Switch: 0, Brightness: 41 })
        await expect(state.getByRole('switch')).not.toBeChecked()
      })

      await test.step('shows detection parameters as pending until the radar reports them', async () => {
        const config = {
          MinDistance: 0.5,
          MaxDistance: 4,
          MotionSensitivity: 5,
          StaticSensitivity: 5,
          HoldTime: 30,
        }
        await hub.report(uidOf('529'), { MotionState: 1, mmWaveConfig: config })
        const state = await openDevice(person, HomeID, uidOf('529'))
        const farthest = state.getByLabel(words('devices:mmWave.MaxDistance'))
        await expect(farthest).toHaveValue('4.0')
        await farthest.fill('0.2')
        await state.getByRole('button', { name: words('devices:mmWave.send') }).click()
        await expect(state.getByText(words('errors:fields.upperBelowLower'))).toBeVisible()
        await farthest.fill('6')
        const asked = hub.command(uidOf('529'), 'mmWaveConfig')
        await state.getByRole('button', { name: words('devices:mmWave.send') }).click()
        const command = await asked
        expect(command.Values).toEqual({ mmWaveConfig: { ...config, MaxDistance: 6 } })
        await expect(state.getByRole('status')).toHaveText(words('devices:mmWave.pending'))
        await hub.acknowledge(command)
        await hub.report(uidOf('529'), { MotionState: 1, mmWaveConfig: { ...config, MaxDistance: 6 } })
        await expect(state.getByRole('status')).toBeHidden()
      })
      await hub.end()
      await person.leave()
    })

    test('shows a reading outside its limits as a warning in panel, list and dashboard', async ({
      browser,
      company,
    }) => {
      const { hub, HomeID, uidOf } = await addDevices(company, ['514', '756'], `w-${language}`)
      const uid = uidOf('514')
      const person = await signIn(browser, company.product, language, company.email, {
        at: addressOf(HomeID, uid),
      })
      const { page, words } = person
      await hub.read(uid, { AccumulatePower: 1, Power: 100, AvgElectricCurrent: 8, Voltage: 220 })
      await openDevice(person, HomeID, uid)
      const limit = (name: 'CurrentLower' | 'CurrentUpper' | 'VoltageLower' | 'VoltageUpper') =>
        page.getByLabel(words(`devices:threshold.${name}`))
      const save = page.getByRole('button', { name: words('devices:threshold.save') })

      await limit('VoltageLower').fill('80')
      await save.click()
      await expect(page.getByText(words('devices:threshold.voltageRange'))).toBeVisible()
      await expect(page.getByText(words('errors:fields.required'))).toHaveCount(3)
      await limit('CurrentLower').fill('10')
      await limit('CurrentUpper').fill('5')
      await limit('VoltageLower').fill('200')
      await limit('VoltageUpper').fill('240')
      await save.click()
      await expect(page.getByText(words('errors:fields.upperBelowLower'))).toBeVisible()
      await limit('CurrentLower').fill('0')
      await save.click()
      await expect(page.getByRole('alert').getByText(words('devices:threshold.outside'))).toBeVisible()

      await person.goTo(`/DeviceList/${HomeID}`)
      await page.getByRole('searchbox', { name: words('screens:devices.search') }).fill(`w-${language} 514`)
      await expect(page.getByText(words('devices:threshold.outside')).first()).toBeVisible()
      await hub.report(uidOf('756'), { SmokeState: 3 })
      await person.goTo('/Dashboard?all=1')
      const attention = page.getByRole('region', { name: words('dashboard:attention.title') })
      const named = (type: string) =>
        attention.getByRole('link', { name: `w-${language} ${type}`, exact: true })
      await expect(named('514')).toBeVisible()
      await expect(named('756')).toBeVisible()
      await company.owner(peripheralCalls.updateAdvance, {
        HomeID,
        PeripheralUID: uid,
        WarningThreshold: null,
      })
      await expect(named('514')).toBeHidden()
      await hub.report(uidOf('756'), { SmokeState: 1 })
      await expect(named('756')).toBeHidden()
      await hub.end()
      await person.leave()
    })

    test('lists device events live and hides Han modules', async ({ browser, company }) => {
      const { hub, HomeID, uidOf } = await addDevices(company, ['757', '523'], `e-${language}`)
      const person = await signIn(browser, company.product, language, company.email, {
        at: addressOf(HomeID, uidOf('757')),
      })
      const { page, words } = person
      await hub.report(uidOf('757'), { ShockState: 1 })
      await openDevice(person, HomeID, uidOf('757'))
      const events = page
        .locator('section', {
          has: page.getByRole('heading', { name: words('devices:events.title') }),
        })
        .last()
      await expect(events).toContainText(words('devices:events.none'))
      await hub.report(uidOf('757'), { ShockState: 2 })
      await expect(events.getByRole('listitem')).toHaveText(new RegExp(`${words('devices:values.shock')}$`))
      await person.goTo(`/DeviceList/${HomeID}`)
      await page.getByRole('searchbox', { name: words('screens:devices.search') }).fill(`e-${language}`)
      await expect(page.getByRole('link', { name: `e-${language} 757` })).toBeVisible()
      await expect(page.getByRole('link', { name: `e-${language} 523` })).toHaveCount(0)
      await hub.end()
      await person.leave()
    })
  })
