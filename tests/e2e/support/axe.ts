import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Serious and critical violations that axe finds on the page: one line for each element.
 *
 * rules  only these rules, e.g. when only colors changed since the last check
 */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated instead of added as a tag: the page's content security policy allows no foreign script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  return page.evaluate(
    async (only) => {
      // A change of theme starts transitions a frame or two later: colors are final after ten frames without one.
      for (let quiet = 0; quiet < 10; quiet++) {
        await new Promise(requestAnimationFrame)
        for (const animation of document.getAnimations())
          if (animation.effect?.getComputedTiming().endTime !== Infinity) {
            animation.finish()
            quiet = 0
          }
      }
      const run = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations } = await run.run(document, {
        resultTypes: ['violations'],
        ...(only && { runOnly: { type: 'rule' as const, values: only } }),
      })
      // Filtered here, not in the test: transferring the whole report would be hundreds of kilobytes.
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 160)}`),
        )
    },
    rules && [...rules],
  )
}
