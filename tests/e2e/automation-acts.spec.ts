import { home } from '../../contract/homes/home.ts'
import { automation } from '../../contract/automation/automation.ts'
import { scene } from '../../contract/automation/scene.ts'
import { addHome } from './support/company.ts'
import type { PlainHub } from './support/hub.ts'
import { addOwnHub } from './support/own-hub.ts'
import { pressInMenu, signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { DEMO_SITE } from './support/shared-products.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const PHONE = { viewport: { width: 390, height: 844 } }
const [MOTION, LAMP, SPARE] = ['Corridor motion', 'Corridor lamp', 'Spare lamp']

/** Makes a lamp execute every command. */
function obeys(hub: PlainHub, uid: string): void {
  void hub.command(uid, 'Switch').then(async (command) => {
    obeys(hub, uid)
    await hub.acknowledge(command)
    await hub.report(uid, command.Values)
  })
}

/** Selects an option by the labels of field and option. */
async function choose({ page }: Person, label: string, option: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label, exact: true })
  await box.press('ArrowDown')
  if (await box.isEditable()) await box.fill(option)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
}

for (const language of LANGUAGES) {
  test(`${language}: a motion light created on a phone fires, is explained, pauses and gets another lamp`, async ({
    browser,
    company,
  }) => {
    const id = (name: string) => `${name.replace(' ', '-')}-${language}`.toLowerCase()
    const HomeID = await addHome(company)
    const { hub } = await addOwnHub(company, {
      HomeID,
      DeviceName: `acts-${language}`,
      devices: [
        { PeripheralUID: id(MOTION), PeripheralType: '754', PeripheralName: MOTION },
        ...[LAMP, SPARE].map((name) => ({
          PeripheralUID: id(name),
          PeripheralType: '516',
          PeripheralName: name,
        })),
      ],
    })
    const moves = (MotionState: 0 | 1) => hub.report(id(MOTION), { MotionState })
    await moves(0)
    for (const name of [LAMP, SPARE]) {
      await hub.report(id(name), { Switch: 0 })
      obeys(hub, id(name))
    }
    const person = await signIn(browser, company.product, language, company.email, {
      ...PHONE,
      at: `/updateSmartLink/${HomeID}`,
    })
    const { page, words, goTo, live, leave } = person
    const main = page.getByRole('main')
    const panel = page.getByRole('dialog')
    const rules = async () => await company.owner(automation.operations.list, { HomeID, AutomationType: 3 })

    await test.step('create it: the lamp turns on with motion and off ten minutes after the last motion', async () => {
      await page
        .getByRole('textbox', { name: words('resources:automation.fields.AutomationName') })
        .fill('Motion light')
      const ofFirst = (name: 'device') =>
        words('automation:rule.edit.ofCondition', { number: 1, name: words(`automation:rule.edit.${name}`) })
      await choose(person, ofFirst('device'), MOTION)
      await page.getByRole('button', { name: words('automation:actions.add') }).click()
      const picker = page.getByRole('dialog', { name: words('automation:picker.title') })
      await picker.getByRole('checkbox', { name: LAMP }).check()
      await picker.getByRole('button', { name: words('automation:picker.add', { count: 1 }) }).click()
      const actions = page.getByRole('region', { name: words('automation:actions.title') })
      await actions.getByText(words('devices:state.on'), { exact: true }).first().click()
      await choose(
        person,
        words('automation:rule.edit.endDuration'),
        words('automation:rule.minutes', { count: 10 }),
      )
      await page.getByRole('button', { name: words('screens:save') }).click()
      await expect(main.getByText('Motion light')).toBeVisible()
      await live()
    })

    await test.step('motion: the list shows the run, and the run shows cause and result', async () => {
      await moves(1)
      await expect(main.getByText(words('automation:run.outcome.all', { count: 1 }))).toBeVisible()
      await pressInMenu(person, 'Motion light', words('automation:run.show', { name: 'Motion light' }))
      await panel
        .getByRole('button')
        .filter({ hasText: words('automation:run.causes.condition') })
        .click()
      const conditions = panel.getByRole('region', { name: words('automation:run.conditions') })
      await expect(conditions).toContainText(MOTION)
      await expect(conditions).toContainText(words('automation:run.verdicts.true'))
      const actions = panel.getByRole('region', { name: words('automation:run.actions') })
      await expect(actions).toContainText(words('automation:run.actionStates.confirmed'))
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    })

    await test.step('the lamp shows what set it and when it turns off', async () => {
      await moves(0)
      await goTo(`/DeviceList/${HomeID}?device=${id(LAMP)}`)
      const why = panel.getByRole('region', { name: words('automation:why.title') })
      await expect(why).toContainText('Motion light')
      await expect(why.getByRole('listitem').first()).toContainText(
        language === 'zh-TW'
          ? '由智慧連動「Motion light」開啟'
          : 'switched on by the smart link “Motion light”',
      )
      await expect(why.getByRole('link').first()).toContainText(/\d\d:\d\d/)
    })

    await test.step('while all automations are paused it does not run, and the lamp says so', async () => {
      await goTo(`/SmartLink/${HomeID}`)
      await main.getByRole('button', { name: words('automation:rule.pause.button') }).click()
      await page.getByRole('textbox', { name: words('automation:rule.pause.reason') }).fill('Cleaning')
      await panel.getByRole('button', { name: words('automation:rule.pause.ok'), exact: true }).click()
      await expect(main.getByText('Cleaning')).toBeVisible()
      await moves(1)
      await goTo(`/DeviceList/${HomeID}?device=${id(LAMP)}`)
      const whyNot = panel.getByRole('region', { name: words('automation:why.notTitle') })
      // Because all are paused, or because the previous run was seconds ago.
      await expect(whyNot).toContainText(
        language === 'zh-TW' ? '「Motion light」沒有執行，因為' : '“Motion light” did not run, because',
      )
      await expect(whyNot.getByRole('link')).toContainText('Motion light')
      await goTo(`/SmartLink/${HomeID}`)
      await main.getByRole('button', { name: words('automation:rule.pause.resume') }).click()
      await expect(main.getByText('Cleaning')).toBeHidden()
    })

    await test.step('replace the first lamp with another', async () => {
      await goTo(`/DeviceList/${HomeID}?device=${id(LAMP)}`)
      await panel.getByRole('button', { name: words('devices:replace.button') }).click()
      const asked = page.getByRole('dialog', { name: words('automation:replace.title', { old: LAMP }) })
      await expect(asked).toContainText('Motion light')
      await choose(person, words('automation:replace.new'), SPARE)
      await asked.getByRole('button', { name: words('automation:replace.ok'), exact: true }).click()
      await expect(
        page.getByRole('dialog', { name: words('automation:replace.done', { old: LAMP, name: SPARE }) }),
      ).toContainText(words('automation:replace.counts.Automations', { count: 1 }))
      expect((await rules())[0]?.Actions).toMatchObject([{ PeripheralUID: id(SPARE) }])
    })

    await test.step('finds a scene by name and runs it from any page', async () => {
      await company.owner(scene.operations.create, {
        HomeID,
        SceneName: 'Evening',
        Actions: [{ PeripheralUID: id(SPARE), Values: { Switch: 1 }, After: 0, IfOffline: 'fail' }],
      })
      await person.open('/')
      await live()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: words('search:placeholder') }).fill('Evening')
      await page
        .getByRole('option')
        .filter({ hasText: 'Evening' })
        .filter({ hasText: words('search:kind.runScene') })
        .click()
      await expect(page.getByText(words('automation:run.done'), { exact: true })).toBeVisible()
    })
    await hub.end()
    await leave()
  })

  test(`${language}: the demo rules react to the simulated people`, async ({ browser, demo }) => {
    const homes = await demo.owner(home.operations.list, {})
    const HomeID = homes.find(({ HomeName }) => HomeName === DEMO_SITE)?.HomeID ?? ''
    const ran = async () =>
      (await demo.owner(automation.operations.list, { HomeID, AutomationType: 3 })).find(
        ({ LastResult }) => LastResult === 'done',
      )
    await expect.poll(ran, { message: 'a smart link that ran', timeout: 90_000 }).toBeDefined()
    const name = (await ran())?.AutomationName ?? ''
    const person = await signIn(browser, demo, language, ACCOUNTS.viewer, { at: `/SmartLink/${HomeID}` })
    const { page, words, leave } = person
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('✓')
    await pressInMenu(person, name, words('automation:run.show', { name }))
    const drawer = page.getByRole('dialog')
    await drawer
      .getByRole('button')
      .filter({ hasText: words('automation:run.causes.condition') })
      .first()
      .click()
    await expect(drawer.getByRole('region', { name: words('automation:run.conditions') })).toContainText(
      words('automation:run.verdicts.true'),
    )
    await expect(drawer.getByRole('region', { name: words('automation:run.actions') })).toContainText(
      words('automation:run.actionStates.confirmed'),
    )
    await leave()
  })
}
