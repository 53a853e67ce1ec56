import { signIn } from './support/person.ts'
import { ACCOUNTS } from './support/product.ts'
import { expect, test } from './support/test.ts'
import { LANGUAGES } from './support/words.ts'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1440, height: 600 },
  { width: 390, height: 844 },
]

for (const language of LANGUAGES)
  test.describe(language, () => {
    for (const viewport of SIZES)
      test(`the last entry of the side menu is reached by wheel and by keyboard at ${viewport.width} × ${viewport.height}`, async ({
        browser,
        demo,
      }) => {
        const person = await signIn(browser, demo, language, ACCOUNTS.owner, { viewport })
        const { page, words } = person
        if (viewport.width < 600)
          await page.getByRole('button', { name: words('shell:bottomBar.more'), exact: true }).click()
        const menu = page.getByRole('navigation', { name: words('shell:menu.label') })
        const longest = menu.getByRole('button', { name: words('shell:menu.rooms') })
        await longest.click()
        await expect(longest).toHaveAttribute('aria-expanded', 'true')
        const lines = menu.locator('.entry')
        const last = lines.last()
        const first = lines.first()

        await first.focus()
        await page.keyboard.press('End')
        await expect(last).toBeFocused()
        await expect(last).toBeInViewport({ ratio: 1 })
        await page.keyboard.press('Home')
        await expect(first).toBeInViewport({ ratio: 1 })

        await menu.hover({ position: { x: 40, y: 100 } })
        await page.mouse.wheel(0, 5_000)
        await expect(last).toBeInViewport({ ratio: 1 })
        const [line, version] = await Promise.all([
          last.boundingBox(),
          page.locator('.version').boundingBox(),
        ])
        // Nothing covers it, and the version below stays visible.
        expect((line?.y ?? 0) + (line?.height ?? 0)).toBeLessThanOrEqual(version?.y ?? 0)
        expect((version?.y ?? 0) + (version?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
        await person.leave()
      })
  })
