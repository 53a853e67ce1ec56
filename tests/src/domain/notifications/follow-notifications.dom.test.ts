import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alarms, type Alarm } from '../../../../contract/alarms/calls.ts'
import { DEFAULT_PERSONAL_CONFIG, type PersonalConfig } from '../../../../contract/people/personal-calls.ts'
import { type Notification, notifications } from '../../../../contract/notifications/calls.ts'
import type { QuietHours } from '../../../../contract/notifications/settings.ts'
import { cacheInvalidation, queryClient } from '../../../../src/data/api.ts'
import { homesKey } from '../../../../src/data/homes.ts'
import { navigateWith } from '../../../../src/data/navigator.ts'
import { type Notice, showNoticesWith } from '../../../../src/data/notices.ts'
import { personalKey } from '../../../../src/data/personal.ts'
import { lastNotification, unread } from '../../../../src/data/unread.ts'
import { followNotifications } from '../../../../src/domain/notifications/follow-notifications.ts'
import { showCritical } from '../../../../src/domain/notifications/show-critical.ts'
import { handleNotification } from '../../../../src/live/notifications.ts'
import { connection } from '../../../../src/live/channel.ts'
import { alarmPage, alarmRecord } from '../../../support/alarm-record.ts'
import { answers, server, unreachable } from '../../../support/msw.ts'
import { notificationId, notificationRecord } from '../../../support/notification-record.ts'
import { aHome, prepareSession, sentTo } from '../../support/page.tsx'
import { PATIENT } from '../../../support/patient.ts'

const WHOLE_DAY: QuietHours = {
  From: 0,
  To: 0,
  Days: [0, 1, 2, 3, 4, 5, 6],
  Except: 'none',
  TimeZone: 'Asia/Taipei',
}

let shown: Notice[] = []
let stops: (() => void)[] = []
const settings = (more: Partial<PersonalConfig['Notifications']>) =>
  queryClient.setQueryData(personalKey, {
    ...DEFAULT_PERSONAL_CONFIG,
    Notifications: { ...DEFAULT_PERSONAL_CONFIG.Notifications, ...more },
  })
const counts = (Unread: number) =>
  server.use(answers(notifications.listNotification, { Rows: [], NextCursor: null, Total: 0, Unread }))
const tell = (told: Notification | null, Unread = 1) => handleNotification({ Notification: told, Unread })
/** Content shown over the page, once it has this many items. */
const overThePage = async (count: number) => {
  await vi.waitFor(() => expect(shown).toHaveLength(count), PATIENT)
  return shown.map(({ text }) => text())
}

beforeEach(() => {
  prepareSession()
  queryClient.setQueryData(homesKey, [aHome()])
  settings({})
  shown = []
  stops = [showNoticesWith((notice) => shown.push(notice), String)]
  counts(4)
})
afterEach(() => {
  for (const stop of stops) stop()
  connection.state.set('idle')
  unread.set(0)
  lastNotification.set(undefined)
})
const follow = () => stops.push(followNotifications())

describe('the unread count', () => {
  it('is requested with one row once connected, and again after each gap', async () => {
    follow()
    expect(sentTo(notifications.listNotification)).toEqual([])
    connection.state.set('connected')
    await vi.waitFor(() => expect(unread.get()).toBe(4), PATIENT)
    counts(6)
    connection.state.set('reconnecting')
    connection.state.set('connected')
    await vi.waitFor(() => expect(unread.get()).toBe(6), PATIENT)
    expect(sentTo(notifications.listNotification)).toEqual([{ Limit: 1 }, { Limit: 1 }])
  })

  it('is requested once if the channel does not connect', async () => {
    follow()
    connection.state.set('connecting')
    connection.state.set('error')
    await vi.waitFor(() => expect(unread.get()).toBe(4), PATIENT)
    connection.state.set('reconnecting')
    connection.state.set('error')
    expect(sentTo(notifications.listNotification)).toHaveLength(1)
  })

  it('is the latest event, even if an older answer arrives later', async () => {
    let answer: (given: unknown) => void = () => {}
    const asked = new Promise<void>((resolve) => {
      server.use(
        answers(notifications.listNotification, async () => {
          resolve()
          await new Promise((given) => (answer = given))
          return { Rows: [], NextCursor: null, Total: 0, Unread: 4 }
        }),
      )
    })
    follow()
    connection.state.set('connected')
    await asked
    await tell(null, 0)
    answer(undefined)
    await vi.waitFor(() => expect(sentTo(notifications.listNotification)).toHaveLength(1), PATIENT)
    expect(unread.get()).toBe(0)
  })

  it('is shown on the app icon, and removed at sign-out', async () => {
    const setAppBadge = vi.fn<(count: number) => Promise<void>>().mockResolvedValue()
    const clearAppBadge = vi.fn<() => Promise<void>>().mockResolvedValue()
    Object.assign(navigator, { setAppBadge, clearAppBadge })
    const stop = followNotifications()
    await tell(null, 7)
    expect(setAppBadge).toHaveBeenCalledExactlyOnceWith(7)
    stop()
    expect(clearAppBadge).toHaveBeenCalledOnce()
    Reflect.deleteProperty(navigator, 'setAppBadge')
    Reflect.deleteProperty(navigator, 'clearAppBadge')
  })

  it('keeps its value and logs the error if it cannot be loaded', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    server.use(unreachable(notifications.listNotification))
    follow()
    connection.state.set('connected')
    await vi.waitFor(
      () => expect(warn).toHaveBeenCalledWith(expect.stringContaining('Notifications: ')),
      PATIENT,
    )
    expect(unread.get()).toBe(0)
    warn.mockRestore()
  })
})

describe('a new critical notification', () => {
  beforeEach(follow)

  it('is shown over the page, opens its subject, and is marked as read', async () => {
    server.use(answers(notifications.readNotification, { Changed: 1, Unread: 0 }))
    const went: string[] = []
    navigateWith((to) => void went.push(to))
    await tell(notificationRecord())
    expect(await overThePage(1)).toEqual(['緊急警報：機房偵煙器：偵測到火警'])
    expect(shown[0]?.detail).toBe('總部')
    shown[0]?.act?.run()
    expect(went).toEqual(['/Alarm/h1?tab=live'])
    await vi.waitFor(
      () =>
        expect(sentTo(notifications.readNotification)).toEqual([{ NotificationIDs: [notificationId(1)] }]),
      PATIENT,
    )
    await vi.waitFor(() => expect(unread.get()).toBe(0), PATIENT)
  })

  it.each<[string, Partial<Alarm>]>([
    ['acknowledged', { Acknowledged: { By: '王小明', At: 1, Comment: null } }],
    ['shelved', { Shelved: { By: '王小明', At: 1, Until: 2, Reason: '試車' } }],
    ['over', { Cleared: { By: null, At: 1, Reason: null } }],
  ])('disappears only once its alarm is %s elsewhere', async (_, given) => {
    const AlarmID = notificationId(9)
    const listed = (more: Partial<Alarm> = {}) =>
      server.use(answers(alarms.listAlarm, alarmPage([alarmRecord({ AlarmID, ...more })])))
    listed()
    const end = vi.fn<() => void>()
    await tell(notificationRecord({ AlarmID }))
    await overThePage(1)
    stops.push(shown[0]?.endsBy?.(end) ?? (() => {}))
    await vi.waitFor(() => expect(sentTo(alarms.listAlarm)).toEqual([{ AlarmID, Limit: 1 }]), PATIENT)
    expect(end).not.toHaveBeenCalled()
    listed(given)
    await cacheInvalidation.invalidate([{ entity: 'alarm', record: { HomeID: 'h1' } }])
    await vi.waitFor(() => expect(end).toHaveBeenCalled(), PATIENT)
  })

  it('never links outside the product', async () => {
    server.use(answers(notifications.readNotification, { Changed: 1, Unread: 0 }))
    const went: string[] = []
    navigateWith((to) => void went.push(to))
    await tell(notificationRecord({ Path: '//elsewhere.example/Alarm' }))
    await overThePage(1)
    shown[0]?.act?.run()
    expect(went).toEqual([])
  })

  it('replaces the oldest of three', async () => {
    for (const n of [1, 2, 3, 4]) await tell(notificationRecord({ NotificationID: notificationId(n) }))
    await overThePage(4)
    expect(new Set(shown.map(({ place }) => place)).size).toBe(3)
  })

  it.each<[string, Partial<Notification>]>([
    ['less urgent', { Severity: 'warning' }],
    ['told late', { At: Date.now() - 7_200_000 }],
  ])('is not shown over the page if it is %s', async (_, given) => {
    await tell(notificationRecord(given))
    await tell(notificationRecord({ Values: { subject: '下一則' } }))
    expect(await overThePage(1)).toEqual(['緊急警報：下一則'])
  })

  it('is not shown over the page in quiet hours, unless these allow it', async () => {
    settings({ Quiet: WHOLE_DAY })
    await showCritical(notificationRecord())
    expect(shown).toEqual([])
    settings({ Quiet: { ...WHOLE_DAY, Except: 'critical' } })
    await showCritical(notificationRecord())
    expect(shown).toHaveLength(1)
  })
})
