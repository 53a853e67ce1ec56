import { expect, test } from '@playwright/test'
import { visitor } from '../../contract/resources/visitor.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS, startDemo, type Demo } from './support/product.ts'
import { LANGUAGES } from './support/words.ts'

let demo: Demo
test.beforeAll(async () => {
  test.setTimeout(180_000)
  demo = await startDemo({})
})
test.afterAll(() => demo?.stop())

for (const language of LANGUAGES)
  test.describe(language, () => {
    test('a visitor is registered, shown the pass, checked in and out', async ({ browser }) => {
      const name = `訪客 ${language}`
      const person = await signIn(browser, demo, language, ACCOUNTS.owner)
      const { page, words } = person
      await person.open('/VisitorRegister')
      const field = (key: string) => page.getByLabel(words(`access:fields.${key}`))
      await field('Email').fill(`Guest-${language}@Example.com`)
      await field('Phone').fill('0911-222-33')
      await field('VisitorName').fill(name)
      await page.getByRole('button', { name: words('access:visitor.register'), exact: true }).click()
      await expect(page.getByText(words('errors:fields.phone'))).toBeVisible()
      await field('Phone').fill('0911-222-333')
      await page.getByRole('button', { name: words('access:visitor.register'), exact: true }).click()
      await expect(page.getByRole('heading', { name })).toBeVisible()

      await page.getByRole('button', { name: words('access:pass.show'), exact: true }).click()
      await expect(page.getByRole('img', { name: words('access:pass.code', { name }) })).toBeVisible()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: words('screens:close') })
        .last()
        .click()

      await page.getByRole('button', { name: words('access:visitor.checkIn'), exact: true }).click()
      await expect(page.getByText(words('access:states.inside'), { exact: true })).toBeVisible()
      await person.open('/AccessControl?tab=inside')
      await expect(page.getByText(name)).toBeVisible()
      await person.open(`/VisitorManagement?state=inside&q=${encodeURIComponent(name)}`)
      await page.getByRole('button', { name: words('access:visitor.checkOut'), exact: true }).click()
      await expect(page.getByText(words('access:noMatch'))).toBeVisible()

      const { Rows } = await demo.owner(visitor.operations.list, { Search: name })
      expect(Rows).toMatchObject([{ Phone: '0911222333', CheckedOutAt: expect.any(Number) }])
      await person.leave()
    })

    test('the lists fit a phone', async ({ browser }) => {
      const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
        viewport: { width: 390, height: 844 },
      })
      for (const path of [
        '/AccessControl',
        '/VisitorManagement',
        '/EmployeeManagement',
        '/ScannerManagement',
        '/CreateEmployee',
      ]) {
        await person.open(path)
        await expect(person.page.getByRole('heading', { level: 1 })).toBeVisible()
        const beyond = await person.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(beyond, path).toBeLessThanOrEqual(0)
      }
      await person.leave()
    })
  })
