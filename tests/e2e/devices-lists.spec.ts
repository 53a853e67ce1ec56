import { capabilityOf, deviceType } from '../../contract/devices/kinds/registry.ts'
import { personal } from '../../contract/people/personal-calls.ts'
import { modbusTable } from '../../contract/devices/modbus/modbus-table.ts'
import { peripheral, type Peripheral } from '../../contract/devices/peripheral.ts'
import { home } from '../../contract/homes/home.ts'
import { session } from '../../contract/people/session-calls.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'
import { signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** Devices that each language's run changes, so that they do not interfere: two lights, and a sensor without a switch. */
const CHOSEN = {
  'zh-TW': {
    word: '研發部',
    lights: ['研發部天花板燈（北）', '研發部天花板燈（南）'],
    sensor: '研發部空氣品質',
  },
  'en-US': { word: '業務部', lights: ['業務部天花板燈', '業務部窗邊燈'], sensor: '業務部人體感測（東）' },
} as const
const TABLE = '示範三相電表'
const LIMIT = '警報上限'

/** The demo's devices by their original names. */
const UIDS = new Map(
  demoCompany.homes
    .flatMap(({ hubs }) => hubs.flatMap(({ devices }) => devices))
    .map(({ PeripheralName, PeripheralUID }) => [PeripheralName, PeripheralUID]),
)

// Both languages change the same table and write to the same meter.
test.describe.configure({ mode: 'default' })

let HomeID: string
let meter: Peripheral
test.beforeAll(async ({ demo }) => {
  const homes = await demo.owner(home.operations.list, {})
  HomeID = homes.find(({ HomeName }) => HomeName === '內湖總部')?.HomeID ?? ''
  const { Peripherals } = await demo.owner(peripheral.operations.list, {})
  meter = Peripherals.find(({ PeripheralType }) => capabilityOf(PeripheralType, 'modbus')) as Peripheral
})

const search = ({ page, words }: Person) =>
  page.getByRole('searchbox', { name: words('screens:devices.search') })

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('lines up power and energy of all rows, and scrolls only the table', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { at: `/DeviceList/${HomeID}` })
      const { page } = person
      const rightEdgesOf = (unit: string) =>
        page.getByRole('row').evaluateAll(
          (rows, end) => [
            ...new Set(
              rows
                .flatMap((row) => [...row.querySelectorAll('span')])
                .filter((span) => /^[\d.,]+ ?kWh?$/.test(span.innerText) && span.innerText.endsWith(end))
                .map((span) => Math.round(span.getBoundingClientRect().right)),
            ),
          ],
          unit,
        )
      await expect.poll(() => rightEdgesOf('kW')).toHaveLength(1)
      expect(await rightEdgesOf('kWh')).toHaveLength(1)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900)
      await person.leave()
    })

    test('shows device states from the first answer without a live channel', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { ownBrowser: true })
      const { page, words } = person
      let attempts = 0
      await page.route(`**${session.connectRealtime.path}`, (route) => {
        attempts++
        return route.abort()
      })
      const { PeripheralType = '', RoomID = 0 } =
        (await demo.owner(peripheral.operations.list, { HomeID })).Peripherals.find(
          ({ PeripheralName }) => PeripheralName === CHOSEN[language].sensor,
        ) ?? {}
      for (const address of [
        `/DeviceList/${HomeID}`,
        `/DeviceCategory/${HomeID}/${deviceType(PeripheralType)?.category}`,
        `/RoomDevice/${HomeID}/${RoomID}`,
      ]) {
        // Opened by the address, then reloaded.
        await person.open(address)
        await page.reload()
        const before = attempts
        await expect(page.getByRole('main').getByRole('row').nth(1)).toBeVisible()
        await expect.poll(() => attempts).toBeGreaterThan(before)
        await expect(page.getByText(words('devices:state.noData'), { exact: true })).toHaveCount(0)
      }
      await person.leave()
    })

    test('switches and renames selected devices together and names each result', async ({
      browser,
      demo,
    }) => {
      const { word, lights, sensor } = CHOSEN[language]
      for (const PeripheralName of lights)
        await demo.owner(peripheral.operations.update, {
          HomeID,
          PeripheralUID: UIDS.get(PeripheralName) ?? '',
          PeripheralName,
        })
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/DeviceList/${HomeID}?q=${word}`,
      })
      const { page, words } = person
      const choose = (name: string) => page.getByRole('checkbox', { name: words('lists:choose', { name }) })
      const bar = page.getByRole('toolbar', { name: words('lists:bulk.label') })
      const results = (key: string) => page.getByRole('dialog', { name: words(`lists:results.${key}`) })
      await person.live()

      await test.step('lists devices without a switch with the reason, and clears the selection', async () => {
        for (const name of [...lights, sensor]) await choose(name).check()
        await expect(bar.getByRole('status')).toHaveText(words('lists:bulk.chosen', { count: 3 }))
        await bar.getByRole('button', { name: words('lists:bulk.off') }).click()
        await expect(results('off').getByRole('status')).toHaveText(
          words('lists:results.progress', { done: 3, total: 3, failed: 1 }),
        )
        await expect(results('off')).toContainText(words('lists:results.cannotSwitch'))
        await results('off')
          .getByRole('button', { name: words('lists:results.close') })
          .last()
          .click()
        await expect(bar).toHaveCount(0)
        for (const name of lights) {
          const gangs = page.getByRole('row').filter({ hasText: name })
          await expect(gangs.getByRole('switch', { checked: false }).first()).toBeVisible()
          await expect(gangs.getByRole('switch', { checked: true })).toHaveCount(0)
        }
      })

      await test.step('creates new names from a pattern', async () => {
        for (const name of lights) await choose(name).check()
        await bar.getByRole('button', { name: words('lists:bulk.rename') }).click()
        const dialog = page.getByRole('dialog', { name: words('lists:renameTo.title', { count: 2 }) })
        const pattern = dialog.getByLabel(words('lists:renameTo.pattern'))
        await pattern.fill(word)
        await expect(dialog).toContainText(words('lists:renameTo.noNumber'))
        await pattern.fill(`${word} {n}`)
        await expect(dialog).toContainText(`${word} 2`)
        await dialog.getByRole('button', { name: words('lists:renameTo.ok') }).click()
        await expect(results('rename').getByRole('status')).toHaveText(
          words('lists:results.progress', { done: 2, total: 2, failed: 0 }),
        )
        await results('rename')
          .getByRole('button', { name: words('lists:results.close') })
          .last()
          .click()
        for (const n of [1, 2])
          await expect(page.getByRole('link', { name: `${word} ${n}`, exact: true })).toBeVisible()
      })
      await person.leave()
    })

    test('saves a view of the list and opens it by keyboard', async ({ browser, demo }) => {
      const name = `視圖 ${language}`
      await demo.owner(personal.updatePersonalConfig, { SavedViews: [] })
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/DeviceList/${HomeID}?q=${CHOSEN[language].word}`,
      })
      const { page, words } = person
      const views = page.getByRole('button', { name: words('lists:views.title') })
      await views.press('Enter')
      await expect(page.getByRole('menuitem', { name: words('lists:views.save') })).toBeVisible()
      await page.keyboard.press('Tab')
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: words('lists:views.saveTitle') })
      await expect(dialog.getByLabel(words('lists:views.name'), { exact: true })).toBeFocused()
      await page.keyboard.type(name)
      await page.keyboard.press('Enter')
      await expect(page.getByText(words('lists:views.saved', { name }))).toBeVisible()

      await person.open(`/DeviceList/${HomeID}`)
      await expect(search(person)).toHaveValue('')
      await views.press('Enter')
      await expect(page.getByRole('menuitemradio', { name })).toBeVisible()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await expect(search(person)).toHaveValue(CHOSEN[language].word)
      await person.leave()
    })

    test('adds a register to a Modbus table or rejects it with the reason', async ({ browser, demo }, {
      retry,
    }) => {
      const label = `備用 ${language} ${retry}`
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, { at: '/ModbusTable' })
      const { page, words } = person
      await page.getByRole('row').filter({ hasText: TABLE }).click()
      await expect(page.getByRole('heading', { level: 1, name: TABLE })).toBeVisible()
      const rows = page.getByRole('row')
      await expect(rows.filter({ hasText: LIMIT })).toContainText('alarm_limit')

      await page.getByRole('button', { name: words('modbus:form.addRow') }).click()
      const form = page.getByRole('dialog', { name: words('modbus:row.new') })
      const field = (key: string) => form.getByLabel(words(`modbus:fields.${key}`), { exact: true })
      await field('Label').fill(label)
      const key = await field('Key').inputValue()
      await field('Key').fill('alarm_limit')
      await field('Address').fill('65535')
      await form.getByRole('button', { name: words('modbus:row.done') }).click()
      await expect(form.getByText(words('errors:fields.taken'))).toBeVisible()
      await expect(form.getByText(words('errors:fields.tooBig'))).toBeVisible()
      await field('Key').fill(key)
      await field('Address').fill(String(900 + 20 * LANGUAGES.indexOf(language) + 10 * retry))
      await form.getByRole('button', { name: words('modbus:row.done') }).click()
      await expect(rows.filter({ hasText: label })).toContainText(key)
      await page.getByRole('button', { name: words('screens:save'), exact: true }).click()
      await expect(
        page.getByRole('heading', { level: 1, name: words('resources:modbusTable.list') }),
      ).toBeVisible()
      const tables = await demo.owner(modbusTable.operations.list, {})
      const saved = tables.find(({ TableName }) => TableName === TABLE)
      expect(saved?.Rows.map(({ Label }) => Label)).toContain(label)
      await person.leave()
    })

    test('shows the registers of a Modbus device live and writes values', async ({ browser, demo }, {
      retry,
    }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        at: `/ModBusInfo/${meter.HomeID}/${meter.PeripheralUID}`,
      })
      const { page, words } = person
      const limit = String(200 + LANGUAGES.indexOf(language) + 10 * retry)
      await person.live()
      const value = (label: string) => page.getByRole('listitem').filter({ hasText: label })
      await expect(value('頻率')).toContainText(/60(\.0+)?\s*Hz/)
      await expect(value(LIMIT)).not.toContainText(limit)
      await page.getByRole('button', { name: words('modbus:values.writeOne', { label: LIMIT }) }).click()
      await page
        .getByRole('spinbutton', { name: words('modbus:values.newValue', { label: LIMIT }) })
        .fill(limit)
      await page.getByRole('button', { name: words('modbus:values.write'), exact: true }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('modbus:values.write'), exact: true })
        .click()
      await expect(value(LIMIT)).toContainText(limit)
      await expect(value(LIMIT)).not.toContainText('→')
      await person.leave()
    })
  })
