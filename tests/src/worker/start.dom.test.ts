import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connection } from '../../../src/live/channel.ts'
import { signOut } from '../../../src/live/sign-out.ts'
import { setSignedIn } from '../../../src/data/auth-state.ts'
import { OFFLINE_CACHE } from '../../../src/lib/offline-cache.ts'
import { startWorker } from '../../../src/worker/start.ts'
import { PATIENT } from '../../support/patient.ts'

const noted: number[] = []
const deleted: string[] = []
const fetched: string[] = []
let kept: Response | undefined
const register = vi.fn<(path: string, options: object) => Promise<object>>()

beforeEach(() => {
  noted.length = 0
  deleted.length = 0
  fetched.length = 0
  kept = new Response('the page')
  register.mockReset().mockResolvedValue({})
  vi.stubGlobal('isSecureContext', true)
  Object.defineProperty(navigator, 'serviceWorker', { value: { register }, configurable: true })
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async () => kept,
      add: async ({ url }: Request) => void fetched.push(new URL(url).pathname),
      put: async (_: string, response: Response) => void noted.push(Number(await response.text())),
    }),
    keys: async () => [OFFLINE_CACHE, 'other'],
    delete: async (name: string) => void deleted.push(name),
  })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.unstubAllGlobals()
  vi.useRealTimers()
  connection.state.set('idle')
})

describe('the service worker', () => {
  it('is registered once the first screen is rendered', () => {
    startWorker()()
    expect(register).toHaveBeenCalledExactlyOnceWith('/sw.js', { scope: '/' })
  })

  it('is optional, and logs a failed load', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    register.mockRejectedValue(new TypeError('404'))
    startWorker()()
    await vi.waitFor(() => expect(warn).toHaveBeenCalledWith('The service worker: 404'), PATIENT)
    warn.mockRestore()
  })

  it('stores the last contact: at both ends of a connection, and each minute while connected', async () => {
    vi.useFakeTimers()
    const stop = startWorker()
    connection.state.set('connected')
    await vi.advanceTimersByTimeAsync(125_000)
    expect(noted).toHaveLength(3)
    connection.state.set('reconnecting')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(noted).toHaveLength(4)
    stop()
    connection.state.set('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(noted).toHaveLength(4)
  })

  it('refetches its offline page if that was deleted', async () => {
    // Unlike a browser's, Node's Request supports no relative addresses.
    vi.stubGlobal(
      'Request',
      class extends Request {
        constructor(path: string, init?: RequestInit) {
          super(new URL(path, location.href), init)
        }
      },
    )
    kept = undefined
    startWorker()()
    await vi.waitFor(() => expect(fetched).toEqual(['/offline.html']), PATIENT)
  })

  it('keeps its offline page at sign-out', async () => {
    setSignedIn()
    await signOut()
    expect(deleted).toEqual(['other'])
  })
})
