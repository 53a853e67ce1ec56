import { readFileSync, statSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { respondOffline, markReachable, OFFLINE_PAGE, type WorkerScope } from '../../../src/worker/offline.ts'
import { PATIENT } from '../../support/patient.ts'

const HTML = readFileSync('public/offline.html', 'utf8')
const AT = Date.parse('2026-11-23T06:30:00Z')

type Listen = (event: unknown) => void
const listeners = new Map<string, Listen>()
const kept = new Map<string, Response>()
const pathOf = (request: Request | string) =>
  typeof request === 'string' ? request : new URL(request.url).pathname
const cache = {
  add: async (request: Request) =>
    void kept.set(pathOf(request), new Response(HTML, { headers: { 'content-type': 'text/html' } })),
  put: async (request: string, response: Response) => void kept.set(request, response),
  match: async (request: string) => kept.get(request)?.clone(),
}
/** Request like a browser's: Node supports no relative addresses and cannot create a navigation request. */
class BrowserRequest extends Request {
  constructor(input: string | URL, init?: RequestInit) {
    super(new URL(input, 'https://dashboard.example'), init)
  }
}
const navigation = (path = '/Dashboard') =>
  Object.defineProperty(new BrowserRequest(path), 'mode', { value: 'navigate' })

/** Dispatches an event to the worker; returns its response. */
async function tell(type: string, more: object = {}): Promise<Response | undefined> {
  const works: Promise<unknown>[] = []
  let answer: Promise<Response> | undefined
  listeners.get(type)?.({
    waitUntil: (work: Promise<unknown>) => works.push(work),
    respondWith: (response: Promise<Response>) => (answer = response),
    ...more,
  })
  const response = await answer
  await Promise.all(works)
  return response
}

beforeEach(() => {
  listeners.clear()
  kept.clear()
  vi.stubGlobal('caches', { open: async () => cache })
  vi.stubGlobal('Request', BrowserRequest)
  respondOffline({
    addEventListener: (type: string, listen: Listen) => void listeners.set(type, listen),
    registration: {},
  } as WorkerScope)
})
afterEach(() => vi.unstubAllGlobals())

describe('the worker, while the product is unreachable', () => {
  it('answers navigations with the offline page, in both languages with the last contact', async () => {
    await tell('install')
    await markReachable(AT)
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const response = await tell('fetch', { request: navigation() })
    const html = (await response?.text()) ?? ''
    expect(response?.headers.get('content-type')).toBe('text/html')
    expect(html.match(/<time datetime="2026-11-23T06:30:00.000Z">/g)).toHaveLength(2)
    expect(html).toContain('2026/11/23')
    expect(html).toContain('Nov 23, 2026')
    expect(html).not.toContain('時間不明')
  })

  it('says that the last contact is unknown', async () => {
    await tell('install')
    kept.delete('/offline-reached')
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await (await tell('fetch', { request: navigation() }))?.text()).toBe(HTML)
  })

  it('leaves the error to the browser if the page was never cached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(tell('fetch', { request: navigation() })).rejects.toThrow('Failed to fetch')
  })
})

describe('the worker, while the product is reachable', () => {
  it('passes on responses, including failures, and stores the time', async () => {
    await tell('install')
    kept.delete('/offline-reached')
    vi.stubGlobal('fetch', async () => new Response('busy', { status: 503 }))
    const response = await tell('fetch', { request: navigation() })
    expect(response?.status).toBe(503)
    await vi.waitFor(
      async () => expect(Number(await kept.get('/offline-reached')?.clone().text())).toBeGreaterThan(AT),
      PATIENT,
    )
  })

  it('uses the navigation preload response', async () => {
    const asked = vi.fn<() => Promise<Response>>()
    vi.stubGlobal('fetch', asked)
    const preloadResponse = Promise.resolve(new Response('page'))
    const response = await tell('fetch', { request: navigation(), preloadResponse })
    expect(await response?.text()).toBe('page')
    expect(asked).not.toHaveBeenCalled()
  })

  it('ignores everything but navigations', async () => {
    expect(await tell('fetch', { request: new BrowserRequest('/GetAllMeterData') })).toBeUndefined()
    expect(await tell('fetch', { request: new BrowserRequest(OFFLINE_PAGE) })).toBeUndefined()
  })
})

describe('the offline page', () => {
  it('is small and without scripts, and fetches nothing', () => {
    expect(statSync('public/offline.html').size).toBeLessThan(6 * 1024)
    expect(HTML).not.toMatch(/<script|<link|<img|src=|url\(|@import/)
  })
})
