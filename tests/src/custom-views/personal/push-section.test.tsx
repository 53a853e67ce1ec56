import { screen, waitFor, within } from '@testing-library/react'
import { createHash } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { push, type PushSubscriptionRecord } from '../../../../contract/notifications/push-calls.ts'
import PushSection from '../../../../src/custom-views/personal/push-section.tsx'
import { bell } from '../../../../src/data/notices.ts'
import { SUBSCRIPTION_KEY } from '../../../../src/domain/push/browser.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { nativeApp, nativeDevice } from '../../../../src/native/app.ts'
import { PUSH_OFF_KEY } from '../../../../src/lib/push-off-key.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { prepareSession, openPage, sentTo } from '../../support/page.tsx'
import {
  ENDPOINT,
  INFO,
  stubPushBrowser,
  unstubPushBrowser,
  WEB_PUSH_KEY,
} from '../../support/push-browser.ts'

const here: PushSubscriptionRecord = {
  SubscriptionID: '0b7b7c52-0000-4000-8000-000000000001',
  EndpointHash: createHash('sha256').update(ENDPOINT).digest('hex'),
  UserAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/141.0 Safari/537.36',
  Since: Date.now() - 3_600_000,
  LastSentAt: null,
}
const phone: PushSubscriptionRecord = {
  ...here,
  SubscriptionID: '0b7b7c52-0000-4000-8000-000000000002',
  EndpointHash: 'f'.repeat(64),
  UserAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/141.0 Mobile Safari/537.36',
  LastSentAt: Date.now() - 60_000,
}

/** Gateway that stores this browser's subscription and the settings. */
function keeps(
  list: PushSubscriptionRecord[] = [],
  config = { ...DEFAULT_PERSONAL_CONFIG, Notification: true },
) {
  let [kept, settings] = [list, config]
  server.use(
    answers(push.listPushSubscription, () => kept),
    answers(push.webPushSubscriptionSetting, (body) => {
      const { Status } = body as { Status: 'ENABLE' | 'REMOVE' }
      kept = Status === 'ENABLE' ? [here, ...kept] : kept.filter((one) => one !== here)
      return { Status }
    }),
    answers(push.deletePushSubscription, (body) => {
      const { SubscriptionID } = body as { SubscriptionID: string }
      kept = kept.filter((one) => one.SubscriptionID !== SubscriptionID)
      return { SubscriptionID }
    }),
    answers(personal.getPersonalConfig, () => settings),
    answers(personal.updatePersonalConfig, (body) => (settings = { ...settings, ...(body as object) })),
  )
}

const open = () => openPage(<PushSection />, '/', '/').user
const button = (name: string | RegExp) => screen.findByRole('button', { name })

beforeAll(() => loadNamespaces(['push']))
beforeEach(() => {
  prepareSession()
  bell.set([])
})
afterEach(unstubPushBrowser)

describe('push in this browser', () => {
  it('is turned on by a click, which alone asks for the permission', async () => {
    const browser = stubPushBrowser()
    keeps()
    const user = open()
    await screen.findByText('目前沒有瀏覽器開啟推播。')
    expect(browser.calls).toEqual([])
    await user.click(await button('在此瀏覽器開啟推播'))
    expect(await screen.findByText('已開啟')).toBeTruthy()
    expect(browser.calls).toEqual(['ask', 'register /sw.js', 'subscribe'])
    expect(browser.subscribedTo).toBe(WEB_PUSH_KEY)
    expect(sentTo(push.webPushSubscriptionSetting.path)).toEqual([
      { Status: 'ENABLE', SubscriptionInfo: INFO },
    ])
    expect(JSON.parse(localStorage.getItem(SUBSCRIPTION_KEY) ?? '')).toEqual(INFO)
    expect(sentTo(personal.updatePersonalConfig.path)).toEqual([])
    expect(screen.getByText('此瀏覽器')).toBeTruthy()
  })

  it('names the native app around the page, if that supports push', async () => {
    stubPushBrowser()
    keeps()
    nativeApp.set({ Version: 1, Can: ['push'] })
    nativeDevice.set({ Model: 'Phone 9' })
    open()
    expect(await screen.findByText('由 App 接收')).toBeTruthy()
    expect(screen.getByText(/「Phone 9」/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '在此瀏覽器開啟推播' })).toBeNull()
    nativeApp.set(undefined)
    nativeDevice.set(undefined)
  })

  it('turns on notifications as well if the person had none', async () => {
    stubPushBrowser()
    keeps([], { ...DEFAULT_PERSONAL_CONFIG, Notification: false })
    const user = open()
    await user.click(await button('在此瀏覽器開啟推播'))
    await waitFor(() => expect(sentTo(personal.updatePersonalConfig.path)).toEqual([{ Notification: true }]))
  })

  it('is turned off, deleted at the gateway, and remembered as declined', async () => {
    const browser = stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    keeps([here])
    const user = open()
    await user.click(await button('在此瀏覽器關閉推播'))
    expect(await screen.findByText('未開啟')).toBeTruthy()
    expect(sentTo(push.webPushSubscriptionSetting.path)).toEqual([
      { Status: 'REMOVE', SubscriptionInfo: INFO },
    ])
    expect(browser.calls).toEqual(['unsubscribe'])
    expect(localStorage.getItem(SUBSCRIPTION_KEY)).toBeNull()
    expect(localStorage.getItem(PUSH_OFF_KEY)).not.toBeNull()
  })

  it('is logged and explained if denied, and sends nothing', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const browser = stubPushBrowser({ answers: 'denied' })
    keeps()
    const user = open()
    await user.click(await button('在此瀏覽器開啟推播'))
    expect(await screen.findByText(/此瀏覽器封鎖了本站的通知/)).toBeTruthy()
    expect(log).toHaveBeenCalledWith('Push: the permission is denied')
    expect(browser.calls).toEqual(['ask'])
    expect(sentTo(push.webPushSubscriptionSetting.path)).toEqual([])
    log.mockRestore()
  })

  it('stays off if the push service is unreachable, and sends nothing', async () => {
    const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
    stubPushBrowser({ isCutOff: true })
    keeps()
    const user = open()
    await user.click(await button('在此瀏覽器開啟推播'))
    await waitFor(() => expect(log).toHaveBeenCalledWith(expect.stringContaining('Registration failed')))
    expect(screen.getByText('未開啟')).toBeTruthy()
    expect(sentTo(push.webPushSubscriptionSetting.path)).toEqual([])
    log.mockRestore()
  })

  it('says that it is not supported', async () => {
    keeps()
    open()
    expect(await screen.findByText('不支援')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /在此瀏覽器/ })).toBeNull()
  })

  it('says that an iPhone needs the Home Screen app', async () => {
    keeps()
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('matchMedia', () => ({ matches: false, addListener: () => {}, removeListener: () => {} }))
    const agent = vi
      .spyOn(navigator, 'userAgent', 'get')
      .mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5)')
    open()
    expect(await screen.findByText(/「加入主畫面」/)).toBeTruthy()
    agent.mockRestore()
  })
})

describe("the user's browsers", () => {
  it('are listed with this one marked, and another is removed', async () => {
    stubPushBrowser({ permission: 'granted', subscribedTo: WEB_PUSH_KEY })
    keeps([here, phone])
    const user = open()
    const mine = (await screen.findByText('此瀏覽器')).closest('li')!
    expect(within(mine).getByText('Windows 上的 Chrome')).toBeTruthy()
    expect(within(mine).queryByRole('button')).toBeNull()
    expect(screen.getByText(/^上次推播：/)).toBeTruthy()
    await user.click(await button('移除「Android 上的 Chrome」'))
    await waitFor(() => expect(screen.queryByText('Android 上的 Chrome')).toBeNull())
    expect(sentTo(push.deletePushSubscription.path)).toEqual([{ SubscriptionID: phone.SubscriptionID }])
  })

  it('say that they could not be loaded', async () => {
    keeps()
    server.use(rejectCall(push.listPushSubscription, 'INTERNAL'))
    open()
    expect(await screen.findByText('無法載入您的瀏覽器')).toBeTruthy()
  })
})

describe('a test', () => {
  const told = async (outcome: { Sent: number; Gone: number; Failed: number }) => {
    keeps([here])
    server.use(answers(push.testWebPush, outcome))
    await open().click(await button('傳送測試推播'))
  }

  it('shows the result of each push service as a sentence', async () => {
    await told({ Sent: 2, Gone: 1, Failed: 3 })
    expect(await screen.findByText(/已收到 2 則測試推播/)).toBeTruthy()
    expect(screen.getByText(/^1 個瀏覽器已不再接收推播/)).toBeTruthy()
    expect(screen.getByText(/^3 個瀏覽器的推播服務拒絕/)).toBeTruthy()
  })

  it('never claims success if nothing was sent', async () => {
    await told({ Sent: 0, Gone: 0, Failed: 0 })
    expect(await screen.findByText('沒有送出：您沒有任何瀏覽器開啟推播。')).toBeTruthy()
    expect(screen.queryByText(/已收到/)).toBeNull()
  })

  it('says that there were too many tests', async () => {
    keeps([here])
    server.use(rejectCall(push.testWebPush, 'LIMIT_EXCEEDED'))
    await open().click(await button('傳送測試推播'))
    expect(await screen.findByText('測試過於頻繁，請等候 1 分鐘。')).toBeTruthy()
  })
})
