/**
 * `npm run mock:record -- http://127.0.0.1:8080`: visits every screen of a running demo, and the most used ones of each site, and stores
 * its gateway's responses in mock/recordings/demo.json; then those of a company that it creates there, in mock/recordings/founded.json. A
 * second argument, `demo` or `founded`, records only that one.
 */
import { writeFileSync } from 'node:fs'
import { chromium, type Page, type Request, type Response } from '@playwright/test'
import { endpoints } from '../../contract/index.ts'
import type { Recording } from '../../mock/recording.ts'
import { home } from '../../contract/homes/home.ts'
import { pathTo, paths, type PathName } from '../../src/navigation/paths.ts'
import { addHome, foundCompany } from '../e2e/support/company.ts'
import { paramsIn } from '../e2e/support/screen-params.ts'
import { connectApi } from '../../scripts/api.ts'
import { BROWSER_ARGS, findBrowser } from '../../scripts/browser.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../scripts/demo-company.ts'

/** Time after the last response within which a screen makes its next call, in ms. */
const QUIET_MS = 800
/** Maximum wait for a screen, in ms: some poll. */
const TIMEOUT_MS = 20_000
/** Maximum length of a stored response, in characters: longer ones are shortened to a sample. */
const MAX_LENGTH = 200_000

/** Screens that are visited in every site. */
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

/** Calls specific to one connection or one person's devices, which the mock itself answers. */
const SECRET = new Set(['/ConnectRealtime', '/ListSessions'])

const [url = 'http://127.0.0.1:8080', onlyName] = process.argv.slice(2)
const byPath = new Map(endpoints.map((endpoint) => [endpoint.path, endpoint]))
const api = await connectApi(url)

type Params = Record<string, string | number>
interface Visit {
  email: string
  /** Screens to open, in this order. */
  screens: readonly { name: PathName; params: Params }[]
}

/** Every screen of the demo, then the most important ones of its other sites. */
async function demoVisit(): Promise<Visit> {
  const [account] = DEMO_ACCOUNTS
  if (!account) throw new Error('The demo has no accounts')
  const owner = await api.signIn(account.Email, DEMO_PASSWORD)
  const paramsOf = await paramsIn(owner)
  const otherHomes = (await owner(home.operations.list, {})).slice(1)
  return {
    email: account.Email,
    screens: [
      ...NAMES.map((name) => ({ name, params: paramsOf(name) })),
      ...otherHomes.flatMap(({ HomeID }) =>
        OF_EACH_SITE.map((name) => ({ name, params: { ...paramsOf(name), HomeID } })),
      ),
    ],
  }
}

/** Screens of a company with only its owner and one site. */
async function foundedVisit(): Promise<Visit> {
  const company = await foundCompany({ url, api, mqttUrl: '', outboxUrl: '' })
  const params: Params = { HomeID: await addHome(company, '新場域'), RoomID: 0, Category: 'LightSwitch' }
  const paramsOfPath = (name: PathName) => paths[name].patterns[0].match(/(?<=:)\w+(?=\/|$)/g) ?? []
  const screens = NAMES.filter((name) => paramsOfPath(name).every((param) => param in params))
  return { email: company.email, screens: screens.map((name) => ({ name, params })) }
}
const NAMES = Object.keys(paths) as PathName[]

/** Records calls and events of a page while it is open. */
function listenTo(page: Page) {
  const calls = new Map<string, Recording['Calls'][number]>()
  const pendingWrites: Promise<void>[] = []
  const open = new Set<Request>()
  let lastAt = 0

  async function recordResponse(response: Response): Promise<void> {
    const request = response.request()
    const endpoint = byPath.get(new URL(request.url()).pathname)
    if (!endpoint || endpoint.mutates || endpoint.access === 'public' || !response.ok()) return
    const text = await response.text()
    const { results } = JSON.parse(text) as { results: unknown }
    const Input = (request.postDataJSON() ?? {}) as Record<string, unknown>
    if (text.length <= MAX_LENGTH && !SECRET.has(endpoint.path))
      calls.set(`${endpoint.path} ${JSON.stringify(Input)}`, { Path: endpoint.path, Input, Results: results })
  }
  const markEnded = (request: Request) => {
    open.delete(request)
    lastAt = Date.now()
  }
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', markEnded)
  page.on('requestfailed', markEnded)
  page.on('response', (response) => pendingWrites.push(recordResponse(response).catch(() => {})))

  return {
    /** Pending calls of a page that is left are ignored. */
    clear: () => open.clear(),
    /** Waits until no call is pending, however slow the machine is. */
    async waitUntilIdle(): Promise<void> {
      const until = Date.now() + TIMEOUT_MS
      lastAt = Date.now()
      while (Date.now() < until && (open.size > 0 || Date.now() - lastAt < QUIET_MS))
        await page.waitForTimeout(QUIET_MS / 4)
    },
    async calls(): Promise<Recording['Calls']> {
      await Promise.all(pendingWrites)
      return [...calls.values()].sort((a, b) => (a.Path < b.Path ? -1 : a.Path > b.Path ? 1 : 0))
    },
  }
}

/** Opens the screens one after the other, scrolls each to its end, and opens its tabs. */
async function record({ email, screens }: Visit): Promise<Recording> {
  const executablePath = findBrowser({ shell: true })
  const browser = await chromium.launch({ args: BROWSER_ARGS, ...(executablePath && { executablePath }) })
  const page = await browser.newPage({ timezoneId: 'Asia/Taipei', locale: 'zh-TW' })
  const recorder = listenTo(page)
  await page.goto(url)
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(DEMO_PASSWORD)
  await page.locator('form button[type=submit]').click()
  await page.getByRole('combobox').first().waitFor()
  for (const { name, params } of screens) {
    recorder.clear()
    await page.goto(new URL(pathTo(name, params), url).href)
    await recorder.waitUntilIdle()
    // Content further down is loaded when it comes near.
    const end = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let at = 600; at < end; at += 600) await page.mouse.wheel(0, 600)
    await recorder.waitUntilIdle()
    // Content of other tabs is loaded when they are opened.
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click({ timeout: 2_000 }).catch(() => {})
      await recorder.waitUntilIdle()
    }
  }
  await browser.close()
  // The replayed page is later than all responses: reports on it are newer.
  const At = Date.now()
  const Calls = await recorder.calls()
  return { At, Pictures: await picturesOf(Calls), Calls }
}

/** Recorded floor plans. */
async function picturesOf(recorded: Recording['Calls']): Promise<Recording['Pictures']> {
  const addresses = new Set(JSON.stringify(recorded).match(/\/images\/[\w/-]+\.webp/g))
  const fetched = [...addresses].sort().map(async (address) => {
    const answer = await fetch(new URL(address, url))
    if (!answer.ok) throw new Error(`${address} answers ${answer.status}`)
    return [address, Buffer.from(await answer.arrayBuffer()).toString('base64')] as const
  })
  return Object.fromEntries(await Promise.all(fetched))
}

for (const [name, visit] of Object.entries({ demo: demoVisit, founded: foundedVisit })) {
  if (onlyName !== undefined && onlyName !== name) continue
  const recording = await record(await visit())
  const file = `mock/recordings/${name}.json`
  const text = JSON.stringify(recording)
  writeFileSync(file, `${text}\n`)
  console.log(`${file}: ${recording.Calls.length} answers, ${Math.round(text.length / 1024)} KB`)
}
