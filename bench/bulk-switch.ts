import { openBrowser, openPage, signIn } from './support/browser.ts'
import { makeDevices, makeHome, portions, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import { connectInstantHub } from './support/instant-hub.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median } from './support/statistics.ts'

export const name = 'bulk-switch'
export const bar =
  'bulk switch of 100 devices, click to last confirmation, instant devices: under 1 s, results one by one'

const DEVICES = 100
const DEVICES_PER_HUB = 25
const TURN = { on: '開啟', off: '關閉' }

/** A user selects a hundred lights in the list and turns them on, then off; their hubs report the new state immediately. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const gateway = await startGateway(await temporaryDirectory())
  const owner = await signUpOwner(gateway.url)
  const lights = portions(makeDevices('light', DEVICES, ['516']), DEVICES_PER_HUB)
  const { HomeID, hubs } = await makeHome(gateway, owner, '總部', lights)
  for (const hub of hubs) await connectInstantHub(gateway, hub)

  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  const { page } = await openPage(browser, { session })
  await page.goto(`${gateway.url}/DeviceList/${HomeID}?kind=LightSwitch`)
  await page.locator('main [data-row-key]').nth(5).waitFor()
  // The live channel connects after the first screen.
  await page.waitForTimeout(3_000)

  const times: number[] = []
  const steps: number[] = []
  for (let run = 0; run < (quick ? 4 : 10); run++) {
    await page.locator('main [role=columnheader] input[type=checkbox]').check()
    const button = page.locator('main [role=toolbar] button', {
      hasText: run % 2 === 0 ? TURN.on : TURN.off,
    })
    await button.waitFor()
    const { ms, seen, failed } = await button.evaluate(
      (element) =>
        new Promise<{ ms: number; seen: number; failed: boolean }>((resolve) => {
          const started = performance.now()
          const texts = new Set<string>()
          const check = () => {
            const status = document.querySelector('[data-bulk]')
            if (status?.textContent) texts.add(status.textContent)
            if (status?.getAttribute('data-bulk') !== 'over') return void requestAnimationFrame(check)
            const ms = performance.now() - started
            resolve({ ms, seen: texts.size, failed: !status.textContent?.endsWith(' 0') })
          }
          ;(element as HTMLElement).click()
          requestAnimationFrame(check)
        }),
    )
    if (failed) throw new Error('Not every device confirmed')
    await page.locator('.ant-modal-footer .ant-btn-primary').click()
    await page.locator('.ant-modal-footer').waitFor({ state: 'detached' })
    await page.locator('main [role=toolbar]').waitFor({ state: 'detached' })
    // The first ones warm up.
    if (run < 2) continue
    times.push(ms)
    steps.push(seen)
  }
  return [
    {
      what: `bulk switch of ${DEVICES} devices, click to last confirmation`,
      value: median(times),
      unit: 'ms',
      bar: { of: 'value', max: 1000 },
      note: `results drawn in ${median(steps)} steps`,
    },
  ]
}
