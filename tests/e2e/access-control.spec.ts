import { session } from '../../contract/people/session-calls.ts'
import { employee } from '../../contract/access-control/employee.ts'
import { scanner } from '../../contract/access-control/scanner.ts'
import { visitor } from '../../contract/access-control/visitor.ts'
import { type ScannerDecision, type SimulatedScanner, startScanner } from '../../simulator/scanner.ts'
import { addHome, hire, newEmail, type Company } from './support/company.ts'
import { enter, pressInMenu, signIn, visit } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const DOOR = '側門掃描器'

/** Door with an online scanner, at a home of the company with a person inside. */
async function addDoor(company: Company): Promise<{
  /** Presents a QR code or a card to the scanner; returns the gateway's decision. */
  scan(Credential: string, Type?: 'qr' | 'card'): Promise<ScannerDecision>
  stop(): Promise<void>
}> {
  const { product, owner } = company
  const HomeID = await addHome(company)
  const { RootCognitoId: rootId } = await owner(session.getPersonalPermissions, {})
  const { ThingName, Secret } = await owner(scanner.operations.create, { ScannerName: DOOR, HomeID })
  let decided = (_decision: ScannerDecision) => {}
  const place = { url: product.mqttUrl, rootId, HomeID, ThingName, Secret }
  const door = await new Promise<SimulatedScanner>((resolve) => {
    const scanner = startScanner({
      ...place,
      onOnline: () => resolve(scanner),
      onDecision: (decision) => decided(decision),
    })
  })
  const scan = (Credential: string, Type: 'qr' | 'card' = 'qr') =>
    new Promise<ScannerDecision>((resolve) => {
      decided = resolve
      door.scan({ Type, Credential })
    })
  const first = { EmployeeName: '早班員工', Email: newEmail('first'), CardNumber: '01020304' }
  await owner(employee.operations.create, first)
  await scan(first.CardNumber, 'card')
  return {
    scan,
    stop: () => door.stop(),
  }
}

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('registers a visitor, opens the door with the displayed pass, tracks presence and checks the visitor out', async ({
      browser,
      company,
    }) => {
      const name = `訪客 ${language}`
      const { scan, stop } = await addDoor(company)
      const person = await signIn(browser, company.product, language, company.email, {
        at: '/VisitorRegister',
      })
      const { page, words } = person
      const button = (key: string) => page.getByRole('button', { name: words(key), exact: true })
      const dialog = page.getByRole('dialog', { name: words('access:pass.title') })

      await test.step('rejects an invalid phone number at its field', async () => {
        const field = (key: string) => page.getByLabel(words(`access:fields.${key}`), { exact: true })
        await field('Email').fill(`Guest-${language}@Example.com`)
        await field('Phone').fill('0911-222-33')
        await field('VisitorName').fill(name)
        await button('access:visitor.register').click()
        await expect(page.getByText(words('errors:fields.phone'))).toBeVisible()
        await field('Phone').fill('0911-222-333')
        await button('access:visitor.register').click()
        await expect(page.getByRole('heading', { name })).toBeVisible()
      })

      await test.step('the scanner opens for the pass holder and for no other code', async () => {
        await pressInMenu(person, name, words('access:pass.show'))
        await expect(dialog.getByRole('img', { name: words('access:pass.code', { name }) })).toBeVisible()
        const token = await dialog.locator('code').innerText()
        expect(await scan(`${token}x`)).toMatchObject({ Allow: false, Reason: 'unknown' })
        expect(await scan(token)).toMatchObject({ Allow: true, Movement: 'in', Name: name })
        await dialog
          .getByRole('button', { name: words('screens:close') })
          .last()
          .click()
      })

      await test.step('the list of people inside shows the visitor and the door', async () => {
        await person.goTo('/AccessControl?tab=inside')
        await expect(page.getByRole('row').filter({ hasText: name })).toContainText(DOOR)
        await person.goTo(`/AccessControl?tab=log&q=${encodeURIComponent(name)}`)
        await expect(page.getByRole('row').filter({ hasText: name })).toContainText(words('access:log.in'))
      })

      await test.step('after checkout the visitor is no longer inside', async () => {
        await person.goTo(`/VisitorManagement?state=inside&q=${encodeURIComponent(name)}`)
        await button('access:visitor.checkOut').click()
        await expect(page.getByText(words('lists:page.noMatch'))).toBeVisible()
        const { Rows } = await company.owner(visitor.operations.list, { Search: name })
        expect(Rows).toMatchObject([{ Phone: '0911222333', CheckedOutAt: expect.any(Number) }])
        await person.goTo('/AccessControl?tab=inside')
        await expect(page.getByText(words('access:muster.title')).first()).toBeVisible()
        await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(0)
      })
      await person.leave()
      await stop()
    })

    test('lets a receptionist check in a visitor with one click', async ({ browser, company }) => {
      const VisitorName = `來賓 ${language}`
      const now = Date.now()
      await company.owner(visitor.operations.create, {
        VisitorName,
        Email: newEmail('visitor'),
        Phone: '0911-222-333',
        ValidFrom: now - 60_000,
        ValidUntil: now + 3_600_000,
      })
      const receptionist = await hire(company, '櫃台', [
        { FeatureKey: 'access_control_visitor', OperationList: ['Read', 'Create', 'Update'] },
      ])
      const person = await visit(browser, company.product, language)
      const { page, words } = person
      await enter(person, receptionist.Email)
      const row = page.getByRole('row').filter({ hasText: VisitorName })
      await expect(row).toContainText(words('access:states.expected'))
      await expect(page).toHaveURL(/\/AccessControl$/)
      await page.evaluate(() => {
        document.body.dataset['clicks'] = '0'
        const count = () =>
          (document.body.dataset['clicks'] = `${Number(document.body.dataset['clicks']) + 1}`)
        addEventListener('click', count, true)
      })
      await row.getByRole('button', { name: words('access:visitor.checkIn') }).click()
      await expect(row).toContainText(words('access:states.inside'))
      await expect(page.locator('body')).toHaveAttribute('data-clicks', '1')
      await person.leave()
    })

    test('adds a card holder to the open list at once, logs a rejected person, and prints only the list', async ({
      browser,
      company,
    }) => {
      const { scan, stop } = await addDoor(company)
      const EmployeeName = `員工 ${language}`
      const CardNumber = `0A0B0C${LANGUAGES.indexOf(language)}`
      const Email = `${language.toLowerCase()}@example.com`
      await company.owner(employee.operations.create, { EmployeeName, Email, CardNumber })
      const person = await signIn(browser, company.product, language, company.email, {
        at: '/AccessControl?tab=inside',
      })
      const { page, words } = person
      const row = page.getByRole('row').filter({ hasText: EmployeeName })
      const print = page.getByRole('button', { name: words('access:print') })

      await person.live()
      await expect(print).toBeVisible()
      await expect(row).toHaveCount(0)
      expect(await scan(CardNumber, 'card')).toMatchObject({ Allow: true, Movement: 'in' })
      await expect(row).toContainText(DOOR)
      await page.emulateMedia({ media: 'print' })
      await expect(print).toBeHidden()
      await expect(page.getByRole('tab').first()).toBeHidden()
      await expect(row).toBeVisible()
      await page.emulateMedia({ media: 'screen' })

      await person.goTo(`/AccessControl?tab=log&result=denied&q=${encodeURIComponent(EmployeeName)}`)
      await expect(page.getByText(words('lists:page.noMatch'))).toBeVisible()
      const left = { EmployeeName, Email: `left.${Email}`, CardNumber: `${CardNumber}FF`, Active: false }
      await company.owner(employee.operations.create, left)
      expect(await scan(left.CardNumber, 'card')).toMatchObject({ Allow: false })
      await expect(row).toContainText(words('access:denials.inactive'))
      await person.leave()
      await stop()
    })

    test('shows the lists without horizontal overflow on a phone', async ({ browser, demo }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
      })
      const { page } = person
      for (const path of [
        '/AccessControl',
        '/VisitorManagement',
        '/EmployeeManagement',
        '/ScannerManagement',
        '/CreateEmployee',
      ]) {
        await person.goTo(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.locator('.ant-skeleton-active, [aria-busy="true"]')).toHaveCount(0)
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
      }
      await person.leave()
    })
  })
