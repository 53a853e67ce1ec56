import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { http, HttpResponse, type HttpHandler } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Permission } from '../../../contract/kernel/permissions.ts'
import { attention } from '../../../contract/attention/calls.ts'
import { company } from '../../../contract/people/company-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal, type StartPage } from '../../../contract/people/personal-calls.ts'
import { notifications } from '../../../contract/notifications/calls.ts'
import { session } from '../../../contract/people/session-calls.ts'
import type { Me } from '../../../contract/people/session-calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../../contract/homes/home.ts'
import { group } from '../../../contract/automation/group.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { scene } from '../../../contract/automation/scene.ts'
import { user } from '../../../contract/people/user.ts'
import { App } from '../../../src/App.tsx'
import { call, queryClient, READINESS_KEY } from '../../../src/data/api.ts'
import { authState, initAuthState, signInReason } from '../../../src/data/auth-state.ts'
import { changeLanguage } from '../../../src/lib/i18n/i18n.ts'
import { setCurrentHome } from '../../../src/data/current-home.ts'
import { connection } from '../../../src/live/channel.ts'
import { forcedSignOut } from '../../../src/live/session.ts'
import { goTo } from '../../../src/data/navigator.ts'
import { notices } from '../../../src/data/notices.ts'
import { me } from '../../../src/data/session.ts'
import { unread } from '../../../src/data/unread.ts'
import { start } from '../../../src/live/start-session.ts'
import { anAttention } from '../../support/an-attention.ts'
import {
  answers,
  neverAnswers,
  owner,
  READY,
  rejectCall,
  server,
  signInAs,
  subUser,
} from '../../support/msw.ts'

const home = (HomeID: string, HomeName: string): HomeWithRooms => ({
  HomeID,
  HomeName,
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [{ HomeID, RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] }],
})

function at(path: string, person: Me = owner, ...others: HttpHandler[]) {
  history.replaceState(null, '', path)
  signInAs(person)
  initAuthState()
  server.use(
    answers(session.getPersonalPermissions, person),
    answers(homeResource.operations.list, [home('h2', '台中工廠'), home('h1', '內湖總部')]),
    answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(company.getCompanyProfile, { CompanyName: '示範公司', LogoName: '示範大樓', LogoUrl: null }),
    answers(user.operations.list, []),
    answers(attention.listAttention, anAttention()),
    answers(group.operations.list, []),
    answers(scene.operations.list, []),
    // Tests of the frame run without the live channel.
    rejectCall(session.connectRealtime, 'UNAVAILABLE'),
    http.post('*/cognito', () => HttpResponse.json({})),
  )
  server.use(...others)
  return render(<App />)
}
const reading = (...keys: Permission['FeatureKey'][]): Me =>
  subUser(keys.map((FeatureKey) => ({ FeatureKey, OperationList: ['Read'] })))

beforeEach(() => {
  start.set('loading')
  me.set(undefined)
  setCurrentHome(undefined)
  signInReason.set(undefined)
  queryClient.clear()
})
afterEach(async () => {
  cleanup()
  connection.stop()
  forcedSignOut.set(undefined)
  queryClient.clear()
  await changeLanguage('zh-TW')
})

/** Without styles no animation ends. */
const isLeaving = (text: string) => screen.getByText(text).closest('.ant-notification-fade-leave') !== null
const menu = () => screen.findByRole('navigation', { name: '主選單' })

describe('the shell', () => {
  it('shows a loading screen while permissions are unknown', async () => {
    at('/nowhere', owner, neverAnswers(session.getPersonalPermissions))
    expect((await screen.findByRole('status')).textContent).toContain('載入中')
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  it('shows company title, version, address and the homes by name', async () => {
    at('/nowhere')
    await menu()
    expect(await screen.findByText('示範大樓')).toBeTruthy()
    expect(screen.getByText('Dashboard v0.2.8.5.1')).toBeTruthy()
    expect(screen.getByText(owner.Email)).toBeTruthy()
    const selector = screen.getByRole('combobox', { name: '選擇場域' })
    expect(
      within(selector)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['全公司', '內湖總部', '台中工廠'])
  })

  it('expands and marks the group of the open page, which can be collapsed again', async () => {
    at('/SceneList/h1')
    const nav = await menu()
    const group = await within(nav).findByRole('button', { name: /^自動化/ })
    await waitFor(() => expect(group.getAttribute('aria-expanded')).toBe('true'))
    expect(group.className).toContain('holds-active')
    expect(nav.querySelector('[aria-current="page"]')?.getAttribute('href')).toBe('/SceneList/h1')
    await userEvent.click(group)
    expect(group.getAttribute('aria-expanded')).toBe('false')
  })

  it("shows the gateway's version, again on each opening, or that it does not answer", async () => {
    let answers = false
    const live = http.get('*/health/live', () =>
      answers ? HttpResponse.json({ live: true, version: '1.2.3' }) : HttpResponse.error(),
    )
    at('/nowhere', owner, live)
    await menu()
    await userEvent.click(screen.getByRole('button', { name: /^個人選單/ }))
    await userEvent.click(screen.getByRole('menuitem', { name: '關於本產品' }))
    const dialog = await screen.findByRole('dialog', { name: '關於本產品' })
    expect((await within(dialog).findByRole('alert')).textContent).toContain('伺服器沒有回應')
    answers = true
    await userEvent.click(within(dialog).getByRole('button', { name: '重試' }))
    expect(await within(dialog).findByText('1.2.3')).toBeTruthy()
  })

  it('opens the page for a first site, and not again from the page after that', async () => {
    at('/', owner, answers(homeResource.operations.list, []))
    await menu()
    await waitFor(() => expect(location.pathname).toBe('/CreateHome'))
    act(() => goTo('/DeviceList/h1'))
    await screen.findByText('此場域不存在，或已被刪除。')
    expect(location.pathname).toBe('/DeviceList/h1')
  })

  it('skips the menu by keyboard without a history entry', async () => {
    at('/nowhere')
    await menu()
    const before = history.length
    await userEvent.click(screen.getByRole('link', { name: '跳到主要內容' }))
    expect(document.activeElement?.id).toBe('content')
    expect([location.hash, history.length]).toEqual(['', before])
  })

  it('stores the selected home and opens its devices', async () => {
    at('/nowhere')
    await menu()
    await userEvent.selectOptions(screen.getByRole('combobox', { name: '選擇場域' }), '台中工廠')
    await waitFor(() => expect(location.pathname).toBe('/DeviceList/h2'))
    expect(localStorage.getItem('currentHomeId')).toContain('"h2"')
  })

  it.each([
    ['databaseAway', /伺服器無法連上資料庫/],
    ['writesFail', /資料庫的磁碟已滿/],
    ['busAway', /與其他伺服器的連線中斷/],
  ] as const)("shows the gateway's problem while it answers %s", async (detail, words) => {
    let details: (typeof detail)[] = [detail]
    const ready = http.get('*/health/ready', () => HttpResponse.json({ ...READY, writes: false, details }))
    at('/nowhere', owner, ready)
    await menu()
    expect(await screen.findByText(words)).toBeTruthy()
    details = []
    await queryClient.invalidateQueries({ queryKey: READINESS_KEY })
    await waitFor(() => expect(screen.queryByText(words)).toBeNull())
  })

  it("checks the gateway's health at once when a call reports it unavailable", async () => {
    let details: string[] = []
    at(
      '/nowhere',
      owner,
      http.get('*/health/ready', () => HttpResponse.json({ ...READY, details })),
    )
    await menu()
    await waitFor(() => expect(queryClient.getQueryData(READINESS_KEY)).toEqual(READY))
    details = ['writesFail']
    server.use(rejectCall(user.operations.list, 'UNAVAILABLE'))
    await call(user.operations.list, {}).catch(() => {})
    expect(await screen.findByText(/資料庫的磁碟已滿/)).toBeTruthy()
  })

  it('says that a page does not exist', async () => {
    at('/nowhere')
    expect(await screen.findByRole('heading', { name: '找不到頁面' })).toBeTruthy()
    expect(screen.getByRole('link', { name: '回首頁' }).getAttribute('href')).toBe('/')
  })

  it('rejects a page without the right and names the right', async () => {
    at('/HomeList', reading('device'))
    expect(await screen.findByRole('heading', { name: '沒有存取權限' })).toBeTruthy()
    expect(screen.getByText(/您缺少「場域」的「檢視」權限/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '回首頁' })).toBeTruthy()
  })

  it('says that a home was deleted instead of showing an empty page', async () => {
    at('/Rooms/gone')
    expect(await screen.findByText('此場域不存在，或已被刪除。')).toBeTruthy()
  })

  it('switches the language without a reload', async () => {
    at('/nowhere')
    await menu()
    await userEvent.click(screen.getByRole('button', { name: '語言' }))
    await userEvent.click(screen.getByRole('menuitemradio', { name: 'English' }))
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
    expect(document.documentElement.lang).toBe('en-US')
    expect(localStorage.getItem('language')).toBe('en-US')
  })

  it('remembers a dark appearance', async () => {
    at('/nowhere')
    await menu()
    await userEvent.click(screen.getByRole('button', { name: /^個人選單/ }))
    await userEvent.click(screen.getByRole('menuitemradio', { name: '深色' }))
    expect(localStorage.getItem('theme')).toBe('dark')
  })

  it('moves through a menu by arrow keys and closes it by Escape', async () => {
    at('/nowhere')
    await menu()
    const button = screen.getByRole('button', { name: '語言' })
    button.focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toContain('繁體中文')
    await userEvent.keyboard('{ArrowUp}')
    expect(document.activeElement?.textContent).toContain('English')
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(document.activeElement).toBe(button)
  })

  it('closes the sidebar on navigation', async () => {
    const { container } = at('/nowhere')
    await menu()
    await userEvent.click(screen.getByRole('button', { name: '開啟選單' }))
    const shell = container.querySelector('.shell') as HTMLElement
    expect(shell.dataset['menu']).toBe('true')
    await userEvent.click(screen.getByRole('link', { name: '公司資料' }))
    await waitFor(() => expect(shell.dataset['menu']).toBe('false'))
  })

  it('searches by Ctrl-K and opens the selected result', async () => {
    at('/nowhere')
    await menu()
    await userEvent.keyboard('{Control>}k{/Control}')
    const search = await screen.findByRole('combobox', {
      name: '搜尋頁面、場域、房間、裝置、群組、情境、會議室、人員、訪客',
    })
    await userEvent.type(search, '台中')
    expect((await screen.findAllByRole('option', { name: /台中工廠/ })).length).toBeGreaterThan(0)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(location.pathname).toBe('/DeviceList/h2'))
  })

  it('lists the shortcuts by ?', async () => {
    at('/nowhere')
    await menu()
    await userEvent.keyboard('?')
    expect(await screen.findByText('鍵盤快速鍵')).toBeTruthy()
  })

  it.each([
    ['permissionsChanged', '您的權限已變更，請重新登入'],
    ['userDeleted', '使用者不存在'],
  ] as const)('forces a sign-out if %s', async (why, text) => {
    at('/nowhere')
    await menu()
    forcedSignOut.set(why)
    expect(await screen.findByText(text)).toBeTruthy()
    const dialog = screen.getByRole('dialog')
    expect(within(dialog).getAllByRole('button')).toHaveLength(1)
    await userEvent.click(within(dialog).getByRole('button', { name: '重新登入' }))
    await waitFor(() => expect(authState.get()).toBe('signIn'))
    expect(signInReason.get()).toBe(why)
  })

  it('collects background failures in the bell', async () => {
    at('/nowhere')
    await menu()
    notices.background(() => '匯出失敗', 'req-7')
    await userEvent.click(await screen.findByRole('button', { name: '通知，1 則未讀' }))
    expect(await screen.findByText('匯出失敗')).toBeTruthy()
    expect(screen.getByText('req-7')).toBeTruthy()
    expect(await screen.findByRole('button', { name: '通知' })).toBeTruthy()
    notices.clear()
  })

  it('counts notifications and background failures together', async () => {
    const told = answers(notifications.listNotification, { Rows: [], NextCursor: null, Total: 0, Unread: 2 })
    at('/nowhere', owner, told)
    await menu()
    notices.background(() => '匯出失敗')
    const bell = await screen.findByRole('button', { name: '通知，3 則未讀' })
    // A number here would be taken for that of the alarms.
    expect(bell.textContent).toBe('')
    notices.clear()
    unread.set(0)
  })

  it('shows urgent notifications over the page until the user acts or opens the bell', async () => {
    at('/nowhere')
    await menu()
    const run = vi.fn<() => void>()
    notices.urgent(() => '一樓火警', { place: 'one', act: { text: () => '查看', run } })
    notices.urgent(() => '二樓火警', { place: 'two' })
    const first = (await screen.findByText('一樓火警')).closest<HTMLElement>('[role="alert"]') as HTMLElement
    await userEvent.click(within(first).getByRole('button', { name: /查\s*看/ }))
    expect(run).toHaveBeenCalledOnce()
    await waitFor(() => expect(isLeaving('一樓火警')).toBe(true))
    await userEvent.click(screen.getByRole('button', { name: '通知' }))
    await waitFor(() => expect(isLeaving('二樓火警')).toBe(true))
    notices.urgent(() => '三樓火警', { place: 'one' })
    notices.error(() => '更新失敗')
    expect(await screen.findByText('更新失敗')).toBeTruthy()
    expect(screen.queryByText('三樓火警')).toBeNull()
  })

  it('removes an urgent notification once it is obsolete, but not its replacement', async () => {
    at('/nowhere')
    await menu()
    let end = () => {}
    const stop = vi.fn<() => void>()
    const endsBy = (given: () => void) => {
      end = given
      return stop
    }
    notices.urgent(() => '一樓火警', { place: 'one', endsBy })
    await screen.findByText('一樓火警')
    expect(stop).not.toHaveBeenCalled()
    end()
    await waitFor(() => expect(isLeaving('一樓火警')).toBe(true))
    expect(stop).toHaveBeenCalledOnce()
    notices.urgent(() => '二樓火警', { place: 'two', endsBy })
    notices.urgent(() => '三樓火警', { place: 'two' })
    await screen.findByText('三樓火警')
    expect(stop).toHaveBeenCalledTimes(2)
  })

  it('keeps an error until it is closed, with a button to copy it', async () => {
    at('/nowhere')
    await menu()
    notices.error(() => '更新失敗', 'req-8')
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toContain('req-8')
    expect(within(alert).getByRole('button', { name: /複\s*製/ })).toBeTruthy()
  })

  it('offers a retry if the first load fails', async () => {
    at('/nowhere', owner, rejectCall(homeResource.operations.list, 'INTERNAL'))
    const again = await screen.findByRole('button', { name: /重\s*試/ })
    expect(screen.queryByRole('navigation')).toBeNull()
    server.use(answers(homeResource.operations.list, [home('h1', '內湖總部')]))
    await userEvent.click(again)
    await menu()
  })

  it('has no serious accessibility violation', async () => {
    const { container } = at('/nowhere')
    await menu()
    const { violations } = await axe.run(container, { rules: { 'color-contrast': { enabled: false } } })
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  })
})

describe('the first page', () => {
  it('is the first of the menu without the right to see the dashboard', async () => {
    at('/', reading('room', 'user'))
    await waitFor(() => expect(location.pathname).toMatch(/^\/Rooms\/h\d$/))
  })

  const preferring = (StartPage: StartPage | null) =>
    answers(personal.getPersonalConfig, { ...DEFAULT_PERSONAL_CONFIG, StartPage })

  it('is the one that the user chose, of the current home', async () => {
    at('/', owner, preferring('Alarm'))
    await waitFor(() => expect(location.pathname).toMatch(/^\/Alarm\/h\d$/))
  })

  it('is the dashboard if the chosen one is no longer permitted', async () => {
    at('/', reading('dashboard'), preferring('Alarm'))
    expect(await screen.findByRole('heading', { level: 1, name: '儀表板' })).toBeTruthy()
    expect(location.pathname).toBe('/')
  })

  it('leaves the dashboard at its own address', async () => {
    at('/Dashboard', owner, preferring('Alarm'))
    expect(await screen.findByRole('heading', { level: 1, name: '儀表板' })).toBeTruthy()
    expect(location.pathname).toBe('/Dashboard')
  })

  it('is the dashboard if the settings cannot be loaded', async () => {
    at('/', owner, rejectCall(personal.getPersonalConfig, 'INTERNAL'))
    expect(await screen.findByRole('heading', { level: 1, name: '儀表板' })).toBeTruthy()
  })

  it('is that of visitors for a front desk without the dashboard', async () => {
    const desk = subUser([{ FeatureKey: 'access_control_visitor', OperationList: ['Read', 'Create'] }])
    at('/', desk, preferring(null))
    await waitFor(() => expect(location.pathname).toBe('/AccessControl'))
  })

  it('names the missing right if no page is permitted, without a dead link', async () => {
    at('/', subUser([]), answers(homeResource.operations.list, []))
    expect(await screen.findByRole('heading', { name: '沒有存取權限' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '回首頁' })).toBeNull()
    expect(location.pathname).toBe('/')
  })
})

describe('an unknown address', () => {
  it.each([
    ['/DeviceCategory/h1/Toaster', '沒有這個裝置分類。'],
    ['/RoomDevice/h1/77', '此房間不存在，或已被刪除。'],
    ['/Rooms/h9', '此場域不存在，或已被刪除。'],
    ['/no/such/page', '此網址沒有對應的頁面'],
  ])('%s says so, and names no other place', async (path, text) => {
    at(path)
    expect(await screen.findByText(new RegExp(text))).toBeTruthy()
    // The page header updates after the page itself.
    await waitFor(() => expect(screen.queryByRole('navigation', { name: '所在位置' })).toBeNull())
    expect(document.title).toMatch(/^找不到頁面/)
  })
})
