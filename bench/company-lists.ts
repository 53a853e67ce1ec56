import type { Page } from '@playwright/test'
import { type Db, sql } from '../gateway/kernel/db.ts'
import { openDb } from '../gateway/store/db.ts'
import { socketDirOf } from '../gateway/store/embedded.ts'
import { openBrowser, openPage, signIn } from './support/browser.ts'
import { atEnd } from './support/clean-up.ts'
import { signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { median, percentile } from './support/statistics.ts'

export const name = 'company-lists'
export const bar = '10,000 users or visitors: first rows under 300 ms, a search under 150 ms'

const RECORDS = 10_000
const ROW = 'main [data-row-key]'
const HOUR = 3_600_000
const LISTS = [
  { of: 'users', path: '/user/list', another: '?sort=-Email', firstThen: 'users 10000' },
  { of: 'visitors', path: '/VisitorManagement', another: '?sort=-VisitorName', firstThen: 'visitors 10000' },
] as const

/** Opens both lists of a company of ten thousand, and searches in them; measures from the change of the address to painted rows. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const { rootId } = await signUpOwner(gateway.url)
  const db = openDb({
    socketDir: socketDirOf(directory),
    max: 1,
    statementTimeoutMs: 0,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  atEnd(() => db.close())
  await storePeople(db, rootId)

  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  const figures: Figure[] = []
  for (const { of, path, another, firstThen } of LISTS) {
    const first: number[] = []
    const opened: number[] = []
    const searched: number[] = []
    for (let run = 0; run < (quick ? 2 : 5); run++) {
      const { page } = await openPage(browser, { session })
      await page.goto(gateway.url)
      await page.locator('main h1').waitFor()
      // Requests after the first screen are not part of the list.
      await page.waitForTimeout(3000)
      first.push(await navigate(page, path, ''))
      await navigate(page, '/', '', '#dashboard-title')
      // A sort order that has not been requested yet, so nothing is cached.
      opened.push(await navigate(page, path + another, firstThen))
      for (let i = 0; i < 8; i++) {
        const words = `${of} ${String((run * 8 + i) * 97 + 1).padStart(5, '0')}`
        searched.push(await navigate(page, `${path}?q=${encodeURIComponent(words)}`, words))
      }
      await page.context().close()
    }
    figures.push(
      {
        what: `list of ${RECORDS} ${of}: opened to first rows painted`,
        value: median(opened),
        unit: 'ms',
        bar: { of: 'value', max: 300 },
        note: `the first list of a page, its code fetched with it: ${Math.round(median(first))} ms`,
      },
      {
        what: `list of ${RECORDS} ${of}: search asked to rows painted`,
        value: median(searched),
        unit: 'ms',
        bar: { of: 'value', max: 150 },
        note: `95th percentile ${Math.round(percentile(searched, 0.95))} ms; asked when typing has paused`,
      },
    )
  }
  return figures
}

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

/** Inserts people and visitors directly into their tables: hashing ten thousand initial passwords would take an hour. */
async function storePeople(db: Db, tenant: string): Promise<void> {
  const now = Date.now()
  await db.query(sql`insert into users (tenant, cognito_id, email, last_name, created_at)
    select ${tenant}, gen_random_uuid(), 'user' || lpad(i::text, 5, '0') || '@bench.example', 'users ' || lpad(i::text, 5, '0'), ${now}
    from generate_series(1, ${RECORDS}::int) i`)
  await db.query(sql`insert into visitors (tenant, visitor_id, visitor_name, company, email, phone, ext, purpose, valid_from,
      valid_until, created_at)
    select ${tenant}, 'visitor-' || i, 'visitors ' || lpad(i::text, 5, '0'), 'Bench', 'visitor' || i || '@bench.example',
      '0911222333', '', '', ${now}::bigint + i, ${now + HOUR}::bigint + i, ${now}
    from generate_series(1, ${RECORDS}::int) i`)
  await db.query(sql`analyze`)
}
