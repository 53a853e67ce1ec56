import { findings } from './support/axe.ts'
import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const SIZES = {
  desk: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} as const
/** Each language at one size: texts have the same length on both. */
const WALKS = { 'zh-TW': 'phone', 'en-US': 'desk' } as const

for (const language of LANGUAGES)
  test(`offers the tour once, and each stop points at what it describes (${language})`, async ({
    browser,
    demo,
  }) => {
    const person = await signIn(browser, demo, language, ACCOUNTS.owner, {
      ...SIZES[WALKS[language]],
      ownBrowser: true,
    })
    const { page, words } = person
    await page.route('**/config.json', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()), Demo: true } })
    })
    await person.open('/')
    await page.getByRole('button', { name: words('shell:tour.begin') }).click()
    const tour = page.getByRole('region', { name: words('tour:label') })
    const stops = ['needs', 'room'] as const
    for (const [i, stop] of stops.entries()) {
      await expect(tour).toContainText(words(`tour:steps.${stop}.title`))
      await expect(tour).toContainText(words(`tour:steps.${stop}.text`))
      await expect(tour).toBeInViewport({ ratio: 1 })
      const target = page.locator('[data-tour-target]')
      await expect(target).toHaveAttribute('data-tour', stop)
      // Nothing covers what a step describes, and the page shows what the text says.
      await expect(target).toBeInViewport()
      const action = target.locator('ol > li').first().locator('a, button').last()
      if (stop === 'needs') await action.click({ trial: true })
      if (stop === 'room') {
        const room = page.locator('[data-tour="room"]')
        await room.getByText(words('building:allOff')).first().click()
        await expect(room.getByRole('status')).toContainText(/(已確認|·) [1-9]/)
        // Tab leaves the drawer for the tour.
        await page.getByRole('link', { name: words('building:allDevices') }).focus()
        await page.keyboard.press('Tab')
        await expect(tour.getByRole('button').first()).toBeFocused()
      }
      if (i === 0) expect(await findings(page)).toEqual([])
      const last = i === stops.length - 1
      await tour.getByRole('button', { name: words(last ? 'tour:end' : 'tour:next'), exact: true }).click()
    }
    await expect(tour).toHaveCount(0)
    await page.reload()
    await person.live()
    await expect(page.getByRole('button', { name: words('shell:tour.begin') })).toHaveCount(0)

    await person.open('/?tour=1')
    await expect(tour).toContainText(words('tour:steps.needs.title'))
    await tour.getByText(words('tour:skip'), { exact: true }).click()
    await expect(tour).toHaveCount(0)
    await person.leave()
  })
