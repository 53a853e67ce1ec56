import { readFileSync } from 'node:fs'
import type { Browser, Page } from '@playwright/test'
import * as XLSX from 'xlsx'
import { openDb } from '../gateway/store/db.ts'
import { sql, type Db } from '../gateway/kernel/db.ts'
import { socketDirOf } from '../gateway/store/embedded.ts'
import { rollUp } from '../gateway/features/energy/rollup/roll-up.ts'
import { openBrowser, openPage, signIn } from './support/browser.ts'
import { makeDevices, makeHome, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'

export const name = 'export'
export const bar =
  '10 meters x 1 year x 15 min as a workbook and as CSV: under 500 MB in the tab, no task of the page over 100 ms'

const METERS = 10
const QUARTER = 900_000
const FORMATS = ['xlsx', 'csv'] as const

/** A user exports a year of readings of a home in a real browser from a real gateway; the file is read back. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('meter', METERS, ['514'])
  const { HomeID } = await makeHome(gateway, owner, '總部', [devices])
  const days = quick ? 60 : 365
  await fill(directory, HomeID, days)

  const minRows = METERS * (days - 1) * 96
  const range = days === 365 ? 'last365' : rangeOf(days)
  const figures: Figure[] = []
  for (const format of FORMATS) {
    // A new browser for each: the peak memory of a process never falls.
    const browser = await openBrowser()
    const session = await signIn(browser, gateway.url)
    const { page, devtools } = await openPage(browser, { session })
    // It would store every answer in the tab, which a browser with closed DevTools does not do.
    await devtools.send('Network.disable')
    await noteLongTasks(page)
    await page.goto(`${gateway.url}/export/${HomeID}/meter?range=${range}&format=${format}`)
    const start = page.getByRole('button', { name: /^匯出|匯\s*出$/ }).last()
    await start.waitFor()
    await page.waitForTimeout(2_000)
    const idle = await largestRenderer(browser)
    await page.evaluate(() => ((window as unknown as { longTasks: number[] }).longTasks.length = 0))
    const startedAt = performance.now()
    const downloading = page.waitForEvent('download')
    await start.click()
    const path = await (await downloading).path()
    const seconds = (performance.now() - startedAt) / 1000
    const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
    const peak = await largestRenderer(browser)
    const size = readFileSync(path).length
    const rows = format === 'xlsx' ? rowsOfWorkbook(path) : rowsOfArchive(path)
    await browser.close()

    figures.push(
      {
        what: `${rows} rows of ${METERS} meters, ${format}: memory of the tab at its most`,
        value: peak,
        unit: 'MB',
        reference: { what: 'before the export', value: idle },
        bar: { of: 'value', max: 500 },
        note: `${seconds.toFixed(1)} s, ${(size / 2 ** 20).toFixed(1)} MB of file`,
      },
      {
        what: `longest task of the page during the export, ${format}`,
        value: Math.max(0, ...tasks),
        unit: 'ms',
        bar: { of: 'value', max: 100 },
        note: `${tasks.length} of 50 ms or more`,
      },
      {
        what: `rows in the file, read back, ${format}`,
        value: rows,
        unit: '',
        bar: { of: 'value', min: minRows },
      },
    )
  }
  return figures
}

function rowsOfWorkbook(path: string): number {
  const book = XLSX.read(readFileSync(path), { dense: true })
  return book.SheetNames.reduce(
    (sum, sheet) => sum + ((book.Sheets[sheet] as XLSX.DenseWorkSheet)['!data'].length - 1),
    0,
  )
}

/** Number of rows of the CSV files in an archive, each with a header. */
function rowsOfArchive(path: string): number {
  const archive = XLSX.CFB.read(readFileSync(path), { type: 'buffer' }) as {
    FileIndex: { name: string; content: Uint8Array }[]
  }
  const lines = archive.FileIndex.filter(({ name }) => name.endsWith('.csv')).map(
    ({ content }) => Buffer.from(content).toString().split('\r\n').length - 1,
  )
  return lines.reduce((sum, each) => sum + each - 1, 0)
}

const rangeOf = (days: number): string => {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10)
  return `${day(days - 1)}..${day(0)}`
}

/** Inserts readings of every quarter of an hour directly into the database, and computes them before the measurement. */
async function fill(directory: string, homeId: string, days: number): Promise<void> {
  const silent = () => {}
  const log = { info: silent, warn: silent, error: silent }
  const db: Db = openDb({ socketDir: socketDirOf(directory), statementTimeoutMs: 0, log })
  try {
    const to = Math.floor(Date.now() / QUARTER) * QUARTER
    const from = to - days * 96 * QUARTER
    await db.query(sql`insert into meters (tenant, home_id, peripheral_uid)
      select tenant, home_id, peripheral_uid from peripherals where home_id = ${homeId} on conflict do nothing`)
    await db.query(sql`insert into readings (meter_id, timestamp, accumulate_power, power)
      select m.meter_id, t, 1000 + (t - ${from}::bigint) / 3.6e6 * (1 + m.meter_id % 7), 1000
      from meters m, generate_series(${from}::bigint, ${to}::bigint, ${QUARTER}::bigint) t where m.home_id = ${homeId}`)
    await db.query(sql`insert into meter_dirty (meter_id, from_timestamp, through_timestamp)
      select meter_id, ${from}::bigint, ${to}::bigint from meters where home_id = ${homeId}`)
    await rollUp(db)
  } finally {
    await db.close()
  }
}

/** Makes the page record every task of 50 ms or more. */
const noteLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const longTasks: number[] = []
    Object.assign(window, { longTasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration)
    }).observe({ type: 'longtask', buffered: true })
  })

/** Peak memory of a page's process, its workers included, in MB. */
async function largestRenderer(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0))
  return Math.round(Math.max(...peaks) / 1024)
}
