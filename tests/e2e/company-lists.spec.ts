import { user } from '../../contract/people/user.ts'
import { foundCompany, newEmail, addHome, type Company } from './support/company.ts'
import { signIn } from './support/person.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

/** More than one page of the list. */
const PEOPLE = 52

// All tests use the same crowd: one disables what the next enables.
test.describe.configure({ mode: 'default' })

let company: Company
test.beforeAll(async ({ empty }) => {
  company = await foundCompany(empty)
  await addHome(company)
  for (let i = 0; i < PEOPLE; i++)
    await company.owner(user.operations.create, {
      Email: newEmail(`crowd${i}`),
      password: 'crowded1',
      LastName: `Crowd ${i}`,
    })
})

for (const language of LANGUAGES)
  test.describe(language, () => {
    const isFirst = language === LANGUAGES[0]

    test('selects and changes all matching rows together, and saves a filter as a view', async ({
      browser,
    }) => {
      const person = await signIn(browser, company.product, language, company.email, {
        at: '/user/list?q=crowd',
      })
      const { page, words } = person
      const bar = page.getByRole('toolbar', { name: words('lists:bulk.label') })
      await page.getByRole('checkbox', { name: words('lists:chooseListed') }).check()
      await page.getByRole('button', { name: words('lists:matching.all', { total: PEOPLE }) }).click()
      await expect(bar.getByText(words('lists:bulk.items', { count: PEOPLE }))).toBeVisible()

      // The actions stay visible at the end of the list, with the table header below them.
      await page.locator('[data-row-key]').last().scrollIntoViewIfNeeded()
      await expect(bar).toBeInViewport({ ratio: 1 })
      await expect(
        page.getByRole('columnheader', { name: words('resources:user.fields.Email') }),
      ).toBeInViewport()

      await bar.getByRole('button', { name: words(`people:bulk.${isFirst ? 'disable' : 'enable'}`) }).click()
      if (isFirst)
        await page
          .getByRole('dialog')
          .getByRole('button', { name: words('people:bulk.disable') })
          .click()
      const progress = words('lists:results.progress', { done: PEOPLE, total: PEOPLE, failed: 0 })
      await expect(page.getByText(progress)).toBeVisible({ timeout: 60_000 })
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('lists:results.close') })
        .last()
        .click()
      await expect(bar).toHaveCount(0)
      const { Total } = await company.owner(user.operations.page, { Search: 'crowd', enabled: !isFirst })
      expect(Total).toBe(PEOPLE)

      await person.open('/user/list?q=crowd')
      await page.getByRole('button', { name: words('lists:views.title') }).click()
      await page.getByRole('menuitem', { name: words('lists:views.save') }).click()
      await page
        .getByRole('dialog')
        .getByRole('textbox', { name: words('lists:views.name') })
        .fill(`Crowd ${language}`)
      await page.keyboard.press('Enter')
      await expect(page.getByText(words('lists:views.saved', { name: `Crowd ${language}` }))).toBeVisible()
      await person.open('/user/list')
      await page.getByRole('button', { name: words('lists:views.title') }).click()
      await page.getByRole('menuitemradio', { name: `Crowd ${language}` }).click()
      await expect(page).toHaveURL(/[?&]q=crowd/)
      await person.leave()
    })

    test('selects all cards on a phone and keeps the action bar in view', async ({ browser }) => {
      const person = await signIn(browser, company.product, language, company.email, {
        viewport: { width: 390, height: 844 },
        at: '/user/list?q=crowd',
      })
      const { page, words } = person
      await page.getByRole('checkbox', { name: words('lists:chooseListed') }).check()
      const bar = page.getByRole('toolbar', { name: words('lists:bulk.label') })
      // Only cards near the viewport are rendered.
      const far = page.getByRole('checkbox', { name: words('lists:choose', { name: 'Crowd 5' }) })
      await expect(async () => {
        await page.mouse.wheel(0, 800)
        await expect(far).toBeInViewport({ timeout: 100 })
      }).toPass({ intervals: [20] })
      await expect(bar).toBeInViewport({ ratio: 1 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
      await bar.getByRole('button', { name: words('lists:bulk.clear') }).click()
      await expect(bar).toHaveCount(0)
      await person.leave()
    })
  })
