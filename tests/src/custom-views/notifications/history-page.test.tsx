import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { notifications } from '../../../../contract/notifications/calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import HistoryPage from '../../../../src/custom-views/notifications/history-page.tsx'
import { setCurrentHome } from '../../../../src/data/current-home.ts'
import { unread } from '../../../../src/data/unread.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { handleNotification } from '../../../../src/live/notifications.ts'
import { connection } from '../../../../src/live/channel.ts'
import { answers, neverAnswers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { notificationId, notificationRecord } from '../../../support/notification-record.ts'
import { collectNotices } from '../../support/acting-home.ts'
import { keepsNotifications } from '../../support/keeps-notifications.ts'
import { aHome, prepareSession, openPages, sentTo } from '../../support/page.tsx'
import { onPhone } from '../../../support/on-phone.ts'
const FIRE = '緊急警報：機房偵煙器：偵測到火警'
const RAN = '已執行「下班關燈」'
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
const open = (query = '') =>
  openPages(
    [
      { path: '/historyNotification/:HomeID', element: <HistoryPage /> },
      { path: '/Alarm/:HomeID', element: <p>警報頁</p> },
    ],
    `/historyNotification/h1${query}`,
  )
const asked = () => sentTo(notifications.listNotification).at(-1)
const readSent = () => sentTo(notifications.readNotification)
const tick = (title: string) => screen.findByRole('checkbox', { name: `選取「${title}」` })

beforeAll(() => loadNamespaces(['automation', 'inbox', 'notifications']))
beforeEach(() => {
  // User without any right.
  prepareSession(subUser())
  setCurrentHome('h1')
  server.use(
    answers(home.operations.list, [aHome(), aHome({ HomeID: 'h2', HomeName: '台中廠' })]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  )
  keepsNotifications(fire, ran)
})
afterEach(() => {
  act(() => connection.state.set('idle'))
  act(() => unread.set(0))
})

describe('the notification history', () => {
  it("lists the user's notifications of the home as sentences, without any right", async () => {
    open()
    expect(await screen.findByText(FIRE)).toBeTruthy()
    expect(await screen.findByText(RAN)).toBeTruthy()
    expect(asked()).toEqual({ HomeID: 'h1' })
    expect(screen.queryByText('台中廠')).toBeNull()
  })

  it('is filtered by the address', async () => {
    open('?category=alarm&severity=critical&since=7&unread=1&homes=all')
    await screen.findByText(FIRE)
    const { Since, ...rest } = asked() as { Since: number }
    expect(rest).toEqual({ Category: 'alarm', Severity: 'critical', Unread: true })
    expect(Since % 3_600_000).toBe(0)
    expect(Date.now() - Since).toBeLessThan(7.1 * 86_400_000)
  })

  it('removes unknown parameters from the address', async () => {
    open('?category=weather&severity=huge&since=99&unread=maybe')
    await screen.findByText(FIRE)
    expect(asked()).toEqual({ HomeID: 'h1' })
  })

  it('names the home of each notification in the list of all homes', async () => {
    onPhone()
    const page = open()
    await screen.findByText(FIRE)
    await page.user.click(screen.getByRole('button', { name: /篩選/ }))
    await page.user.click(await screen.findByRole('switch', { name: '所有場域' }))
    await waitFor(() => expect(page.address()).toBe('?homes=all'))
    expect(await screen.findByText('不屬於任何場域')).toBeTruthy()
    await page.user.click(screen.getByRole('switch', { name: '只看未讀' }))
    await waitFor(() => expect(asked()).toEqual({ Unread: true }))
  })

  it('opens what a notification is about and marks it as read', async () => {
    const page = open()
    await page.user.click(await screen.findByText(FIRE))
    expect(await screen.findByText('警報頁')).toBeTruthy()
    expect(page.address()).toBe('?tab=live')
    await waitFor(() => expect(readSent()).toEqual([{ NotificationIDs: [fire.NotificationID] }]))
  })

  it('marks one as read and undoes it', async () => {
    const page = open()
    await page.user.click(await screen.findByRole('button', { name: `將「${FIRE}」標為已讀` }))
    await page.user.click(await screen.findByRole('button', { name: `將「${FIRE}」標為未讀` }))
    expect(await screen.findByRole('button', { name: `將「${FIRE}」標為已讀` })).toBeTruthy()
    expect(page.path()).toBe('/historyNotification/h1')
    expect(unread.get()).toBe(1)
  })

  it('marks the selection in one call, and then clears it', async () => {
    const told = collectNotices()
    const page = open()
    await page.user.click(await tick(FIRE))
    await page.user.click(await tick(RAN))
    const bar = within(await screen.findByRole('toolbar'))
    await page.user.click(bar.getByRole('button', { name: '標為未讀' }))
    await waitFor(() => expect(told()).toContain('已將 2 則通知標為未讀'))
    expect(readSent()).toEqual([{ NotificationIDs: [fire.NotificationID, ran.NotificationID], Read: false }])
    await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
    expect(unread.get()).toBe(2)
  })

  it('keeps the selection if marking failed', async () => {
    const told = collectNotices()
    server.use(rejectCall(notifications.readNotification, 'INTERNAL'))
    const page = open()
    await page.user.click(await tick(FIRE))
    const bar = within(await screen.findByRole('toolbar'))
    await page.user.click(bar.getByRole('button', { name: /標為已讀$/ }))
    await waitFor(() => expect(told()).not.toBe(''))
    expect(await tick(FIRE)).toHaveProperty('checked', true)
  })

  it('counts unread ones in all homes, and marks them all', async () => {
    act(() => unread.set(5))
    const page = open()
    expect(await screen.findByText('您在所有場域共有 5 則未讀通知。')).toBeTruthy()
    await page.user.click(screen.getByRole('button', { name: '全部標為已讀' }))
    await waitFor(() => expect(unread.get()).toBe(0))
    const [{ Before }] = readSent() as [{ Before: number }]
    expect(Math.abs(Before - Date.now())).toBeLessThan(600_000)
  })

  it('shows new ones live, and says if none can arrive', async () => {
    const add = keepsNotifications(ran)
    open()
    await screen.findByText(RAN)
    add(fire)
    await act(() => handleNotification({ Notification: fire, Unread: 1 }))
    expect(await screen.findByText(FIRE)).toBeTruthy()
    expect(screen.queryByText(/目前沒有連線/)).toBeNull()
    act(() => connection.state.set('offline'))
    expect(await screen.findByText(/目前沒有連線/)).toBeTruthy()
  })

  it('prints the newest 500 that match the filters', async () => {
    const print = vi.fn<() => void>()
    vi.stubGlobal('print', print)
    const page = open('?category=alarm')
    await screen.findByText(FIRE)
    await page.user.click(screen.getByRole('button', { name: /列\s*印/ }))
    const paper = await screen.findByRole('region', { name: '通知紀錄：總部', hidden: true })
    await waitFor(() => expect(print).toHaveBeenCalledOnce())
    expect(asked()).toEqual({ HomeID: 'h1', Category: 'alarm', Limit: 500 })
    expect(paper.parentElement).toBe(document.body)
    act(() => void dispatchEvent(new Event('afterprint')))
    await waitFor(() => expect(document.querySelectorAll('body > section')).toHaveLength(0))
    vi.unstubAllGlobals()
  })

  it('says that it is empty, and links to the notification settings', async () => {
    keepsNotifications()
    open()
    expect(await screen.findByText(/此場域還沒有給您的通知/)).toBeTruthy()
    const link = screen.getByRole('link', { name: '通知設定' })
    expect(link.getAttribute('href')).toBe('/ChangeNotificationSetting')
  })

  it('offers to remove filters without a match', async () => {
    keepsNotifications()
    const page = open('?category=guard')
    await page.user.click(await screen.findByRole('button', { name: '清除篩選' }))
    await waitFor(() => expect(page.address()).toBe(''))
  })

  it('shows placeholders while it loads', () => {
    server.use(neverAnswers(notifications.listNotification))
    open()
    expect(document.querySelector('[aria-busy="true"]')).toBeTruthy()
  })

  it('says that it could not be loaded, and retries', async () => {
    server.use(rejectCall(notifications.listNotification, 'INTERNAL'))
    const page = open()
    const again = await screen.findByRole('button', { name: /重\s*試/ })
    keepsNotifications(fire)
    await page.user.click(again)
    expect(await screen.findByText(FIRE)).toBeTruthy()
  })
})
