import { user } from '../../contract/people/user.ts'
import { addHome, hire, newEmail } from './support/company.ts'
import { DEMO_PASSWORD } from '../../scripts/demo-company.ts'
import { findings } from './support/axe.ts'
import { pressInMenu, signIn, visit } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('imports people from a file, reports invalid cells, and shows initial passwords', async ({
      browser,
      company,
    }) => {
      await addHome(company)
      const person = await signIn(browser, company.product, language, company.email, { at: '/user/list' })
      const { page, words } = person
      const ming = newEmail('ming')
      await page.getByRole('button', { name: words('people:import.button') }).click()
      await page.getByLabel(words('people:import.file')).setInputFiles({
        name: 'people.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(
          `Email,First name,姓,rank,template\n${ming},大明,王,3,viewer\n${newEmail('broken')},,,200,\n${company.email},,,,\n`,
        ),
      })
      await page.getByRole('button', { name: words('people:import.check') }).click()
      await expect(page.getByText(words('errors:fields.tooBig'))).toBeVisible()
      await expect(page.getByText(words('people:import.taken'))).toBeVisible()
      await page.getByRole('button', { name: /1/ }).last().click()
      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: words('people:import.download') }).click()
      const lines = (await (await saved).createReadStream()).setEncoding('utf8')
      let text = ''
      for await (const part of lines) text += part
      expect(text).toMatch(new RegExp(`${ming},王大明,[a-z2-9]{12}`))
      const { Rows } = await company.owner(user.operations.page, { Search: ming })
      expect(Rows).toMatchObject([{ rank: 3, Rights: 21 }])
      await person.leave()
    })

    test('notifies a person who edits a user of another change at once, and lets them choose', async ({
      browser,
      company,
    }) => {
      await addHome(company)
      const { Email, CognitoId } = await hire(company, '同事', [])
      const person = await signIn(browser, company.product, language, company.email, {
        at: `/user/${CognitoId}`,
      })
      const { page, words } = person
      const rank = page.getByLabel(words('resources:user.fields.rank'))
      await rank.fill('7')
      await person.live()
      await company.owner(user.operations.update, {
        Email,
        rank: language === 'zh-TW' ? 41 : 42,
      })
      await expect(page.getByText(words('errors:fields.changed'))).toBeVisible()
      await page.getByRole('button', { name: words('screens:conflict.take') }).click()
      await expect(rank).toHaveValue(language === 'zh-TW' ? '41' : '42')
      await person.leave()
    })

    test('saves the stored data of a person as a file, then erases it, on a phone', async ({
      browser,
      company,
    }) => {
      await addHome(company)
      const { Email, CognitoId } = await hire(company, '林小美', [])
      const person = await signIn(browser, company.product, language, company.email, {
        viewport: { width: 390, height: 844 },
        at: `/user/${CognitoId}`,
      })
      const { page, words } = person
      const saved = page.waitForEvent('download')
      await pressInMenu(person, '林小美', words('screens:personData.export'))
      expect((await saved).suggestedFilename()).toMatch(/\.json$/)
      await pressInMenu(person, '林小美', words('screens:personData.erase'))
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: words('screens:personData.erase'), exact: true })
      await expect(confirm).toBeDisabled()
      expect(await findings(page)).toEqual([])
      await dialog.getByRole('textbox').fill(Email)
      await confirm.click()
      await expect(page).toHaveURL(/\/user\/list/)
      await expect(page.getByText(/已刪除 Deleted [\dA-F]{8}/)).toBeVisible()
      const { Total } = await company.owner(user.operations.page, { Search: Email })
      expect(Total).toBe(0)
      await person.leave()
    })

    test('shows the people list and the rights without horizontal overflow on a phone', async ({
      browser,
      demo,
    }) => {
      const [other] = (await demo.owner(user.operations.page, { Search: ACCOUNTS.viewer })).Rows
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        viewport: { width: 390, height: 844 },
        at: '/user/list',
      })
      for (const path of ['/user/list', `/user/${other?.CognitoId}`]) {
        await person.goTo(path)
        await expect(person.page.getByRole('heading', { level: 1 })).toBeVisible()
        const width = await person.page.evaluate(() => document.documentElement.scrollWidth)
        expect(width, path).toBeLessThanOrEqual(390)
      }
      await person.page.getByText(person.words('people:invite.adjust'), { exact: true }).click()
      await expect(person.page.getByRole('checkbox').first()).toBeVisible()
      const target = await person.page.locator('li label').nth(9).boundingBox()
      expect(target?.height).toBeGreaterThanOrEqual(44)
      // The overview of all rights is at most three screens of expandable lines.
      const height = await person.page.evaluate(() => document.documentElement.scrollHeight)
      // The role cards, and the matrix below them.
      expect(height).toBeLessThan(844 * 4)
      await person.leave()
    })

    test('an invited person chooses a password by the link and opens a permitted page', async ({
      browser,
      company,
    }) => {
      await addHome(company)
      const person = await signIn(browser, company.product, language, company.email, { at: '/user/add' })
      const { page, words } = person
      const email = newEmail('invited')
      await page.getByLabel(words('people:invite.emails')).fill(email)
      await page.getByText(words('people:invite.cards.operator.name'), { exact: true }).click()
      expect(await findings(page)).toEqual([])
      await page.getByRole('button', { name: words('people:invite.makeLink', { count: 1 }) }).click()
      const link = await page.locator('code').innerText()
      await page.getByRole('link', { name: words('resources:user.toList') }).click()
      await expect(page.getByRole('row').filter({ hasText: email })).toContainText(
        words('resources:user.invited'),
      )

      const guest = await visit(browser, company.product, language)
      await guest.open(new URL(link).pathname + new URL(link).hash)
      await expect(guest.page.getByText(words('auth:invitation.submit'))).toBeVisible()
      expect(await findings(guest.page)).toEqual([])
      await guest.page.getByLabel(words('auth:familyName')).fill('林')
      await guest.page.getByLabel(words('auth:givenName')).fill('小美')
      await guest.page.getByLabel(words('auth:password'), { exact: true }).fill(DEMO_PASSWORD)
      await guest.page.getByLabel(words('auth:confirmPassword')).fill(DEMO_PASSWORD)
      await guest.page.getByRole('button', { name: words('auth:invitation.submit') }).click()
      await expect(guest.page.getByRole('heading', { name: words('dashboard:title') })).toBeVisible()
      expect(new URL(guest.page.url()).hash).toBe('')
      await expect(page.getByRole('row').filter({ hasText: email })).toContainText(words('resources:user.on'))
      await Promise.all([person.leave(), guest.leave()])
    })
  })
