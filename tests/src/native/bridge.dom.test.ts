import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { authState, setSignedOut, initAuthState } from '../../../src/data/auth-state.ts'
import { setTokenProvider, tokens } from '../../../src/data/tokens.ts'
import { navigateWith } from '../../../src/data/navigator.ts'
import { changeLanguage, currentLanguage } from '../../../src/lib/i18n/i18n.ts'
import { connection } from '../../../src/live/channel.ts'
import { nativeApp, nativeDevice } from '../../../src/native/app.ts'
import { startBridge } from '../../../src/native/bridge.ts'
import { nativeHost } from '../../../src/native/host.ts'
import { FromApp, MAX_CHARACTERS } from '../../../src/native/messages.ts'
import { startNativeBridge } from '../../../src/native/start.ts'
import { clearTokenTimer } from '../../../src/native/answers.ts'
import { server } from '../../support/msw.ts'
import { installNativeShell, type NativeShell, type Posted } from '../../support/native-shell.ts'
import { PATIENT } from '../../support/patient.ts'

const encode = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
/** Token of a person, in the format of a real one. */
const tokenOf = (sub: string, more: object = {}) => `e30.${encode({ sub, ...more })}.c2ln`
const tokensOf = (sub: string, more: object = {}) => ({
  IdToken: tokenOf(sub, more),
  AccessToken: tokenOf(sub, { ...more, token_use: 'access' }),
})
const page = globalThis as { webkit?: unknown; DashboardBridge?: unknown }

let shell: NativeShell
let bridge: ReturnType<typeof startBridge>
/** Sends a message from the application; resolves when the page has applied or rejected it. */
const say = (message: unknown, { origin = '', source = null as MessageEventSource | null } = {}) =>
  bridge.receive({ data: message, origin, source })
const answered = () => shell.posted.filter(({ type }) => type !== 'hello')

beforeEach(() => {
  shell = installNativeShell({ system: 'ios', hello: null })
  initAuthState()
  bridge = startBridge(nativeHost() as NonNullable<ReturnType<typeof nativeHost>>)
  server.use(http.post('*/cognito', () => HttpResponse.json({})))
})
afterEach(async () => {
  bridge.close()
  clearTokenTimer()
  vi.useRealTimers()
  delete page.webkit
  delete page.DashboardBridge
  setTokenProvider(undefined)
  nativeApp.set(undefined)
  nativeDevice.set(undefined)
  if (authState.get() === 'app') setSignedOut('signedOut')
  history.replaceState(null, '', '/')
  await changeLanguage('zh-TW')
})

describe('the hello message', () => {
  it('is the first message of the page, with its version and everything it supports', () => {
    expect(shell.posted[0]).toEqual({
      id: 'hello',
      type: 'hello',
      payload: { Version: 1, Can: Object.keys(FromApp) },
    })
  })

  it("gets the app's capabilities in reply", async () => {
    await say({ type: 'hello', payload: { Version: 1, Can: ['push'] } })
    expect(nativeApp.get()).toEqual({ Version: 1, Can: ['push'] })
    expect(answered()).toEqual([])
  })

  it('can be answered by its ID', async () => {
    await say({ id: 'hello', type: 'result', success: true, result: { Version: 1, Can: ['qr'] } })
    expect(nativeApp.get()).toEqual({ Version: 1, Can: ['qr'] })
  })

  it('of an unknown version is answered with the supported versions', async () => {
    await say({ id: 7, type: 'hello', payload: { Version: 99, Can: [] } })
    await say({ type: 'hello', payload: { Version: 99, Can: [] } })
    const error = { Code: 'unknownVersion', Versions: [1] }
    expect(answered()).toEqual([
      { id: 7, type: 'result', success: false, error },
      { type: 'error', payload: error },
    ])
    expect(nativeApp.get()).toBeUndefined()
  })
})

describe('tokens', () => {
  it('of the app sign in a person at the sign-in page', async () => {
    expect(authState.get()).toBe('signIn')
    const given = tokensOf('a')
    await say({ type: 'token', payload: given })
    expect(authState.get()).toBe('app')
    expect(await tokens()).toEqual({ id: given.IdToken, access: given.AccessToken })
  })

  it('are returned on request, and null if signed out', async () => {
    await say({ type: 'requestTokens' })
    const given = tokensOf('a')
    await say({ type: 'token', payload: given })
    await say({ type: 'requestTokens' })
    await say({ id: 'x', type: 'requestTokens' })
    expect(answered()).toEqual([
      { type: 'tokens', payload: null },
      { type: 'tokens', payload: given },
      { id: 'x', type: 'result', success: true, result: given },
    ])
  })

  it('that are newer for the same person keep the session', async () => {
    await say({ type: 'token', payload: tokensOf('a') })
    const newer = tokensOf('a', { exp: 4_000_000_000 })
    await say({ type: 'token', payload: newer })
    expect(answered()).toEqual([])
    expect(await tokens()).toEqual({ id: newer.IdToken, access: newer.AccessToken })
  })

  it('of another person end the session first', async () => {
    await say({ type: 'token', payload: tokensOf('a') })
    const other = tokensOf('b')
    await say({ type: 'token', payload: other })
    expect(answered()).toEqual([{ type: 'signedOut', payload: { Reason: 'signedOut' } }])
    expect(authState.get()).toBe('app')
    expect(await tokens()).toEqual({ id: other.IdToken, access: other.AccessToken })
  })

  it.each([
    ['are none', { IdToken: 'id', AccessToken: 'access' }],
    ['name nobody', { IdToken: `e30.${encode({})}.c2ln`, AccessToken: tokenOf('a') }],
    ['are numbers', { IdToken: 1, AccessToken: 2 }],
    ['are missing', {}],
  ])('that %s are rejected', async (_, payload) => {
    await say({ id: 1, type: 'token', payload })
    expect(answered()).toEqual([{ id: 1, type: 'result', success: false, error: { Code: 'malformed' } }])
    expect(authState.get()).toBe('signIn')
  })

  it('are requested again five minutes before they expire', async () => {
    vi.useFakeTimers()
    const exp = Date.now() / 1000 + 3600
    await say({ type: 'token', payload: tokensOf('a', { exp }) })
    vi.advanceTimersByTime(54 * 60_000)
    expect(answered()).toEqual([])
    vi.advanceTimersByTime(61_000)
    expect(answered()).toEqual([{ type: 'tokenEnding', payload: {} }])
  })
})

describe('the language', () => {
  it('is set by the app and returned on request', async () => {
    await say('{"type":"language","payload":{"Language":"en-US"}}')
    expect(currentLanguage()).toBe('en-US')
    await say({ type: 'requestLanguage' })
    expect(answered()).toEqual([{ type: 'language', payload: { Language: 'en-US' } }])
  })

  it('is rejected if unsupported', async () => {
    await say({ id: 1, type: 'language', payload: { Language: 'fr-FR' } })
    expect(answered()).toMatchObject([{ id: 1, success: false, error: { Code: 'malformed' } }])
    expect(currentLanguage()).toBe('zh-TW')
  })
})

describe('the device', () => {
  it('is stated by the app', async () => {
    await say({ type: 'deviceInfo', payload: { Model: 'Phone', Version: 17 } })
    expect(nativeDevice.get()).toEqual({ Model: 'Phone', Version: 17 })
  })

  it('is returned on request, as the page knows it', async () => {
    await say({ type: 'requestDeviceInfo' })
    expect(answered()).toMatchObject([{ type: 'deviceInfo', payload: { Width: innerWidth } }])
  })
})

describe('the session', () => {
  it('ends with a logout push, and the app is notified', async () => {
    await say({ type: 'token', payload: tokensOf('a') })
    await say({ id: 1, type: 'logoutPush' })
    expect(authState.get()).toBe('signIn')
    expect(answered()).toEqual([
      { type: 'signedOut', payload: { Reason: 'signedOut' } },
      { id: 1, type: 'result', success: true, result: null },
    ])
  })

  it('reconnects at once when the app returns to the foreground', async () => {
    const retry = vi.spyOn(connection, 'retryNow').mockImplementation(() => {})
    await say({ id: 1, type: 'resume' })
    expect(retry).toHaveBeenCalledOnce()
    expect(answered()).toEqual([{ id: 1, type: 'result', success: true, result: null }])
    retry.mockRestore()
  })
})

describe('a pressed notification', () => {
  it('opens its page', async () => {
    await say({ type: 'token', payload: tokensOf('a') })
    const went: string[] = []
    navigateWith((to) => void went.push(to))
    await say({ type: 'openNotification', payload: { Path: '/Alarm/h1?tab=live&alarm=a1' } })
    expect(went).toEqual(['/Alarm/h1?tab=live&alarm=a1'])
  })

  it('opens its page after sign-in if signed out', async () => {
    await say({ type: 'openNotification', payload: { Path: '/historyNotification/h1' } })
    expect(location.pathname).toBe('/historyNotification/h1')
  })

  it.each(['//evil.example/Alarm/h1', '/\\evil.example/', '/no/such/page/of/ours', '/assets/x.js'])(
    'opens nothing at %s',
    async (Path) => {
      await say({ id: 1, type: 'openNotification', payload: { Path } })
      expect(answered()).toMatchObject([{ id: 1, success: false, error: { Code: 'notOurs' } }])
      expect(location.pathname).toBe('/')
    },
  )

  it('opens no address of another site', async () => {
    await say({ id: 1, type: 'openNotification', payload: { Path: 'https://evil.example/' } })
    expect(answered()).toMatchObject([{ id: 1, success: false, error: { Code: 'malformed' } }])
  })
})

describe('a message', () => {
  it.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a sandboxed frame', { origin: 'null' }],
    ['of another window', { source: {} as Window }],
  ])('%s is ignored', async (_, from) => {
    await say({ id: 1, type: 'token', payload: tokensOf('a') }, from)
    expect(shell.posted).toHaveLength(1)
    expect(authState.get()).toBe('signIn')
  })

  it('of this window and its origin is handled', async () => {
    await say({ id: 1, type: 'requestLanguage' }, { origin: location.origin, source: window })
    expect(answered()).toHaveLength(1)
  })

  it('of an unknown type is answered with an error', async () => {
    await say({ type: 'eval', payload: 'alert(1)' })
    await say({ id: 2, type: 'toString' })
    expect(answered()).toEqual([
      { type: 'unknown', payload: { Type: 'eval' } },
      { id: 2, type: 'result', success: false, error: { Code: 'unknown', Type: 'toString' } },
    ])
  })

  it.each([
    ['no JSON', '{oops'],
    ['nothing', null],
    ['a number', 12],
    ['without a type', { payload: {} }],
    ['of a wrong payload without an id', { type: 'language', payload: [] }],
    ['an answer to nothing', { id: 12, type: 'result', success: true, result: null }],
  ])('that is %s is ignored', async (_, data) => {
    await say(data)
    expect(answered()).toEqual([])
  })

  it('that is malformed is answered if it has an ID', async () => {
    await say({ id: 'm', type: 12 })
    expect(answered()).toEqual([{ id: 'm', type: 'result', success: false, error: { Code: 'malformed' } }])
  })

  it.each([
    ['text', 'x'.repeat(10_000_000)],
    ['one long value', { id: 1, type: 'deviceInfo', payload: { Model: 'x'.repeat(10_000_000) } }],
    [
      'many values',
      { id: 1, type: 'deviceInfo', payload: Array.from({ length: 1_000_000 }, () => 'ten chars.') },
    ],
  ])('of 10 MB (%s) is rejected without parsing', async (_, data) => {
    const read = vi.spyOn(JSON, 'parse')
    await say(data)
    expect(read).not.toHaveBeenCalledWith(data)
    read.mockRestore()
    expect(answered()).toEqual([{ type: 'error', payload: { Code: 'tooLarge', Limit: MAX_CHARACTERS } }])
  })

  it('is handled after the one before it', async () => {
    await Promise.all([
      say({ id: 1, type: 'token', payload: tokensOf('a') }),
      say({ id: 2, type: 'logoutPush' }),
      say({ id: 3, type: 'requestTokens' }),
      say({ id: 4, type: 'requestLanguage' }),
    ])
    const ids = answered().flatMap(({ id }) => id ?? [])
    expect(ids).toEqual([1, 2, 3, 4])
    expect(answered().find(({ id }) => id === 3)).toMatchObject({ result: null })
  })

  it('that fails does not block the next one', async () => {
    const retry = vi.spyOn(connection, 'retryNow').mockImplementation(() => {
      throw new Error('broken')
    })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await Promise.all([say({ id: 1, type: 'resume' }), say({ id: 2, type: 'requestLanguage' })])
    expect(answered()).toMatchObject([
      { id: 1, success: false, error: { Code: 'failed' } },
      { id: 2, success: true },
    ])
    retry.mockRestore()
    warn.mockRestore()
  })

  it('is rejected if a hundred are waiting', async () => {
    await Promise.all(Array.from({ length: 105 }, (_, id) => say({ id, type: 'requestLanguage' })))
    const refused = answered().filter(({ error }) => error?.Code === 'tooMany')
    expect(refused).toHaveLength(5)
  })
})

describe.each(['ios', 'android'] as const)('on %s', (system) => {
  beforeEach(() => {
    delete page.webkit
    delete page.DashboardBridge
  })

  it('exchanges hello and answers, also if sent before the code has loaded', async () => {
    shell = installNativeShell({ system, delay: 1 })
    const stop = startNativeBridge()
    shell.send({ id: 'early', type: 'requestLanguage' })
    await vi.waitFor(() => expect(nativeApp.get()).toEqual({ Version: 1, Can: ['push'] }), PATIENT)
    await vi.waitFor(() => expect(answered().map(({ id }: Posted) => id)).toEqual(['early']), PATIENT)
    stop()
    shell.sendFrom('https://evil.example', { id: 'foreign', type: 'requestLanguage' })
    shell.sendText('{')
    expect(answered()).toHaveLength(1)
  })
})

it('an ordinary browser has no bridge', () => {
  delete page.webkit
  const listen = vi.spyOn(globalThis, 'addEventListener')
  startNativeBridge()()
  expect(nativeHost()).toBeUndefined()
  expect(listen).not.toHaveBeenCalledWith('message', expect.anything())
  listen.mockRestore()
})
