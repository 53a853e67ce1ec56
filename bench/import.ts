import { from as copyFrom } from 'pg-copy-streams'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openDb } from '../gateway/store/db.ts'
import { socketDirOf } from '../gateway/store/embedded.ts'
import { openBrowser, openPage, signIn } from './support/browser.ts'
import { makeDevices, makeHome, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'

export const name = 'import'
export const bar =
  '100,000 rows of a CSV, 17 of them broken: exactly 17 named; read, tried and imported under 30 s'

const METERS = 10
const BROKEN = 17
const QUARTER = 900_000

/** A typical file: time, meter and counter; some cells are not numbers, some times are invalid. */
function makeFile(rows: number, meters: readonly string[]) {
  const per = rows / meters.length
  const from = Math.floor(Date.now() / QUARTER) * QUARTER - (per + 1) * QUARTER
  const lines: string[] = []
  const validRows: [meter: number, timestamp: number, kwh: number][] = []
  const broken = new Set(
    Array.from({ length: BROKEN }, (_, index) => Math.floor(((index + 0.5) * rows) / BROKEN)),
  )
  for (const [place, meter] of meters.entries())
    for (let step = 0; step < per; step++) {
      const timestamp = from + step * QUARTER
      const kwh = 1_000 + step * 0.25
      const time = new Date(timestamp + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')
      const index = lines.length
      if (!broken.has(index)) validRows.push([place, timestamp, kwh])
      lines.push(
        broken.has(index)
          ? `${index % 2 ? 'soon' : time},${meter},${index % 2 ? kwh : '=1+1'}`
          : `${time},${meter},${kwh}`,
      )
    }
  return { text: `時間,電表,累計 (kWh)\n${lines.join('\n')}\n`, good: validRows }
}

/** The complete import in a real browser, compared with COPY of the same rows into a bare table of the same database. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: true })
  const directory = await temporaryDirectory()
  const gateway = await startGateway(directory)
  const owner = await signUpOwner(gateway.url)
  const devices = makeDevices('meter', METERS, ['514'])
  const { HomeID } = await makeHome(gateway, owner, '總部', [devices])
  const rows = quick ? 20_000 : 100_000
  const file = makeFile(
    rows,
    devices.map(({ PeripheralUID }) => PeripheralUID),
  )
  const reference = await copyTime(directory, file.good)

  const browser = await openBrowser()
  const session = await signIn(browser, gateway.url)
  const { page } = await openPage(browser, { session })
  await page.goto(`${gateway.url}/import/${HomeID}`)
  const input = page.locator('main input[type=file]')
  await input.waitFor({ state: 'attached' })
  const startedAt = performance.now()
  await input.setInputFiles({ name: 'past.csv', mimeType: 'text/csv', buffer: Buffer.from(file.text) })
  const check = page.getByRole('button', { name: '試算' })
  await check.waitFor()
  const shownAt = performance.now()
  await check.click()
  const commit = page.getByRole('button', { name: /^匯入 / })
  await commit.waitFor()
  const named = await page.locator('details[open] li').count()
  const previewedAt = performance.now()
  await commit.click()
  await page.locator('.ant-alert-success').waitFor()
  const done = performance.now()
  await browser.close()
  return [
    {
      what: `${rows} rows: read, tried and imported in the browser`,
      value: (done - startedAt) / 1000,
      unit: 's',
      reference: { what: 'COPY of the rows alone', value: reference / 1000 },
      bar: { of: 'value', max: 30 },
      note: `shown after ${Math.round(shownAt - startedAt)} ms, tried in ${Math.round(previewedAt - shownAt)} ms, imported in ${Math.round(done - previewedAt)} ms`,
    },
    {
      what: `${BROKEN} broken rows: named`,
      value: named,
      unit: '',
      bar: { of: 'value', min: BROKEN, max: BROKEN },
    },
  ]
}

async function copyTime(directory: string, rows: readonly (readonly number[])[]): Promise<number> {
  const silent = () => {}
  const log = { info: silent, warn: silent, error: silent }
  const db = openDb({ socketDir: socketDirOf(directory), log })
  const client = await db.pool.connect()
  try {
    await client.query(
      'create temp table copied (meter_id integer, timestamp bigint, accumulate_power double precision)',
    )
    const startedAt = performance.now()
    const text = rows.map((row) => `${row.join('\t')}\n`)
    await pipeline(Readable.from(text), client.query(copyFrom('copy copied from stdin')))
    return performance.now() - startedAt
  } finally {
    client.release()
    await db.close()
  }
}
