import type { Page } from '@playwright/test'
import { home } from '../../contract/homes/home.ts'
import { type Db, sql } from '../../gateway/kernel/db.ts'
import { databaseOf } from '../automation/database.ts'
import { openBrowser, openPage, signIn } from '../support/browser.ts'
import { signUpOwner } from '../support/company.ts'
import { startGateway, temporaryDirectory } from '../support/gateway.ts'
import type { Figure, Options } from '../support/measurement.ts'
import { median, percentile } from '../support/statistics.ts'

const ALARMS = 10_000
const ROW = 'main [data-row-key]'
const SEARCHES = 8

/** Opens the alarms of a home with ten thousand open ones, and filters them; measures from the change of the address to painted rows. */
export async function listOfThousands({ quick }: Options): Promise<Figure[]> {
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const { call, rootId } = await signUpOwner(gateway.url)
  const { HomeID } = await call(home.operations.create, { HomeName: 'home', TimeZone: 'Asia/Taipei' })
  await storeAlarms(databaseOf(directory), rootId, HomeID)

  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  const path = `/Alarm/${HomeID}?tab=live`
  const first: number[] = []
  const opened: number[] = []
  const narrowed: number[] = []
  for (let run = 0; run < (quick ? 2 : 5); run++) {
    const { page } = await openPage(browser, { session })
    await page.goto(gateway.url)
    await page.locator('main h1').waitFor()
    // Requests after the first screen are not part of the list.
    await page.waitForTimeout(3000)
    first.push(await navigate(page, path, 'smoke'))
    await navigate(page, '/', '', '#dashboard-title')
    // A filter that has not been requested yet, so nothing is cached.
    opened.push(await navigate(page, `${path}&kind=state`, 'smoke'))
    narrowed.push(await navigate(page, `${path}&kind=state&severity=warning`, 'shock'))
    for (let i = 0; i < SEARCHES; i++) {
      const words = nameOf((run * SEARCHES + i) * 97 + 1)
      narrowed.push(await navigate(page, `${path}&q=${encodeURIComponent(words)}`, words))
    }
    await page.context().close()
  }
  await gateway.stop()
  return [
    {
      what: `list of ${ALARMS} alarms: opened to first rows painted`,
      value: median(opened),
      unit: 'ms',
      bar: { of: 'value', max: 300 },
      note: `the first list of a page, its code fetched with it: ${Math.round(median(first))} ms`,
    },
    {
      what: `list of ${ALARMS} alarms: filter asked to rows painted`,
      value: median(narrowed),
      unit: 'ms',
      bar: { of: 'value', max: 150 },
      note: `95th percentile ${Math.round(percentile(narrowed, 0.95))} ms; asked when typing has paused`,
    },
  ]
}

/** Names: every fourth is a shock sensor's warning, the others are smoke. */
const nameOf = (i: number): string => `${i % 4 === 0 ? 'shock' : 'smoke'} ${String(i).padStart(5, '0')}`

/** Navigates within the page; ms until the frame that paints a first row with these words. */
const navigate = (page: Page, to: string, words: string, what = ROW): Promise<number> =>
  page.evaluate(
    ([address, row, text]) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now()
        history.pushState(null, '', address)
        dispatchEvent(new PopStateEvent('popstate'))
        const check = () => {
          if (!document.querySelector(row)?.textContent?.includes(text))
            return void requestAnimationFrame(check)
          requestAnimationFrame(() => resolve(performance.now() - startedAt))
        }
        requestAnimationFrame(check)
      }),
    [to, what, words] as const,
  )

/** Inserts open alarms of deleted devices directly into their table; the newest is smoke. */
async function storeAlarms(db: Db, tenant: string, HomeID: string): Promise<void> {
  const now = Date.now()
  await db.query(sql`
    insert into alarms (alarm_id, tenant, home_id, source, kind, peripheral_uid, peripheral_type, subject_name, severity, values,
      raised_at, reported_at, told)
    select gen_random_uuid(), ${tenant}, ${HomeID}, 'state:device-' || i, 'state', 'device-' || i,
      case when i % 4 = 0 then '757' else '756' end, case when i % 4 = 0 then 'shock ' else 'smoke ' end || lpad(i::text, 5, '0'),
      case when i % 4 = 0 then 'warning' else 'critical' end,
      case when i % 4 = 0 then '{"ShockState": 2}' else '{"SmokeState": 3}' end::jsonb,
      ${now}::bigint - i * 1000, ${now}::bigint - i * 1000, true
    from generate_series(1, ${ALARMS}::int) i`)
  await db.query(sql`analyze`)
}
