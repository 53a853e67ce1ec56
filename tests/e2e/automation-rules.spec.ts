import { automation, type AutomationType } from '../../contract/automation/automation.ts'
import { home } from '../../contract/homes/home.ts'
import { pressInMenu, signIn, type Person } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { findings } from './support/axe.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** Data of each language's run, so that they do not interfere: a light each, and the names of its rules. */
const CHOSEN = {
  'zh-TW': { light: '研發部天花板燈（北）', schedule: '夜班開燈', link: '燈光連動' },
  'en-US': { light: '業務部天花板燈', schedule: 'Night lights', link: 'Linked lights' },
} as const

/** Sensor of both languages' smart links. */
const SENSOR = '大廳人體感測'

let HomeID: string
test.beforeAll(async ({ demo }) => {
  const homes = await demo.owner(home.operations.list, {})
  HomeID = homes.find(({ HomeName }) => HomeName === '內湖總部')?.HomeID ?? ''
})

/** Selects an option by the labels of field and option. */
async function choose({ page }: Person, label: string, option: string): Promise<void> {
  const box = page.getByRole('combobox', { name: label, exact: true })
  await box.press('ArrowDown')
  if (await box.isEditable()) await box.fill(option)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
}

/** Adds an action that switches a light on. */
async function switchOn({ page, words }: Person, light: string): Promise<void> {
  await page.getByRole('button', { name: words('automation:actions.add') }).click()
  const picker = page.getByRole('dialog', { name: words('automation:picker.title') })
  await picker.getByLabel(words('automation:picker.search')).fill(light)
  await picker.getByRole('checkbox', { name: light }).first().check()
  await picker.getByRole('button', { name: words('automation:picker.add', { count: 1 }) }).click()
  const actions = page.getByRole('region', { name: words('automation:actions.title') })
  await actions.getByText(words('devices:state.on'), { exact: true }).first().click()
}

for (const language of LANGUAGES) {
  test(`${language}: creates a schedule, shows it as one sentence, disables it and deletes it`, async ({
    browser,
    demo,
  }) => {
    const { light, schedule } = CHOSEN[language]
    const person = await signIn(browser, demo, language, ACCOUNTS.owner, { at: `/ScheduleListing/${HomeID}` })
    const { page, words } = person
    await page
      .getByRole('link', { name: words('automation:rule.create.schedule') })
      .first()
      .click()
    await page
      .getByRole('textbox', { name: words('resources:automation.fields.AutomationName') })
      .fill(schedule)
    const time = page.getByRole('textbox', { name: words('automation:rule.edit.time'), exact: true })
    await time.fill('22:00')
    await time.press('Enter')
    await page.getByText(words('automation:rule.edit.more'), { exact: true }).click()
    await choose(
      person,
      words('automation:rule.edit.dayKind'),
      words('automation:rule.edit.dayKinds.workdays'),
    )
    await switchOn(person, light)
    await choose(
      person,
      words('automation:rule.edit.offAfter'),
      words('automation:rule.hours', { count: 12 }),
    )
    // Off again on the following day.
    const sentence =
      language === 'zh-TW'
        ? /^平日 22:00 .*，12 小時後關閉$/
        : /^On workdays at 22:00, .*, and off again 12 hours later$/
    const note = language === 'zh-TW' ? '國定假日不執行' : 'Not on public holidays'
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByText(note, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: words('screens:save') }).click()

    const row = page.getByRole('row').filter({ hasText: schedule })
    await expect(row).toContainText(sentence.source.includes('平日') ? '平日 22:00' : 'On workdays at 22:00')
    await row.getByRole('switch').click()
    await expect(row).toContainText(words('automation:rule.states.disabled'))
    expect(await findings(page)).toEqual([])

    await pressInMenu(person, schedule, words('screens:list.remove', { name: schedule }))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: words('screens:remove.ok') })
      .click()
    await expect(row).toHaveCount(0)
    await person.leave()
  })

  test(`${language}: creates a smart link on a phone`, async ({ browser, demo }) => {
    const { light, link } = CHOSEN[language]
    const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
      at: `/updateSmartLink/${HomeID}`,
      viewport: { width: 390, height: 844 },
    })
    const { page, words } = person
    await page.getByRole('textbox', { name: words('resources:automation.fields.AutomationName') }).fill(link)
    const device = words('automation:rule.edit.ofCondition', {
      number: 1,
      name: words('automation:rule.edit.device'),
    })
    await choose(person, device, SENSOR)
    await switchOn(person, light)
    await choose(
      person,
      words('automation:rule.edit.endDuration'),
      words('automation:rule.minutes', { count: 10 }),
    )
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: words('screens:save') }).click()
    await expect(page.getByText(link)).toBeVisible()
    const rules = await demo.owner(automation.operations.list, {
      HomeID,
      AutomationType: 3 as AutomationType,
    })
    const made = rules.find(({ AutomationName }) => AutomationName === link)
    expect(made).toMatchObject({ EndDuration: 600, EndActions: 'restore', State: 'ready' })
    if (made)
      await demo.owner(automation.operations.remove, { AutomationType: 3, AutomationID: made.AutomationID })
    await person.leave()
  })
}
