import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ComponentType } from 'react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { push } from '../../../../contract/notifications/push-calls.ts'
import { personData } from '../../../../contract/people/person-data-calls.ts'
import { session } from '../../../../contract/people/session-calls.ts'
import ChangePassword from '../../../../src/custom-views/personal/change-password.tsx'
import DecimalPrecisionSetting from '../../../../src/custom-views/personal/decimal-precision-setting.tsx'
import NotificationSetting from '../../../../src/custom-views/personal/notification-setting.tsx'
import * as files from '../../../../src/lib/save-file.ts'
import { updateGatewayClock } from '../../../../src/lib/gateway-clock.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { personalKey } from '../../../../src/data/personal.ts'
import { answers, requests, owner, rejectCall, server } from '../../../support/msw.ts'
import { setScreens } from '../../../../src/shell/offered-pages.ts'
import { screens } from '../../../../src/screens.ts'
import { prepareSession, openPage } from '../../support/page.tsx'
const here = {
  SessionID: 's1',
  UserAgent: 'Mozilla/5.0 (Windows NT 10.0) Chrome/141.0 Safari/537.36',
  CreatedAt: Date.now() - 3_600_000,
  LastUsedAt: Date.now(),
  Current: true,
}
const phone = {
  ...here,
  SessionID: 's2',
  UserAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/141.0 Mobile Safari/537.36',
  Current: false,
}

const open = (Page: ComponentType) => openPage(<Page />, '/', '/').user
/** Gateway that stores a person's settings. */
const keepsSettings = () => {
  let config = DEFAULT_PERSONAL_CONFIG
  return [
    answers(personal.getPersonalConfig, () => config),
    answers(
      personal.updatePersonalConfig,
      (body) => (config = { ...config, ...(body as Partial<typeof config>) }),
    ),
  ]
}
const sentTo = (path: string) => requests.filter((call) => call.path === path)
const button = (name: RegExp) => screen.getByRole('button', { name })

beforeAll(() => loadNamespaces(['personal']))
beforeEach(() => {
  prepareSession()
})

describe('changing the password', () => {
  const SAVE = /^變更密碼$/
  const fill = async (user: UserEvent, previous: string, next: string, confirm = next) => {
    await user.type(screen.getByLabelText('目前密碼'), previous)
    await user.type(screen.getByLabelText('新密碼'), next)
    await user.type(screen.getByLabelText('確認新密碼'), confirm)
    await user.click(button(SAVE))
  }

  it('sends it with the access token, says that other devices are signed out, and refetches the devices', async () => {
    let left = [here, phone]
    server.use(
      answers(session.listSessions, () => left),
      answers(session.changePassword, () => {
        left = [here]
        return {}
      }),
    )
    const user = open(ChangePassword)
    await screen.findByText('Android 上的 Chrome')
    await fill(user, 'old-pass1', 'new-pass1')
    expect(await screen.findByText('密碼已變更，其他裝置已登出。')).toBeTruthy()
    const [sent] = sentTo(session.changePassword.path)
    expect(sent?.body).toEqual({ PreviousPassword: 'old-pass1', ProposedPassword: 'new-pass1' })
    expect(sent?.headers.get('x-access-token')).toBeTruthy()
    expect((screen.getByLabelText('新密碼') as HTMLInputElement).value).toBe('')
    await waitFor(() => expect(screen.queryByText('Android 上的 Chrome')).toBeNull())
  })

  it('offers a copy of all data that is stored about the user', async () => {
    const save = vi.spyOn(files, 'saveFile').mockImplementation(() => {})
    server.use(
      answers(session.listSessions, [here]),
      answers(personData.exportMyData, { ExportedAt: 0, Sections: { Profile: [] }, LeftOut: {} }),
    )
    const user = open(ChangePassword)
    await user.click(button(/^匯出我的資料$/))
    await waitFor(() => expect(save).toHaveBeenCalled())
    expect(save.mock.calls[0]?.[0]).toBe(`${owner.Email} 1970-01-01.json`)
    save.mockRestore()
  })

  it('checks off the rules while the new password is typed', async () => {
    server.use(answers(session.listSessions, [here]))
    const user = open(ChangePassword)
    const met = () =>
      within(screen.getByRole('list', { name: '密碼規則' }))
        .getAllByRole('listitem')
        .map((rule) => rule.dataset['met'])
    expect(met()).toEqual(['false', 'false', 'false'])
    await user.type(screen.getByLabelText('新密碼'), 'abcdef')
    expect(met()).toEqual(['true', 'false', 'true'])
    await user.type(screen.getByLabelText('新密碼'), '1')
    expect(met()).toEqual(['true', 'true', 'true'])
  })

  it('sends nothing while the confirmation differs', async () => {
    server.use(answers(session.listSessions, [here]))
    const user = open(ChangePassword)
    await fill(user, 'old-pass1', 'new-pass1', 'new-pass2')
    expect(await screen.findByText('兩次輸入的密碼不一致')).toBeTruthy()
    expect(sentTo(session.changePassword.path)).toEqual([])
  })

  it('shows a wrong current password at its field', async () => {
    server.use(
      answers(session.listSessions, [here]),
      rejectCall(session.changePassword, 'INVALID', { fields: { PreviousPassword: 'wrongPassword' } }),
    )
    const user = open(ChangePassword)
    await fill(user, 'not-mine1', 'new-pass1')
    const fault = await screen.findByText('目前的密碼不正確')
    expect(fault.closest('.ant-form-item')?.querySelector('label')?.textContent).toBe('目前密碼')
  })

  it('says that there were too many attempts', async () => {
    server.use(answers(session.listSessions, [here]), rejectCall(session.changePassword, 'LIMIT_EXCEEDED'))
    const user = open(ChangePassword)
    await fill(user, 'not-mine1', 'new-pass1')
    expect(await screen.findByText('嘗試次數過多，請稍後再試')).toBeTruthy()
  })
})

describe('signed-in devices', () => {
  it('signs out another device, but never offers that for this one', async () => {
    let left = [phone, here]
    server.use(
      answers(session.listSessions, () => left),
      answers(session.revokeSession, (body) => {
        const { SessionID } = body as { SessionID: string }
        left = left.filter((one) => one.SessionID !== SessionID)
        return { SessionID }
      }),
    )
    const user = open(ChangePassword)
    expect(await screen.findByText('此裝置')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: /^登出/ })).toHaveLength(1)
    await user.click(button(/^登出 Android 上的 Chrome$/))
    expect(await screen.findByText('沒有其他已登入的裝置。')).toBeTruthy()
    expect(sentTo(session.revokeSession.path).map(({ body }) => body)).toEqual([{ SessionID: 's2' }])
  })

  it("show the time since last use by the gateway's clock, despite a wrong device clock", async () => {
    const there = Date.now() - 86_400_000
    updateGatewayClock(new Date(there).toUTCString(), Date.now())
    // The gateway's clock header has whole seconds.
    server.use(answers(session.listSessions, [{ ...here, LastUsedAt: there - 5 * 60_000 - 2_000 }]))
    open(ChangePassword)
    expect(await screen.findByText(/5 分鐘前/)).toBeTruthy()
    updateGatewayClock(new Date().toUTCString(), Date.now())
  })

  it('say that they could not be loaded', async () => {
    server.use(rejectCall(session.listSessions, 'INTERNAL'))
    open(ChangePassword)
    expect(await screen.findByText('無法載入已登入的裝置')).toBeTruthy()
  })
})

describe('the notification setting', () => {
  beforeEach(() => server.use(answers(push.listPushSubscription, [])))

  it('saves the choice for the person, and shows the push status of this browser', async () => {
    server.use(...keepsSettings())
    const user = open(NotificationSetting)
    const choice = await screen.findByRole('switch', { name: '接收通知' })
    expect(choice.getAttribute('aria-checked')).toBe('false')
    await user.click(choice)
    await waitFor(() => expect(choice.getAttribute('aria-checked')).toBe('true'))
    expect(sentTo(personal.updatePersonalConfig.path).map(({ body }) => body)).toEqual([
      { Notification: true },
    ])
    expect(await screen.findByText('不支援')).toBeTruthy()
  })

  it('stays unchanged if it could not be saved', async () => {
    server.use(
      answers(personal.getPersonalConfig, { ...DEFAULT_PERSONAL_CONFIG, Notification: true }),
      rejectCall(personal.updatePersonalConfig, 'UNAVAILABLE'),
    )
    const user = open(NotificationSetting)
    const choice = await screen.findByRole('switch', { name: '接收通知' })
    await user.click(choice)
    await waitFor(() => expect(sentTo(personal.updatePersonalConfig.path)).toHaveLength(1))
    await waitFor(() => expect(choice.className).not.toContain('loading'))
    expect(choice.getAttribute('aria-checked')).toBe('true')
  })

  it('shows no choice while it is unknown', async () => {
    server.use(rejectCall(personal.getPersonalConfig, 'INTERNAL'))
    open(NotificationSetting)
    expect(await screen.findByText('無法載入您的設定')).toBeTruthy()
    expect(screen.queryByRole('switch')).toBeNull()
  })
})

describe('decimal places', () => {
  it('preview at once and apply after saving; power keeps its own rule', async () => {
    server.use(...keepsSettings())
    const user = open(DecimalPrecisionSetting)
    expect(await screen.findByText('1,234.57')).toBeTruthy()
    const save = button(/儲\s*存/) as HTMLButtonElement
    expect(save.disabled).toBe(true)
    await user.click(screen.getByText('4'))
    expect(screen.getByText('1,234.5679')).toBeTruthy()
    expect(screen.getByText('1.80')).toBeTruthy()
    await user.click(save)
    await waitFor(() => expect(queryClient.getQueryData(personalKey)).toMatchObject({ DecimalPrecision: 4 }))
    expect(sentTo(personal.updatePersonalConfig.path).map(({ body }) => body)).toEqual([
      { DecimalPrecision: 4 },
    ])
    expect(screen.getByText('1,234.5679')).toBeTruthy()
  })
})

describe('the start page', () => {
  it('is saved when it is chosen', async () => {
    setScreens(screens)
    server.use(...keepsSettings())
    const user = open(DecimalPrecisionSetting)
    await user.click(await screen.findByRole('combobox', { name: '開啟時顯示' }))
    await user.click(await screen.findByTitle('警報'))
    await waitFor(() =>
      expect(sentTo(personal.updatePersonalConfig.path).map(({ body }) => body)).toEqual([
        { StartPage: 'Alarm' },
      ]),
    )
    await waitFor(() => expect(queryClient.getQueryData(personalKey)).toMatchObject({ StartPage: 'Alarm' }))
  })
})
