import { dashboard } from '../../contract/dashboards/dashboard.ts'
import { personal } from '../../contract/people/personal-calls.ts'
import { department } from '../../contract/people/department.ts'
import { user } from '../../contract/people/user.ts'
import { FEATURES, OPERATIONS } from '../../contract/kernel/permissions.ts'
import { findings } from './support/axe.ts'
import { addHome, hire } from './support/company.ts'
import { addOwnHub } from './support/own-hub.ts'
import { signIn, type Person } from './support/person.ts'
import { expect, test } from './support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Adds a card of a kind that needs only its site. */
async function addCard({ page, words }: Person, kind: string) {
  const name = words(`boards:kinds.${kind}.name`)
  await page.getByRole('button', { name: words('boards:add') }).click()
  await page.getByLabel(words('boards:search')).fill(name)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  if (kind === 'note') await page.getByLabel(words('boards:fields.text')).fill('09:00 早會')
  await page.getByRole('button', { name: words('boards:addIt'), exact: true }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

const said = ({ words }: Person, what: string, card: string, place: [number, number, number, number]) => {
  const [column, row, width, height] = place
  return words(`boards:said.${what}`, { card, column, row, width, height })
}

for (const language of ['zh-TW', 'en-US'] as const)
  test(`creates a dashboard, arranges it by keyboard, shares it, and a colleague sees it on a phone (${language})`, async ({
    browser,
    demo,
  }) => {
    const every = FEATURES.map((FeatureKey) => ({ FeatureKey, OperationList: [...OPERATIONS] }))
    const few = [{ FeatureKey: 'dashboard' as const, OperationList: ['Read' as const] }]
    const maker = await hire({ product: demo, owner: demo.owner }, 'Maker', every)
    const reader = await hire({ product: demo, owner: demo.owner }, 'Reader', [
      ...few,
      { FeatureKey: 'device', OperationList: ['Read'] },
    ])
    const Department = `值班 ${reader.Email.slice(-20)}`
    const { DepartmentID } = await demo.owner(department.operations.create, { Department })
    await demo.owner(user.operations.update, { Email: reader.Email, DepartmentID })

    const person = await signIn(browser, demo, language, maker.Email, {
      viewport: { width: 1440, height: 1000 },
      at: '/Dashboard',
    })
    const { page, words } = person
    await page.getByRole('button', { name: words('boards:new') }).click()
    await page.getByLabel(words('boards:name')).fill('Shift')
    await page.getByRole('button', { name: words('boards:create'), exact: true }).click()
    await expect(
      page.getByRole('heading', { name: words('boards:arranging', { name: 'Shift' }) }),
    ).toBeVisible()
    for (const kind of ['note', 'usage', 'hubs']) await addCard(person, kind)

    // By keyboard: the hubs move above the energy, which is below the note, and become wider.
    const hubs = words('boards:kinds.hubs.name')
    const grip = page.getByRole('button', { pressed: false, name: new RegExp(`${hubs}`) }).first()
    await grip.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(said(person, 'taken', hubs, [1, 9, 4, 3]))).toBeAttached()
    await page.keyboard.press('ArrowUp')
    await expect(page.getByText(said(person, 'moved', hubs, [1, 3, 4, 3]))).toBeAttached()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowRight')
    await expect(page.getByText(said(person, 'moved', hubs, [2, 3, 5, 3]))).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(page.getByText(said(person, 'putBack', hubs, [1, 9, 4, 3]))).toBeAttached()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(page.getByText(said(person, 'dropped', hubs, [1, 3, 4, 3]))).toBeAttached()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: words('cards:done'), exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Shift', exact: true })).toBeVisible()
    await expect(page.getByText('09:00 早會')).toBeVisible()

    await page.getByRole('button', { name: words('boards:more', { name: 'Shift' }) }).click()
    await page.getByRole('menuitem', { name: words('boards:share.act') }).click()
    await page.getByRole('radio', { name: words('boards:share.departments') }).check()
    await page.getByRole('combobox', { name: words('boards:share.departments') }).click()
    await page.keyboard.type(Department)
    await page.keyboard.press('Enter')
    // The list stays open for another choice and covers the content below.
    await page.keyboard.press('Escape')
    // The colleague has no right to electricity: a warning appears before sharing.
    await expect(page.getByRole('dialog').getByText(words('boards:kinds.usage.name'))).toBeVisible()
    await page.getByRole('button', { name: words('boards:save'), exact: true }).click()
    await expect(page.getByText(words('boards:sharedWith.departments', { count: 1 }))).toBeVisible()
    await person.leave()

    const colleague = await signIn(browser, demo, language, reader.Email, { ...PHONE, at: '/Dashboard' })
    await colleague.page.getByRole('button', { name: words('dashboard:more') }).click()
    await colleague.page.getByRole('link', { name: 'Shift', exact: true }).click()
    await expect(colleague.page.getByText(words('boards:of', { name: 'Maker' }))).toBeVisible()
    await expect(colleague.page.getByText('09:00 早會')).toBeVisible()
    // Cards load when they come near.
    await colleague.page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await colleague.page.getByRole('region', { name: hubs }).scrollIntoViewIfNeeded()
    const [note, third] = await Promise.all([
      colleague.page.getByRole('region', { name: words('boards:kinds.note.name') }).boundingBox(),
      colleague.page.getByRole('region', { name: hubs }).boundingBox(),
    ])
    // One column, in reading order of the board.
    expect(third?.x).toBe(note?.x)
    expect(third?.y).toBeGreaterThan(note?.y ?? Infinity)
    await colleague.page
      .getByRole('region', { name: words('boards:kinds.usage.name') })
      .scrollIntoViewIfNeeded()
    await expect(
      colleague.page.getByRole('region', { name: words('boards:kinds.usage.name') }),
    ).toContainText(words('shell:features.electricity'))
    await expect(
      colleague.page.getByRole('button', { name: words('boards:arrange'), exact: true }),
    ).toHaveCount(0)
    expect(await findings(colleague.page)).toEqual([])
    await colleague.leave()
  })

test('keeps unsaved dashboard changes when the first device is added and a colleague removes the dashboard', async ({
  browser,
  company,
}) => {
  const { product, owner, email } = company
  const HomeID = await addHome(company)
  const { DashboardID } = await owner(dashboard.operations.create, { Name: 'Shift', Cards: [] })
  await owner(personal.updatePersonalConfig, {
    CustomDashboard: JSON.stringify({ start: DashboardID, tabs: [DashboardID] }),
    Setup: { Hidden: true, Skipped: [], TourDone: true },
  })
  const person = await signIn(browser, product, 'zh-TW', email, { at: '/Dashboard' })
  const { page, words } = person
  const arranging = page.getByRole('heading', { name: words('boards:arranging', { name: 'Shift' }) })
  const note = page.getByText('09:00 早會')
  await person.live()
  await page.getByRole('button', { name: words('boards:addFirst') }).click()
  await addCard(person, 'note')

  const { hub } = await addOwnHub(company, {
    HomeID,
    DeviceName: '一樓閘道器',
    devices: [{ PeripheralUID: `lamp-${DashboardID}`, PeripheralType: '516', PeripheralName: '走道燈' }],
  })
  // The site's tile reports this: from then on the checklist cannot appear here.
  await expect(page.getByText(words('dashboard:noDevices'))).toHaveCount(0)
  await expect(arranging).toBeVisible()
  await expect(note).toBeVisible()

  await owner(dashboard.operations.remove, { DashboardID })
  await expect(page.getByRole('link', { name: 'Shift', exact: true })).toHaveCount(0)
  await expect(arranging).toBeVisible()
  await expect(note).toBeVisible()
  await page.getByRole('button', { name: words('cards:done'), exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: /\S/ }).first()).toBeVisible()
  await expect(note).toBeVisible()
  await person.leave()
  await hub.end()
})
