import { createContext, runInContext } from 'node:vm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { composePayload } from '../../gateway/features/push/transport.ts'
import type { OutgoingMessage } from '../../gateway/domain/notifications/notification-transport.ts'
import { buildPushWorker } from '../../scripts/push-worker.ts'

/** The built service worker, in a browser with simulated interfaces. */
let script: string
beforeAll(async () => {
  script = await buildPushWorker()
})

const ORIGIN = 'https://building.example'
const ALARM = '/Alarm/h1?tab=live&alarm=a1'

const message: OutgoingMessage = {
  id: '00000000-0000-4000-8000-000000000001',
  notificationId: 'n1',
  title: '偵測到煙霧',
  body: '1F 東側',
  path: ALARM,
  topic: 'alarm:a1',
  category: 'alarm',
  severity: 'critical',
  homeId: 'h1',
  alarmId: 'a1',
  acknowledgeToken: 'once',
  unread: null,
  language: 'zh-TW',
  at: 1_760_000_000_000,
}
const payloadOf = (change: Partial<OutgoingMessage> = {}) =>
  composePayload(
    { ...message, ...change },
    { tenant: 't1', publicUrl: 'https://elsewhere.example', apiKey: 'key' },
  )

interface Shown {
  title: string
  body?: string
  tag?: string
  lang?: string
  actions?: { action: string; title: string }[]
  data: { navigate: string }
}
interface Page {
  visibilityState: string
  focus: () => Promise<void>
  navigate: (path: string) => Promise<void>
  postMessage: (data: unknown, ports?: MessagePort[]) => void
}

let shown: Shown[]
let did: string[]
let sent: { path: string; headers: Record<string, string>; body: string }[]
let pages: Page[]
let answer: () => Promise<{ ok?: boolean; status?: number }>
let offline: unknown
let fire: (type: string, event?: object) => Promise<unknown>

beforeEach(() => {
  shown = []
  did = []
  sent = []
  pages = []
  offline = undefined
  answer = async () => ({ ok: true, status: 200 })
  const listeners: { type: string; listener: (event: object) => void }[] = []
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      void listeners.push({ type, listener }),
    skipWaiting: async () => void did.push('skipWaiting'),
    registration: {
      showNotification: async (title: string, options: object) =>
        void shown.push({ title, ...options } as Shown),
    },
    clients: {
      claim: async () => void did.push('claim'),
      matchAll: async () => pages,
      openWindow: async (path: string) => void did.push(`open ${path}`),
    },
  }
  const browser = {
    self,
    location: new URL(`${ORIGIN}/sw.js`),
    URL,
    MessageChannel,
    setTimeout,
    Response,
    Request: function Request() {},
    caches: {
      open: async () => ({
        match: async (path: string) =>
          path === '/offline.html' ? (offline as Response | undefined) : undefined,
        add: async () => {},
        put: async () => {},
      }),
    },
    navigator: { setAppBadge: async (unread: number) => void did.push(`badge ${unread}`) },
    fetch: async (path: string, request: { headers: Record<string, string>; body: string }) => {
      sent.push({ path, ...request })
      return answer()
    },
  }
  runInContext(script, createContext(browser))
  fire = async (type, event = {}) => {
    const done: Promise<unknown>[] = []
    const later = (promise: Promise<unknown>) => void done.push(promise)
    for (const { type: heard, listener } of listeners)
      if (heard === type) listener({ waitUntil: later, respondWith: later, ...event })
    return (await Promise.all(done))[0]
  }
})

const push = (text: string | null) =>
  fire('push', { data: text === null ? null : { json: () => JSON.parse(text) } })
const click = (action = '') =>
  fire('notificationclick', { action, notification: { ...shown.at(-1), close: () => did.push('close') } })
const page = (change: Partial<Page> = {}): Page => ({
  visibilityState: 'hidden',
  focus: async () => void did.push('focus'),
  navigate: async (path) => void did.push(`load ${path}`),
  postMessage: (data, ports) => {
    did.push(`told ${JSON.stringify(data)}`)
    ports?.[0]?.postMessage('done')
  },
  ...change,
})

describe('a push', () => {
  it('is shown as the gateway wrote it, with the button to acknowledge', async () => {
    await push(payloadOf())
    expect(shown).toEqual([
      {
        title: '偵測到煙霧',
        icon: '/icons/192.png',
        body: '1F 東側',
        lang: 'zh-TW',
        tag: expect.stringMatching(/^[\w-]{32}$/),
        renotify: true,
        requireInteraction: true,
        timestamp: message.at,
        actions: [expect.objectContaining({ action: 'acknowledge', title: '標為已知悉' })],
        data: expect.objectContaining({ navigate: `https://elsewhere.example${ALARM}` }),
      },
    ])
  })

  it('sets the unread count on the icon, if it is known', async () => {
    await push(payloadOf({ unread: 3 }))
    await push(payloadOf())
    expect(did).toEqual(['badge 3'])
    expect(shown).toHaveLength(2)
  })

  it('has no button without an alarm to acknowledge, and the same tag for the same alarm', async () => {
    await push(payloadOf({ acknowledgeToken: null }))
    await push(payloadOf({ body: 'again' }))
    await push(payloadOf({ topic: 'alarm:a2' }))
    expect(shown[0]).not.toHaveProperty('actions')
    expect(shown[0]?.tag).toBe(shown[1]?.tag)
    expect(shown[0]?.tag).not.toBe(shown[2]?.tag)
  })

  it.each([
    ['nothing', null],
    ['no JSON', 'hello'],
    ['another shape', '{"notification":{"title":7}}'],
    ['null', 'null'],
  ])('that says %s is shown with the host name, as browsers require a notification', async (_, text) => {
    await push(text)
    expect(shown).toEqual([{ title: 'building.example', icon: '/icons/192.png', data: { navigate: '/' } }])
  })
})

describe('a press on a notification', () => {
  it('opens a window at its page on this host, if there is none', async () => {
    await push(payloadOf())
    await click()
    expect(did).toEqual(['close', `open ${ALARM}`])
  })

  it('lets the visible page navigate itself, to keep what is typed', async () => {
    pages = [page(), page({ visibilityState: 'visible' })]
    await push(payloadOf())
    await click()
    expect(did).toEqual(['close', 'focus', `told ${JSON.stringify({ type: 'open', path: ALARM })}`])
  })

  it('navigates a page that does not answer, or opens a window if that is not allowed', async () => {
    pages = [page({ postMessage: () => {} })]
    await push(payloadOf())
    await click()
    expect(did).toEqual(['close', 'focus', `load ${ALARM}`])
    pages = [page({ postMessage: () => {}, navigate: () => Promise.reject(new TypeError('not mine')) })]
    await click()
    expect(did.at(-1)).toBe(`open ${ALARM}`)
  })
})

describe('a press on acknowledge', () => {
  it('sends the link once, and shows the result in the same notification', async () => {
    await push(payloadOf())
    await click('acknowledge')
    expect(sent).toEqual([
      {
        path: '/AcknowledgeAlarmByLink',
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
        body: '{"Token":"once"}',
      },
    ])
    expect(shown[1]).toEqual({
      title: '偵測到煙霧',
      icon: '/icons/192.png',
      body: '此警報已標為已知悉',
      tag: shown[0]?.tag,
      lang: 'zh-TW',
      data: { navigate: `https://elsewhere.example${ALARM}` },
    })
    expect(did).toEqual(['close'])
  })

  it.each([
    ['refused', async () => ({ ok: false, status: 409 }), /^無法記錄/],
    ['not found', async () => ({ ok: false, status: 404 }), /^無法記錄/],
    ['unavailable', async () => ({ ok: false, status: 503 }), /尚未記錄/],
    ['too often', async () => ({ ok: false, status: 429 }), /尚未記錄/],
    ['unreachable', () => Promise.reject(new TypeError('Failed to fetch')), /尚未記錄/],
  ])('shows that it is %s', async (_, came, said) => {
    answer = came
    await push(payloadOf())
    await click('acknowledge')
    expect(shown[1]?.body).toMatch(said)
  })
})

it('asks a page to register a new subscription', async () => {
  pages = [page()]
  await fire('pushsubscriptionchange')
  expect(did).toEqual([`told ${JSON.stringify({ type: 'subscriptionChanged' })}`])
})

it('answers a failed navigation with the cached offline page, and no other request', async () => {
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  const open = () => fire('fetch', { request: { mode: 'navigate' } })
  await expect(open()).rejects.toThrow('Failed to fetch')
  offline = new Response('since when')
  expect(await ((await open()) as Response).text()).toBe('since when')
  expect(await fire('fetch', { request: { mode: 'cors' } })).toBeUndefined()
})

it('takes over from an earlier version at once', async () => {
  await fire('install')
  await fire('activate')
  expect(did).toEqual(['skipWaiting', 'claim'])
})
