import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  DEFAULT_PERSONAL_CONFIG,
  personal,
  type PersonalConfig,
} from '../../../../contract/people/personal-calls.ts'
import { push } from '../../../../contract/notifications/push-calls.ts'
import {
  DEFAULT_NOTIFICATION_SETTINGS,
  type NotificationSettings,
  type QuietHours,
} from '../../../../contract/notifications/settings.ts'
import NotificationSetting from '../../../../src/custom-views/personal/notification-setting.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { collectNotices } from '../../support/acting-home.ts'
import { prepareSession, openPage, sentTo } from '../../support/page.tsx'
type Sent = Partial<PersonalConfig> & { Seen?: Partial<PersonalConfig> }
const DEFAULTS = DEFAULT_NOTIFICATION_SETTINGS
const NIGHT: QuietHours = {
  From: 22 * 60,
  To: 7 * 60,
  Days: [0, 1, 2, 3, 4, 5, 6],
  Except: 'critical',
  TimeZone: 'Asia/Tokyo',
}

/** Gateway that stores a person's settings. */
function keeps(Notifications: Partial<NotificationSettings> = {}, Notification = true) {
  let config = { ...DEFAULT_PERSONAL_CONFIG, Notification, Notifications: { ...DEFAULTS, ...Notifications } }
  server.use(
    answers(personal.getPersonalConfig, () => config),
    answers(personal.updatePersonalConfig, (body) => {
      const { Seen: _, ...changes } = body as Sent
      return (config = { ...config, ...(changes as Partial<typeof config>) })
    }),
  )
  return (next: Partial<NotificationSettings>) =>
    (config = { ...config, Notifications: { ...config.Notifications, ...next } })
}
const open = () => openPage(<NotificationSetting />, '/', '/')
const saved = () => sentTo(personal.updatePersonalConfig) as Sent[]
const checkbox = (name: string) => screen.findByRole('checkbox', { name })
const toggle = (name: string) => screen.findByRole('switch', { name })

beforeAll(() => loadNamespaces(['inbox', 'personal']))
beforeEach(() => {
  prepareSession()
  server.use(answers(push.listPushSubscription, []))
})

describe('notification preferences', () => {
  it('are a table of categories and channels, and save each change at once with the version that was seen', async () => {
    keeps()
    const { user } = open()
    const mail = await checkbox('自動化：電子郵件')
    expect(mail).toHaveProperty('checked', false)
    await user.click(mail)
    await waitFor(() => expect(mail).toHaveProperty('checked', true))
    const Categories = { ...DEFAULTS.Categories, automation: { Push: true, Mail: true } }
    expect(saved()).toEqual([
      { Notifications: { ...DEFAULTS, Categories }, Seen: { Notifications: DEFAULTS } },
    ])
  })

  it('send quick successive changes one after another and lose none', async () => {
    keeps()
    const { user } = open()
    await user.click(await checkbox('自動化：電子郵件'))
    await user.click(await checkbox('系統：電子郵件'))
    await user.click(await toggle('警報解除時也通知'))
    await waitFor(() => expect(saved()).toHaveLength(3))
    expect(saved().at(-1)?.Notifications).toMatchObject({
      Categories: { automation: { Mail: true }, system: { Mail: true } },
      TellCleared: false,
    })
    expect(saved().at(-1)?.Seen?.Notifications).toEqual(saved()[1]?.Notifications)
  })

  it('have a minimum severity', async () => {
    keeps()
    const { user } = open()
    await user.click(await screen.findByRole('combobox', { name: '最低等級' }))
    await user.click(await screen.findByTitle('只有緊急'))
    await waitFor(() => expect(saved().at(-1)?.Notifications?.Least).toBe('critical'))
  })

  it('disable push without the main switch, and say that email is still sent', async () => {
    keeps({}, false)
    open()
    expect(await checkbox('警報：推播')).toHaveProperty('disabled', true)
    expect(await checkbox('警報：電子郵件')).toHaveProperty('disabled', false)
    expect(screen.getByText(/勾選電子郵件的種類仍會寄送/)).toBeTruthy()
  })

  it('say if the gateway sends no email', async () => {
    keeps()
    open()
    expect(await screen.findByText(/此系統尚未設定郵件伺服器/)).toBeTruthy()
  })

  it('show what another screen of the user saved first', async () => {
    const changeElsewhere = keeps()
    const told = collectNotices()
    const { user } = open()
    const mail = await checkbox('自動化：電子郵件')
    changeElsewhere({ TellCleared: false })
    server.use(
      rejectCall(personal.updatePersonalConfig, 'CONFLICT', { fields: { Notifications: 'changed' } }),
    )
    await user.click(mail)
    await waitFor(() => expect(told()).not.toBe(''))
    const cleared = await toggle('警報解除時也通知')
    await waitFor(() => expect(cleared.getAttribute('aria-checked')).toBe('false'))
    expect(mail).toHaveProperty('checked', false)
  })
})

describe('quiet hours', () => {
  it("default to every night except critical ones, in the browser's time zone", async () => {
    keeps()
    const { user } = open()
    expect(await screen.findByText(/目前沒有勿擾時段/)).toBeTruthy()
    await user.click(await toggle('使用勿擾時段'))
    const TimeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
    await waitFor(() => expect(saved().at(-1)?.Notifications?.Quiet).toEqual({ ...NIGHT, TimeZone }))
    expect(await screen.findByText(/每天 22:00 至隔天 07:00 之間不會送出通知/)).toBeTruthy()
    expect(screen.getByText(`時間依 ${TimeZone} 時區。`)).toBeTruthy()
    await user.click(await toggle('使用勿擾時段'))
    await waitFor(() => expect(saved().at(-1)?.Notifications?.Quiet).toBeNull())
  })

  it.each<[string, Partial<QuietHours>, RegExp]>([
    ['a part of a day', { From: 720, To: 780, Days: [1, 3] }, /^週一和週三 12:00 至 13:00 之間/],
    ['whole days', { From: 0, To: 0, Days: [6, 0] }, /^週六和週日 00:00 起 24 小時內/],
    ['all the time', { From: 0, To: 0 }, /^全天候都不會送出通知/],
  ])('describe %s', async (_, given, words) => {
    keeps({ Quiet: { ...NIGHT, ...given } })
    open()
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.getByText('時間依 Asia/Tokyo 時區。')).toBeTruthy()
  })

  it('warn if critical ones are held back too', async () => {
    keeps({ Quiet: NIGHT })
    const { user } = open()
    await user.click(await toggle('緊急通知仍立即送達'))
    expect(await screen.findByText(/請確定有其他人會處理/)).toBeTruthy()
  })

  it('need at least one day', async () => {
    keeps({ Quiet: { ...NIGHT, Days: [1, 2] } })
    const { user } = open()
    const days = within(await screen.findByRole('group', { name: '開始日' }))
    const [monday, tuesday] = days.getAllByRole('checkbox')
    await user.click(monday as HTMLElement)
    await waitFor(() => expect(saved().at(-1)?.Notifications?.Quiet?.Days).toEqual([2]))
    await waitFor(() => expect(tuesday).toHaveProperty('disabled', true))
  })

  it('accept a typed time', async () => {
    keeps({ Quiet: NIGHT })
    const { user } = open()
    const from = await screen.findByRole('textbox', { name: '開始' })
    await user.clear(from)
    await user.type(from, '23:30')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(saved().at(-1)?.Notifications?.Quiet?.From).toBe(23 * 60 + 30))
  })
})
