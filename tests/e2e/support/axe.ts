import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Axe's rule about contrast: it takes as long as all others, and is the only one that depends on colours. */
export const CONTRAST = 'color-contrast'

/** Rules to check, by default all: `include` these, or all `exclude` these. */
interface Rules {
  include?: readonly string[]
  exclude?: readonly string[]
}

/** Serious and critical violations that axe finds on the page: one line for each element. */
export async function findings(page: Page, { include, exclude = [] }: Rules = {}): Promise<string[]> {
  // Evaluated instead of added as a tag: the page's content security policy allows no foreign script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  if (!exclude.includes(CONTRAST)) await page.evaluate(finishAnimations)
  return page.evaluate(
    async ([values, disabled]) => {
      const run = (globalThis as unknown as { axe: typeof axe }).axe
      const { violations } = await run.run(document, {
        resultTypes: ['violations'],
        rules: Object.fromEntries(disabled.map((rule) => [rule, { enabled: false }])),
        ...(values && { runOnly: { type: 'rule' as const, values: [...values] } }),
      })
      // Filtered here, not in the test: transferring the whole report would be hundreds of kilobytes.
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) =>
          nodes.map(({ target, html }) => `${id}: ${target.join(' ')} ${html.slice(0, 160)}`),
        )
    },
    [include, exclude] as const,
  )
}

/** Runs in the page. A change of theme starts transitions a frame or two later: colors are final after ten frames without one. */
async function finishAnimations(): Promise<void> {
  for (let quietFrames = 0; quietFrames < 10; quietFrames++) {
    await new Promise(requestAnimationFrame)
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Infinity) {
        animation.finish()
        quietFrames = 0
      }
  }
}
