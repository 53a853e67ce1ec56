import { http, HttpResponse, delay, ws } from 'msw'
import { setupWorker } from 'msw/browser'
import { createAnswers, failed } from './answers.ts'
import { createIdentity } from './identity.ts'
import { createLiving } from './living.ts'
import { showPanel } from './panel.ts'
import { createRealtime } from './realtime.ts'
import type { Recording } from './recording.ts'
import demo from './recordings/demo.json?url'
import founded from './recordings/founded.json?url'
import { serveChannel } from '../src/live/channel-server.ts'
import { setChannelWorker } from '../src/live/channel.ts'
import { currentSwitches } from './switches.ts'

/** Entry of the page on recorded data: no gateway, and nothing leaves the browser. */
const WORKER = '/mockServiceWorker.js'
/** Paths of the page's files; every other path of this origin is a call. */
const FILES = /^\/(assets|icons|src|mock|contract|simulator|locales|node_modules|@)|\.\w{2,5}$/

const switches = currentSwitches()
const recording = (await (await fetch(switches.empty ? founded : demo)).json()) as Recording
const now = moveClock(recording.At)
const identity = createIdentity(recording.Calls, switches, now)

const living = createLiving({
  seed: switches.seed,
  fire: switches.fire,
  now,
  changed: (statuses) => realtime.changed(statuses),
})
const answers = createAnswers({
  recording,
  switches,
  ...identity,
  statusOf: switches.hublost ? () => undefined : living.statusOf,
})
const realtime = createRealtime({
  rootId: identity.rootId,
  living,
  switches,
  now,
  siteOf: sitesOf(recording),
})
const channel = ws.link(`${location.origin.replace(/^http/, 'ws')}/mqtt`)

const isOffline = () => switches.offline !== undefined && performance.now() >= switches.offline

const worker = setupWorker(
  channel.addEventListener('connection', ({ client }) => {
    if (isOffline()) return client.close(4000)
    if (switches.offline !== undefined)
      setTimeout(() => client.close(4000), switches.offline - performance.now())
    const connection = realtime.open((bytes) => client.send(bytes.slice().buffer))
    client.addEventListener('message', ({ data }) => connection.take(new Uint8Array(data as ArrayBuffer)))
    client.addEventListener('close', connection.close)
  }),
  http.get('/config.json', () => HttpResponse.json(identity.config)),
  http.get('/health/live', () =>
    isOffline() ? HttpResponse.error() : HttpResponse.json({ live: true, version: 'mock' }),
  ),
  http.get('/health/ready', () => (isOffline() ? HttpResponse.error() : HttpResponse.json(READY))),
  http.post(identity.pool, () => HttpResponse.json(identity.signIn())),
  http.all('*', async ({ request }) => {
    const { pathname, origin } = new URL(request.url)
    const picture = recording.Pictures[pathname]
    if (picture !== undefined) return isOffline() ? HttpResponse.error() : pictureOf(picture)
    const isCall = request.method === 'POST' || request.headers.get('accept') === 'application/json'
    if (origin !== location.origin || !isCall || FILES.test(pathname)) return undefined
    await delay(switches.slow)
    if (isOffline()) return HttpResponse.error()
    const body: unknown = request.method === 'POST' ? await request.json().catch(() => undefined) : {}
    const envelope = body === undefined ? failed('INVALID') : answers(pathname, body)
    return HttpResponse.json(envelope, { headers: { date: new Date(now()).toUTCString() } })
  }),
)
const pictureOf = (webp: string) =>
  HttpResponse.arrayBuffer(Uint8Array.from(atob(webp), (char) => char.charCodeAt(0)).buffer, {
    headers: { 'content-type': 'image/webp' },
  })
const READY = { ready: true, database: true, writes: true, broker: true, details: [] }

keepOtherWorkersOut()
await worker.start({ serviceWorker: { url: WORKER }, onUnhandledRequest: 'bypass', quiet: true })
living.start()
for (const [name, value] of Object.entries(identity.stored())) localStorage.setItem(name, value)
showPanel(recording.At)
setChannelWorker(channelInPage)
await import('../src/main.tsx')

/** Sets the page's clock to a time; it runs on from there. */
function moveClock(to: number): () => number {
  const True = Date
  const offsetMs = to - True.now()
  class ShiftedDate extends True {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(ShiftedDate.now())
      else super(...(given as [number]))
    }
    static override now = () => True.now() + offsetMs
  }
  globalThis.Date = ShiftedDate as DateConstructor
  return ShiftedDate.now
}

/** The realtime channel without a worker: only the page's own connections can be answered here. */
function channelInPage() {
  const { port1, port2 } = new MessageChannel()
  const endConnection = serveChannel(port1)
  port1.start()
  port2.start()
  return Object.assign(port2, {
    terminate() {
      endConnection()
      port2.close()
    },
  })
}

/** Prevents other service workers (push, offline page) from replacing the one that answers calls. */
function keepOtherWorkersOut(): void {
  const register = navigator.serviceWorker.register.bind(navigator.serviceWorker)
  navigator.serviceWorker.register = (url, options) =>
    String(url).includes(WORKER)
      ? register(url, options)
      : Promise.reject(new Error('Recorded data has one worker'))
}

/** Home of each device, from all recorded answers. */
function sitesOf({ Calls }: Recording): Map<string, string> {
  const sites = new Map<string, string>()
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(collect)
    if (typeof value !== 'object' || value === null) return
    const { PeripheralUID, HomeID } = value as Record<string, unknown>
    if (typeof PeripheralUID === 'string' && typeof HomeID === 'string') sites.set(PeripheralUID, HomeID)
    for (const each of Object.values(value)) collect(each)
  }
  for (const { Results } of Calls) collect(Results)
  return sites
}
