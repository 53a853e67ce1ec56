import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { notifications } from '../../../../contract/notifications/calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { setCurrentHome } from '../../../../src/data/current-home.ts'
import { notices } from '../../../../src/data/notices.ts'
import { unread } from '../../../../src/data/unread.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { handleNotification } from '../../../../src/live/notifications.ts'
import BellPanel from '../../../../src/shell/notifications/bell-panel.tsx'
import { answers, neverAnswers, rejectCall, server } from '../../../support/msw.ts'
import { notificationId, notificationRecord } from '../../../support/notification-record.ts'
import { keepsNotifications } from '../../support/keeps-notifications.ts'
import { aHome, prepareSession, openPages, sentTo } from '../../support/page.tsx'
const FIRE = '緊急警報：機房偵煙器：偵測到火警'
const fire = notificationRecord()
const ran = notificationRecord({
  NotificationID: notificationId(2),
  Category: 'automation',
  Severity: 'info',
  Kind: 'ruleRan',
  HomeID: null,
  Values: { subject: '下班關燈' },
  Path: null,
  ReadAt: 1,
})

const close = vi.fn<() => void>()
const open = () =>
  openPages(
    [
      { path: '/', element: <BellPanel onClose={close} /> },
      { path: '/Alarm/:HomeID', element: <p>警報頁</p> },
    ],
    '/',
  )
const list = () => screen.findByRole('region', { name: '最新通知' })

beforeAll(() => loadNamespaces(['automation', 'inbox', 'notifications']))
beforeEach(() => {
  prepareSession()
  close.mockReset()
  setCurrentHome('h1')
  unread.set(1)
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  )
})
afterEach(async () => {
  unread.set(0)
  notices.clear()
  await act(() => changeLanguage('zh-TW'))
})

describe('the bell panel', () => {
  it('shows each notification as a sentence, with severity, category and age', async () => {
    keepsNotifications(fire, ran)
    open()
    await screen.findByText(FIRE)
    const [first, second] = within(await list()).getAllByRole('listitem')
    expect(first?.textContent).toContain(FIRE)
    expect(first?.textContent).toMatch(/緊急警報2 分鐘前未讀/)
    expect(second?.textContent).toContain('已執行「下班關燈」')
    expect(second?.textContent).not.toContain('未讀')
    expect(sentTo(notifications.listNotification)).toEqual([{ Limit: 20 }])
  })

  it('follows a change of language', async () => {
    keepsNotifications(fire)
    open()
    await screen.findByText(FIRE)
    await act(() => changeLanguage('en-US'))
    expect(await screen.findByText(/^Critical alarm: 機房偵煙器/)).toBeTruthy()
  })

  it('opens what a notification is about, closes, and marks it as read', async () => {
    keepsNotifications(fire)
    const page = open()
    await page.user.click(await screen.findByText(FIRE))
    expect(page.path() + page.address()).toBe('/Alarm/h1?tab=live')
    expect(close).toHaveBeenCalledOnce()
    await waitFor(() => expect(unread.get()).toBe(0))
  })

  it('marks one as read and stays open', async () => {
    keepsNotifications(fire, { ...fire, NotificationID: notificationId(3) })
    const page = open()
    const [one] = await screen.findAllByRole('button', { name: `將「${FIRE}」標為已讀` })
    await page.user.click(one as HTMLElement)
    await waitFor(async () => expect((await list()).textContent).toContain('1 則未讀'))
    expect(page.path()).toBe('/')
  })

  it('marks all displayed ones as read, but not new ones', async () => {
    keepsNotifications(fire, ran)
    const page = open()
    await page.user.click(await screen.findByRole('button', { name: /全部標為已讀$/ }))
    expect(await screen.findByText('全部已讀')).toBeTruthy()
    expect(sentTo(notifications.readNotification)).toEqual([{ Before: fire.At }])
    expect(unread.get()).toBe(0)
  })

  it('shows new ones live', async () => {
    const add = keepsNotifications(ran)
    open()
    await screen.findByText('已執行「下班關燈」')
    add(fire)
    await act(() => handleNotification({ Notification: fire, Unread: 1 }))
    expect(await screen.findByText(FIRE)).toBeTruthy()
  })

  it('links to the history of the current home and to the settings', async () => {
    keepsNotifications()
    open()
    expect(await screen.findByText('還沒有任何通知。')).toBeTruthy()
    const links = (await screen.findAllByRole('link')).map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/historyNotification/h1', '/ChangeNotificationSetting'])
  })

  it('shows placeholders while it loads', async () => {
    server.use(neverAnswers(notifications.listNotification))
    open()
    expect((await list()).querySelector('[aria-busy="true"]')).toBeTruthy()
  })

  it('says that they could not be loaded, and retries', async () => {
    server.use(rejectCall(notifications.listNotification, 'INTERNAL'))
    const page = open()
    const again = await screen.findByRole('button', { name: /重\s*試/ })
    keepsNotifications(fire)
    await page.user.click(again)
    expect(await screen.findByText(FIRE)).toBeTruthy()
  })

  it('shows text by people unchanged', async () => {
    const text = '<img src=x onerror=alert(1)> **停電**'
    keepsNotifications({ ...ran, Kind: 'broadcast', Category: 'broadcast', Values: { title: '公告', text } })
    open()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(document.querySelector('img[src="x"]')).toBeNull()
  })

  it("lists this browser's background failures below them", async () => {
    keepsNotifications()
    notices.background(() => '匯出失敗', 'req-7')
    const page = open()
    const here = await screen.findByRole('region', { name: '此瀏覽器的背景通知' })
    expect(here.textContent).toContain('匯出失敗req-7')
    await page.user.click(within(here).getByRole('button', { name: '全部清除' }))
    expect(screen.queryByRole('region', { name: '此瀏覽器的背景通知' })).toBeNull()
  })
})
