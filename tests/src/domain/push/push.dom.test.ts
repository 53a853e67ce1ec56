import { http, HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { push } from '../../../../contract/notifications/push-calls.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { navigateWith } from '../../../../src/data/navigator.ts'
import { initAuthState } from '../../../../src/data/auth-state.ts'
import { me } from '../../../../src/data/session.ts'
import { setTurnedOff, setTurnedOnBy, SUBSCRIPTION_KEY } from '../../../../src/domain/push/browser.ts'
import { unsubscribePush } from '../../../../src/domain/push/leave.ts'
import { registerAgain, startPush } from '../../../../src/domain/push/start.ts'
import { onBeforeSignOut, signOut } from '../../../../src/live/sign-out.ts'
import { PUSH_OFF_KEY, PUSH_ON_KEY } from '../../../../src/lib/push-off-key.ts'
import { answers, requests, owner, rejectCall, server, signInAs } from '../../../support/msw.ts'
import {
  INFO,
  OTHER_KEY,
  stubPushBrowser,
  unstubPushBrowser,
  WEB_PUSH_KEY,
} from '../../support/push-browser.ts'
import { PATIENT } from '../../../support/patient.ts'

const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
const told = () =>
  requests.filter(({ path }) => path === push.webPushSubscriptionSetting.path).map(({ body }) => body)
const wants = (Notification: boolean) =>
  server.use(answers(personal.getPersonalConfig, { ...DEFAULT_PERSONAL_CONFIG, Notification }))

beforeEach(() => {
  queryClient.clear()
  requests.length = 0
  log.mockClear()
  signInAs(owner)
  me.set(owner)
  server.use(
    answers(push.webPushSubscriptionSetting, (body) => ({ Status: (body as { Status: 'ENABLE' }).Status })),
  )
  wants(true)
  localStorage.removeItem(SUBSCRIPTION_KEY)
  setTurnedOnBy(owner.CognitoId)
})
afterEach(unstubPushBrowser)

describe('at each start, this browser', () => {
  it('renews its registration, to restore one that the gateway lost', async () => {
    const browser = stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    await registerAgain()
    expect(told()).toEqual([{ Status: 'ENABLE', SubscriptionInfo: INFO }])
    expect(browser.calls).toEqual(['register /sw.js'])
  })

  it('subscribes again after a sign-in, and if the gateway has another key', async () => {
    const browser = stubPushBrowser({ permission: 'granted' })
    await registerAgain()
    expect(browser.calls).toEqual(['register /sw.js', 'subscribe'])
    browser.subscribedTo = OTHER_KEY
    await registerAgain()
    expect(browser.calls.slice(2)).toEqual(['register /sw.js', 'unsubscribe', 'subscribe'])
    expect(browser.subscribedTo).toBe(WEB_PUSH_KEY)
  })

  it('is not taken over by another user who turned nothing on', async () => {
    const browser = stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    setTurnedOnBy('44444444-4444-4444-8444-444444444444')
    localStorage.setItem(SUBSCRIPTION_KEY, '{}')
    await registerAgain()
    expect([told(), browser.calls]).toEqual([[], []])
  })

  it('stays with the user who turned it on before the owner was stored', async () => {
    stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    localStorage.removeItem(PUSH_ON_KEY)
    await registerAgain()
    expect(told()).toEqual([])
    localStorage.setItem(SUBSCRIPTION_KEY, '{}')
    await registerAgain()
    expect(told()).toHaveLength(1)
  })

  it.each([
    ['the person wants no notifications', () => wants(false)],
    ['it was turned off here', () => setTurnedOff(true)],
  ])('is left alone if %s', async (_, arrange) => {
    const browser = stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    arrange()
    await registerAgain()
    expect([told(), browser.calls]).toEqual([[], []])
    setTurnedOff(false)
  })

  it('never asks for permission; logs and skips a denied one', async () => {
    const browser = stubPushBrowser()
    await registerAgain()
    browser.permission = 'denied'
    await registerAgain()
    expect([told(), browser.calls]).toEqual([[], []])
    expect(log.mock.calls).toEqual([['Push: the permission is denied']])
  })

  it('keeps its subscription if the gateway rejects it', async () => {
    stubPushBrowser({ permission: 'granted' })
    server.use(rejectCall(push.webPushSubscriptionSetting, 'LIMIT_EXCEEDED'))
    await registerAgain()
    expect(log).toHaveBeenCalledOnce()
    expect(localStorage.getItem(SUBSCRIPTION_KEY)).toBeNull()
  })
})

describe('messages of the worker', () => {
  it('open the page of a notification on this host only, and are answered', async () => {
    wants(false)
    const browser = stubPushBrowser({ permission: 'granted' })
    const went: unknown[] = []
    navigateWith((to) => void went.push(to))
    const stop = startPush()
    expect(browser.receivePush({ type: 'open', path: '/Alarm/h1?tab=live' })).toEqual(['done'])
    for (const path of ['https://evil.example/', '//evil.example', 'javascript:alert(1)', 7])
      expect(browser.receivePush({ type: 'open', path })).toEqual([])
    expect(went).toEqual(['/Alarm/h1?tab=live'])
    stop()
    expect(browser.receivePush({ type: 'open', path: '/' })).toEqual([])
  })

  it('register another subscription at once', async () => {
    const browser = stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    const stop = startPush()
    await vi.waitFor(() => expect(told()).toHaveLength(1), PATIENT)
    browser.receivePush({ type: 'subscriptionChanged' })
    await vi.waitFor(() => expect(told()).toHaveLength(2), PATIENT)
    stop()
  })
})

describe('signing out', () => {
  const reached = () => {
    const closed: number[] = []
    const shown = [1, 2].map((number) => ({ close: () => void closed.push(number) }))
    const browser = stubPushBrowser({
      permission: 'granted',
      subscribedTo: WEB_PUSH_KEY,
      notifications: shown,
    })
    return { browser, closed }
  }

  it('deletes the registration, unsubscribes, and closes shown notifications', async () => {
    const { browser, closed } = reached()
    localStorage.setItem(SUBSCRIPTION_KEY, '{}')
    await unsubscribePush()
    expect(told()).toEqual([{ Status: 'REMOVE', SubscriptionInfo: INFO }])
    expect(browser.calls).toEqual(['unsubscribe'])
    expect(closed).toEqual([1, 2])
    expect(localStorage.getItem(SUBSCRIPTION_KEY)).toBeNull()
  })

  it('unsubscribes even if the gateway rejects it, or does not answer for two seconds', async () => {
    const { browser, closed } = reached()
    server.use(rejectCall(push.webPushSubscriptionSetting, 'UNAVAILABLE'))
    await unsubscribePush()
    expect(browser.calls).toEqual(['unsubscribe'])
    expect(closed).toEqual([1, 2])
    browser.subscribedTo = WEB_PUSH_KEY
    server.use(answers(push.webPushSubscriptionSetting, () => new Promise(() => {})))
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const leaving = unsubscribePush()
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    await leaving
    expect(browser.calls).toEqual(['unsubscribe', 'unsubscribe'])
  })

  it('runs while still signed in, keeps what was turned off here, and ignores failures', async () => {
    stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    initAuthState()
    server.use(http.post('*/cognito', () => HttpResponse.error()))
    setTurnedOff(true)
    const stops = [
      onBeforeSignOut(unsubscribePush),
      onBeforeSignOut(() => Promise.reject(new Error('of another part'))),
    ]
    await signOut()
    for (const stop of stops) stop()
    const [removed] = requests.filter(({ path }) => path === push.webPushSubscriptionSetting.path)
    expect(removed?.headers.get('authorization')).toMatch(/^Bearer /)
    expect(me.get()).toBeUndefined()
    expect(localStorage.getItem(PUSH_OFF_KEY)).not.toBeNull()
    localStorage.clear()
  })
})
