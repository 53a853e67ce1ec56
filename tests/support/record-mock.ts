/**
 * `npm run mock:record -- http://127.0.0.1:8080`: visits every screen of a demo that runs, and those of each site that
 * are looked at most, and keeps what its gateway answers in mock/recordings/demo.json.
 */
import { writeFileSync } from 'node:fs'
import { chromium, type Page, type Request, type Response } from '@playwright/test'
import { endpoints } from '../../contract/index.ts'
import type { Recording } from '../../mock/recording.ts'
import { home } from '../../contract/resources/home.ts'
import { pathTo, paths, type PathName } from '../../src/paths.ts'
import { paramsIn } from '../e2e/support/screen-params.ts'
import { connectApi } from '../../scripts/api.ts'
import { BROWSER_ARGS, findBrowser } from '../../scripts/browser.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../scripts/demo-company.ts'

const FILE = 'mock/recordings/demo.json'
/** A screen asks for what it shows within this time after its last answer, in ms. */
const QUIET = 800
/** Longest wait for a screen, in ms: some ask again and again. */
const PATIENCE = 20_000
/** Longest answer that is kept, in characters: what is longer is a sample. */
const LONGEST = 200_000

/** Screens that are looked at in every site. */
const OF_EACH_SITE = [
  'Building',
  'DeviceList',
  'Electricity',
  'Insight',
  'Report',
  'RoomList',
  'ScheduleListing',
  'SmartLinkListing',
  'Alarm',
  'Tariff',
  'Meters',
] as const satisfies readonly PathName[]

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))
const calls = new Map<string, Recording['Calls'][number]>()

async function keep(response: Response): Promise<void> {
  const request = response.request()
  const endpoint = byPath.get(new URL(request.url()).pathname)
  if (!endpoint || endpoint.mutates || endpoint.access === 'public' || !response.ok()) return
  const text = await response.text()
  const { results } = JSON.parse(text) as { results: unknown }
  const Input = (request.postDataJSON() ?? {}) as Record<string, unknown>
  if (text.length <= LONGEST && !SECRET.has(endpoint.path))
    calls.set(`${endpoint.path} ${JSON.stringify(Input)}`, { Path: endpoint.path, Input, Results: results })
}
/** What is for one connection or one person's devices, and is made by the mock itself. */
const SECRET = new Set(['/ConnectRealtime', '/ListSessions'])

const open = new Set<Request>()
let lastAt = 0
/** Waits until nothing is asked any more, however slow the machine is. */
async function settle(page: Page): Promise<void> {
  const until = Date.now() + PATIENCE
  lastAt = Date.now()
  while (Date.now() < until && (open.size > 0 || Date.now() - lastAt < QUIET))
    await page.waitForTimeout(QUIET / 4)
}

const api = await connectApi(url)
const [account] = DEMO_ACCOUNTS
if (!account) throw new Error('The demo has no accounts')
const owner = await api.signIn(account.Email, DEMO_PASSWORD)
const paramsOf = await paramsIn(owner)
const executablePath = findBrowser({ shell: true })
const browser = await chromium.launch({ args: BROWSER_ARGS, ...(executablePath && { executablePath }) })
const page = await browser.newPage({ timezoneId: 'Asia/Taipei', locale: 'zh-TW' })
const kept: Promise<void>[] = []
page.on('request', (request) => open.add(request))
const ended = (request: Request) => {
  open.delete(request)
  lastAt = Date.now()
}
page.on('requestfinished', ended)
page.on('requestfailed', ended)
page.on('response', (response) => kept.push(keep(response).catch(() => {})))

const At = Date.now()
await page.goto(url)
await page.locator('input[type=email]').fill(account.Email)
await page.locator('input[type=password]').fill(DEMO_PASSWORD)
await page.locator('form button[type=submit]').click()
await page.getByRole('combobox').first().waitFor()
/** What stands further down is asked for when it comes near. */
async function scroll(page: Page): Promise<void> {
  const end = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let at = 600; at < end; at += 600) await page.mouse.wheel(0, 600)
  await settle(page)
}
async function look(name: PathName, params: Record<string, string | number>): Promise<void> {
  open.clear()
  await page.goto(new URL(pathTo(name, params), url).href)
  await settle(page)
  await scroll(page)
  // What stands in other tabs of the page is asked for when they are opened.
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click({ timeout: 2_000 }).catch(() => {})
    await settle(page)
  }
}
for (const name of Object.keys(paths) as PathName[]) await look(name, paramsOf(name))
for (const { HomeID } of (await owner(home.operations.list, {})).slice(1))
  for (const name of OF_EACH_SITE) await look(name, { ...paramsOf(name), HomeID })
await browser.close()
await Promise.all(kept)

/** The plans of floors that were recorded. */
async function picturesOf(recorded: readonly Recording['Calls'][number][]): Promise<Recording['Pictures']> {
  const addresses = new Set(JSON.stringify(recorded).match(/\/images\/[\w/-]+\.webp/g))
  const fetched = [...addresses].sort().map(async (address) => {
    const answer = await fetch(new URL(address, url))
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    return [address, Buffer.from(await answer.arrayBuffer()).toString('base64')] as const
  })
  return Object.fromEntries(await Promise.all(fetched))
}

const recording: Recording = {
  At,
  Pictures: await picturesOf([...calls.values()]),
  Calls: [...calls.values()].sort((a, b) => (a.Path < b.Path ? -1 : a.Path > b.Path ? 1 : 0)),
}
const text = JSON.stringify(recording)
writeFileSync(FILE, `${text}\n`)
console.log(`${FILE}: ${recording.Calls.length} answers, ${Math.round(text.length / 1024)} KB`)
