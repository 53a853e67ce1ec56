import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ResultsOf } from '../../../../../contract/kernel/define-endpoint.ts'
import { alarms, maintenances } from '../../../../../contract/alarms/calls.ts'
import { attention } from '../../../../../contract/attention/calls.ts'
import { deviceEvents } from '../../../../../contract/devices/event-calls.ts'
import { bills } from '../../../../../contract/tariffs/bill-calls.ts'
import { findings } from '../../../../../contract/findings/calls.ts'
import { dashboard } from '../../../../../contract/dashboards/dashboard.ts'
import { tariff } from '../../../../../contract/tariffs/tariff.ts'
import { aSaving } from '../../../../support/a-finding.ts'
import { alarmPage } from '../../../../support/alarm-record.ts'
import { anAttention } from '../../../../support/an-attention.ts'
import { meterData } from '../../../../../contract/energy/meter-data-calls.ts'
import {
  DEFAULT_PERSONAL_CONFIG,
  personal,
  type PersonalConfig,
} from '../../../../../contract/people/personal-calls.ts'
import { home as homeResource, type HomeWithRooms } from '../../../../../contract/homes/home.ts'
import { peripheral } from '../../../../../contract/devices/peripheral.ts'
import { dayOf, startOfDay, startsBetween } from '../../../../../contract/time/periods.ts'
import { PERMISSION_TEMPLATES } from '../../../../../contract/people/permission-templates.ts'
import { screens } from '../../../../../src/screens.ts'
import { setScreens } from '../../../../../src/shell/offered-pages.ts'
import Dashboard from '../../../../../src/custom-views/dashboard/dashboard.tsx'
import { callQuery, queryClient } from '../../../../../src/data/api.ts'
import { putPersonalConfig } from '../../../../../src/data/personal.ts'
import { loadNamespaces } from '../../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../../src/data/status-store.ts'
import { me } from '../../../../../src/data/session.ts'
import {
  answers,
  neverAnswers,
  requests,
  owner,
  rejectCall,
  server,
  signInAs,
  subUser,
} from '../../../../support/msw.ts'
import { point } from '../../../domain/energy/points.ts'
import { device, hub } from '../devices.ts'
import { sentTo } from '../../../support/page.tsx'
import { pagesAt } from '../../../../support/pages-at.tsx'

// jsdom has no canvas: drawing is tested as functions, and in a real browser.
vi.mock('../../../../../src/ui/chart/plot.ts', () => ({
  createPlot: () => ({ draw() {}, restyle() {}, resize() {}, point: () => 0, destroy() {} }),
}))
vi.mock('../../../../../src/ui/chart/donut.tsx', () => ({
  default: ({ slices }: { slices: readonly { name: string }[] }) => (
    <i data-testid="donut">{slices.map(({ name }) => name).join()}</i>
  ),
}))
const phone = vi.hoisted(() => ({ is: false }))
vi.mock('../../../../../src/ui/page/use-screen.ts', () => ({ usePhone: () => phone.is }))
vi.stubGlobal(
  'IntersectionObserver',
  class {
    private readonly tell: (entries: { isIntersecting: boolean }[]) => void
    constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
      this.tell = tell
    }
    observe() {
      this.tell([{ isIntersecting: true }])
    }
    disconnect() {}
  },
)
const ZONE = 'Asia/Taipei'
const home = (HomeID: string, HomeName: string): HomeWithRooms => ({
  HomeID,
  HomeName,
  TimeZone: ZONE,
  ThreadNetworkKey: null,
  Latitude: null,
  Longitude: null,
  RoomList: [],
})
const office = home('h1', '總部')
const plant = home('h2', '工廠')

const today = () => startOfDay(dayOf(Date.now(), ZONE), ZONE)
const just = () => ({ Timestamp: Date.now(), updateAt: Date.now() })
const yesterday = () => startOfDay(dayOf(Date.now(), ZONE) - 1, ZONE)
const daily = (HomeID: string, kWh: number) => ({
  HomeID,
  Days: [point(yesterday(), kWh * 2), point(today(), kWh)],
  Meters: { Reporting: 1, Total: 2 },
  Carbon: [],
})

interface Asked {
  HomeID: string
  From: number
  To: number
  Resolution: 'quarter' | 'hour' | 'day' | 'month'
  By: 'home' | 'meter' | 'use'
}
const KEYS = { home: [''], meter: ['m1', 'm2'], use: ['airConditioning', 'untracked'] }
const series = (body: unknown) => {
  const { From, To, Resolution, By } = body as Asked
  return {
    Series: KEYS[By].map((Key, i) => ({
      Key,
      Points: startsBetween(Resolution, From, To, ZONE).map((at) => point(at, 3 - i)),
    })),
    Meters: { Reporting: 2, Total: 2 },
    Carbon: [],
  }
}
const demand = (
  HomeID: string,
  Limit: number | null,
  Forecast: number | null,
): ResultsOf<typeof bills.listDemand>[0] => ({
  ...{ HomeID, Limit, Forecast, Rolling: Forecast, Band: null, Reporting: 1, Meters: 1 },
})
const energyCalls: readonly string[] = [
  bills.listDemand,
  meterData.getDailySummationData,
  meterData.getEnergySeries,
  meterData.getCompanyEnergy,
  meterData.getAllMeterData,
  findings.getSaving,
].map(({ path }) => path)
const askedOf = (path: string) => requests.filter((one) => one.path === path)

let config: PersonalConfig
function open(homes: HomeWithRooms[] = [office], search = '') {
  server.use(answers(homeResource.operations.list, homes))
  const { history, pages } = pagesAt([{ path: '*', element: <Dashboard /> }], `/Dashboard${search}`)
  render(<QueryClientProvider client={queryClient}>{pages}</QueryClientProvider>)
  return {
    user: userEvent.setup(),
    address: () => history.location.search,
    path: () => history.location.pathname,
  }
}
const card = async (name: string) => within(await screen.findByRole('region', { name }))
const titles = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

beforeAll(async () => {
  await loadNamespaces(['dashboard', 'cards', 'charts', 'energy'])
  await import('../../../../../src/custom-views/dashboard/cards/card.tsx')
})
beforeEach(() => {
  queryClient.clear()
  statuses.clear()
  requests.length = 0
  signInAs(owner)
  me.set(owner)
  config = DEFAULT_PERSONAL_CONFIG
  server.use(
    answers(personal.getPersonalConfig, () => config),
    answers(personal.updatePersonalConfig, (body) => (config = { ...config, ...(body as object) })),
    answers(peripheral.operations.list, (body) =>
      (body as { HomeID: string }).HomeID === 'h1'
        ? {
            Things: [hub('on', true), hub('off', false)],
            Peripherals: [
              device('m1', '514', { PeripheralName: '空調主機' }),
              device('m2', '514', { PeripheralName: '照明迴路' }),
              device('smoke', '756', { PeripheralName: '機房偵煙器' }),
              device('door', '755', { PeripheralName: '大門' }),
            ],
            Statuses: [
              { PeripheralUID: 'smoke', PeripheralType: '756', SmokeState: 2, ...just() },
              { PeripheralUID: 'door', PeripheralType: '755', DoorState: 2, ...just() },
            ],
          }
        : { Things: [], Peripherals: [], Statuses: [] },
    ),
    answers(meterData.getDailySummationData, [daily('h1', 10), daily('h2', 5)]),
    answers(meterData.getEnergySeries, series),
    answers(findings.getSaving, aSaving({ State: 'none', Amount: null, Low: null, High: null, Top: [] })),
    answers(tariff.operations.list, []),
    neverAnswers(meterData.getAllMeterData),
    answers(bills.listDemand, []),
    answers(attention.listAttention, anAttention()),
    answers(deviceEvents.listLastChange, []),
    answers(alarms.listAlarm, alarmPage([])),
    answers(maintenances.listMaintenance, []),
    answers(dashboard.operations.list, []),
  )
})

describe('the cards below the first view', () => {
  it('show today, this month, yesterday, and the number of reporting meters', async () => {
    open([office, plant])
    const usage = await card('今天與本月')
    expect((await usage.findAllByText('15.0')).length).toBeGreaterThan(0)
    expect(usage.getByText('至目前為止；昨天全天 30.0 kWh')).toBeTruthy()
    expect(usage.getByText('4 個電表中有 2 個在回報週期內有讀數')).toBeTruthy()
    expect(usage.getByRole('link', { name: '工廠' }).getAttribute('href')).toBe('/electricity/h2?range=month')
  })

  it('show missing data for today, yesterday, each site and each device', async () => {
    // Not in the first hour of a month, most of which may still be missing.
    vi.setSystemTime('2026-03-18T12:00:00+08:00')
    onTestFinished(() => void vi.useRealTimers())
    const half = { Measured: 200, Between: 0, Estimated: 0, Corrected: 0, Missing: 200, Withheld: 0 }
    server.use(
      answers(meterData.getDailySummationData, [
        {
          ...daily('h1', 10),
          Days: [point(yesterday(), 20, { Coverage: half }), point(today(), 10, { Coverage: half })],
        },
        daily('h2', 5),
      ]),
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = series(body)
        const of = (Key: string, points: (typeof Series)[number]['Points']) =>
          Key === 'm2' ? points.map((one) => ({ ...one, Coverage: half })) : points
        return { Series: Series.map(({ Key, Points }) => ({ Key, Points: of(Key, Points) })), ...rest }
      }),
    )
    open([office, plant])
    const usage = await card('今天與本月')
    expect(await usage.findByText('昨天缺少部分資料')).toBeTruthy()
    const [site, other] = usage.getAllByRole('listitem')
    expect(site?.textContent).toMatch(/^總部缺漏 50\.0% 的資料/)
    expect(other?.textContent).toMatch(/^工廠今天/)
    const ranking = await card('本月用電排行')
    expect((await ranking.findByRole('link', { name: /照明迴路/ })).textContent).toContain(
      '缺漏 50.0% 的資料',
    )
    expect(ranking.getByRole('link', { name: /空調主機/ }).textContent).not.toContain('缺少')
  })

  it('compare the hours of today with those of yesterday, in one call', async () => {
    open()
    const day = await card('今天與昨天逐時用電')
    expect(await day.findByRole('figure', { name: '總部今天與昨天的逐時用電量' })).toBeTruthy()
    const hours = askedOf(meterData.getEnergySeries.path).filter(
      ({ body }) => (body as Asked).Resolution === 'hour',
    )
    expect(hours.map(({ body }) => body)).toEqual([
      { HomeID: 'h1', From: yesterday(), To: today() + 86_400_000, Resolution: 'hour', By: 'home' },
    ])
    expect(day.getByRole('link', { name: '今天與昨天逐時用電' }).getAttribute('href')).toBe(
      '/electricity/h1?range=today&compare=previous',
    )
  })

  it('rank the devices of the month, each with a link to its energy', async () => {
    open()
    const ranking = await card('本月用電排行')
    const link = await ranking.findByRole('link', { name: /空調主機\s*3\.00\s*kWh\s*60\.0%/ })
    expect(link.getAttribute('href')).toBe('/electricity/h1?range=month&meters=m1')
  })

  it('name the energy that no sub-meter measured if its data is missing', async () => {
    vi.setSystemTime('2026-03-18T12:00:00+08:00')
    onTestFinished(() => void vi.useRealTimers())
    const missing = { Measured: 0, Between: 0, Estimated: 0, Corrected: 0, Missing: 400, Withheld: 0 }
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = series(body)
        const untracked = {
          Key: 'untracked',
          Points: [point((body as Asked).From, null, { Coverage: missing })],
        }
        return { Series: (body as Asked).By === 'meter' ? [...Series, untracked] : Series, ...rest }
      }),
    )
    open()
    expect(await (await card('本月用電排行')).findByText('本月沒有資料，未列入排名：未分項用電')).toBeTruthy()
  })

  it('request no devices without the right to see them', async () => {
    me.set(
      subUser([
        { FeatureKey: 'dashboard', OperationList: ['Read'] },
        { FeatureKey: 'electricity', OperationList: ['Read'] },
      ]),
    )
    open([office, plant])
    // By id, as the names are unknown.
    expect(await (await card('本月用電排行')).findAllByText('m1')).toHaveLength(2)
    expect(askedOf(peripheral.operations.list.path)).toEqual([])
  })

  it('call no meter removed because another page has loaded the meters of one home', async () => {
    queryClient.setQueryData(callQuery(meterData.getAllMeterData, { HomeID: 'h1' }).queryKey, [])
    open([office, plant])
    const ranking = await card('本月用電排行')
    await ranking.findByText('空調主機')
    expect(ranking.queryByText(/已移除/)).toBeNull()
  })

  it('divide the month by use, as a ring and in numbers', async () => {
    open()
    const split = await card('本月各用途用電')
    expect(await split.findByTestId('donut')).toBeTruthy()
    expect(split.getByText('空調')).toBeTruthy()
    expect(split.getByText('60.0%')).toBeTruthy()
    expect(split.getByRole('link', { name: '本月各用途用電' }).getAttribute('href')).toBe(
      '/electricity/h1?range=month&by=use',
    )
    expect(split.getByText('未分項用電')).toBeTruthy()
  })

  it.each([
    ['other', 'unknown'],
    ['unknown', 'untracked'],
  ])('hide the uses if most energy is %s or %s', async (...vague) => {
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = series(body)
        if ((body as Asked).By !== 'use') return { Series, ...rest }
        const points = (kWh: number) => [point((body as Asked).From, kWh)]
        const parts = { lighting: 4.9, [vague[0]]: 3, [vague[1]]: 2.1 }
        return { Series: Object.entries(parts).map(([Key, kWh]) => ({ Key, Points: points(kWh) })), ...rest }
      }),
    )
    open()
    await waitFor(() =>
      expect(askedOf(meterData.getEnergySeries.path).some(({ body }) => (body as Asked).By === 'use')).toBe(
        true,
      ),
    )
    await waitFor(() => expect(screen.queryByRole('region', { name: '本月各用途用電' })).toBeNull())
    expect(screen.getByRole('region', { name: '本月用電排行' })).toBeTruthy()
  })

  it('list the offline hubs', async () => {
    open()
    const hubs = await card('閘道器')
    expect(await hubs.findByText('2 個中有 1 個上線')).toBeTruthy()
    expect(hubs.getByRole('link', { name: '閘道器 off' })).toBeTruthy()
  })

  it('are about all sites together: hours, uses, and devices with their site', async () => {
    vi.setSystemTime('2026-03-18T12:00:00+08:00')
    onTestFinished(() => void vi.useRealTimers())
    server.use(
      answers(meterData.getCompanyEnergy, {
        Points: startsBetween('quarter', today() - 2 * 86_400_000, today() + 86_400_000, ZONE).map((at) =>
          point(at, at < Date.now() ? 0.5 : null),
        ),
        ...{ Homes: 2, Meters: { Reporting: 2, Total: 3 } },
      }),
    )
    open([office, plant])
    const day = await card('今天與昨天逐時用電')
    expect(await day.findByRole('figure', { name: '全公司今天與昨天的逐時用電量' })).toBeTruthy()
    // 48 quarter hours of half a kWh.
    expect(day.getByText('24.0')).toBeTruthy()
    expect(day.getByText('3 個電表中有 2 個在回報週期內有讀數')).toBeTruthy()
    const uses = await card('本月各用途用電')
    // Both sites use 3 kWh for air conditioning.
    expect((await uses.findByText('空調')).closest('li')?.textContent).toMatch(/空調\s*6\.00\s*kWh\s*60\.0%/)
    const ranking = await card('本月用電排行')
    const rows = () => ranking.getAllByRole('link').map((link) => link.textContent)
    await waitFor(() => expect(rows()[0]).toMatch(/^空調主機總部3\.00\s*kWh30\.0%$/))
    expect(rows()[1]).toMatch(/工廠3\.00/)
    expect(screen.queryByRole('combobox', { name: '場域' })).toBeNull()
  })

  it('say which sites failed to load, and show the others', async () => {
    const failsForPlant = http.post(`*${meterData.getEnergySeries.path}`, async ({ request }) => {
      const { HomeID } = (await request.clone().json()) as Asked
      return HomeID === 'h2' ? HttpResponse.error() : undefined
    })
    server.use(failsForPlant)
    open([office, plant])
    const ranking = await card('本月用電排行')
    expect(await ranking.findByText('2 個場域中只載入 1 個')).toBeTruthy()
    expect(ranking.getByRole('link', { name: /空調主機/ })).toBeTruthy()
  })

  it('fail independently, and retry', async () => {
    server.use(rejectCall(meterData.getDailySummationData, 'INTERNAL'))
    const { user } = open()
    const usage = await card('今天與本月')
    expect(await usage.findByText('無法載入此卡片')).toBeTruthy()
    expect(await (await card('本月用電排行')).findByText('空調主機')).toBeTruthy()
    server.use(answers(meterData.getDailySummationData, [daily('h1', 10)]))
    await user.click(usage.getByRole('button', { name: /^重\s?試$/ }))
    expect(await usage.findByText('至目前為止；昨天全天 20.0 kWh')).toBeTruthy()
  })

  it('say what to do if a home has no meters, or none has reported', async () => {
    server.use(
      answers(meterData.getDailySummationData, [
        { HomeID: 'h1', Days: [point(today(), null)], Meters: { Reporting: 0, Total: 0 }, Carbon: [] },
      ]),
      answers(meterData.getEnergySeries, { Series: [], Meters: { Reporting: 0, Total: 3 }, Carbon: [] }),
    )
    open()
    const usage = await card('今天與本月')
    expect((await usage.findByRole('link', { name: '新增裝置' })).getAttribute('href')).toBe('/addDevice/h1')
    expect(await (await card('今天與昨天逐時用電')).findByText(/還沒有讀數/)).toBeTruthy()
  })

  it('are hidden and send no call without the right to read electricity', async () => {
    me.set(
      subUser([
        { FeatureKey: 'dashboard', OperationList: ['Read'] },
        { FeatureKey: 'device', OperationList: ['Read'] },
      ]),
    )
    const { user } = open()
    await card('閘道器')
    expect(screen.queryByRole('region', { name: '今天與本月' })).toBeNull()
    await user.click(screen.getByRole('button', { name: '編排卡片' }))
    expect(await screen.findByRole('switch', { name: '顯示「閘道器」' })).toBeTruthy()
    expect(screen.queryByRole('switch', { name: '顯示「今天與本月」' })).toBeNull()
    expect(requests.filter(({ path }) => energyCalls.includes(path))).toEqual([])
  })
})

describe('arranging the dashboard', () => {
  const arrange = async (user: ReturnType<typeof userEvent.setup>) => {
    await user.click(await screen.findByRole('button', { name: '編排卡片' }))
    await screen.findByRole('heading', { name: '編排儀表板' })
  }

  it('moves a card by keyboard, announces its position, and saves it as the personal setting', async () => {
    const { user } = open()
    await card('閘道器')
    await arrange(user)
    screen.getByRole('button', { name: '「閘道器」上移' }).focus()
    await user.keyboard('{Enter}{Enter}')
    expect(screen.getByText('「閘道器」已移至第 3 個，共 5 個')).toBeTruthy()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('「閘道器」上移')
    await user.click(screen.getByRole('button', { name: /^完\s?成$/ }))
    await waitFor(() => expect(screen.queryByRole('heading', { name: '編排儀表板' })).toBeNull())
    expect(JSON.parse(config.CustomDashboard)).toEqual({
      order: ['usage', 'day', 'hubs', 'ranking', 'categories'],
      hidden: [],
    })
    expect(titles().slice(-3)).toEqual(['閘道器', '本月用電排行', '本月各用途用電'])
  })

  it('hides a card at once, and restores it on cancel', async () => {
    const { user } = open()
    await card('閘道器')
    await arrange(user)
    await user.click(screen.getByRole('switch', { name: '顯示「閘道器」' }))
    expect(screen.queryByRole('region', { name: '閘道器' })).toBeNull()
    await user.click(screen.getByRole('button', { name: /^取\s?消$/ }))
    expect(await screen.findByRole('region', { name: '閘道器' })).toBeTruthy()
    expect(askedOf(personal.updatePersonalConfig.path)).toEqual([])
  })

  it('says that another window has arranged the cards, and overwrites only after confirmation', async () => {
    const { user } = open()
    await card('閘道器')
    await arrange(user)
    await user.click(screen.getByRole('switch', { name: '顯示「閘道器」' }))
    act(() => putPersonalConfig({ ...config, CustomDashboard: '{"order":[],"hidden":["usage"]}' }))
    expect(await screen.findByText('另一個視窗剛變更了卡片的編排。')).toBeTruthy()
    expect(screen.getByRole('button', { name: /^完\s?成$/ })).toHaveProperty('disabled', true)
    await user.click(screen.getByRole('button', { name: '保留目前的編排' }))
    await user.click(screen.getByRole('button', { name: /^完\s?成$/ }))
    await waitFor(() =>
      expect(askedOf(personal.updatePersonalConfig.path).map(({ body }) => body)).toEqual([
        expect.objectContaining({ Seen: { CustomDashboard: '{"order":[],"hidden":["usage"]}' } }),
      ]),
    )
    expect(JSON.parse(config.CustomDashboard)).toMatchObject({ hidden: ['hubs'] })
  })

  it('follows another window while nothing was moved here', async () => {
    const { user } = open()
    await card('閘道器')
    await arrange(user)
    act(() => putPersonalConfig({ ...config, CustomDashboard: '{"order":[],"hidden":["hubs"]}' }))
    await waitFor(() =>
      expect(screen.getByRole('switch', { name: '顯示「閘道器」' }).getAttribute('aria-checked')).toBe(
        'false',
      ),
    )
    expect(screen.queryByText('另一個視窗剛變更了卡片的編排。')).toBeNull()
  })

  it('restores the default arrangement', async () => {
    config = { ...config, CustomDashboard: '{"order":["hubs"],"hidden":["usage","day"]}' }
    const { user } = open()
    await card('閘道器')
    await waitFor(() => expect(screen.queryByRole('region', { name: '今天與本月' })).toBeNull())
    // A hidden card requests nothing.
    expect(sentTo(meterData.getEnergySeries)).not.toContainEqual(
      expect.objectContaining({ Resolution: 'hour' }),
    )
    await arrange(user)
    await user.click(screen.getByRole('button', { name: '還原預設' }))
    await user.click(screen.getByRole('button', { name: /^完\s?成$/ }))
    await waitFor(() => expect(config.CustomDashboard).toBe('DEFAULT'))
    expect(await screen.findByRole('region', { name: '今天與本月' })).toBeTruthy()
  })
})

describe('the key figures', () => {
  const figures = async () => within(await screen.findByRole('list', { name: '全公司重點數字' }))

  it('are of all sites: cost and energy of the month, the demand nearest to its contract, saving and open items', async () => {
    vi.setSystemTime('2026-03-18T12:00:00+08:00')
    onTestFinished(() => void vi.useRealTimers())
    server.use(
      answers(meterData.getDailySummationData, [daily('h1', 10), daily('h2', 5)]),
      answers(bills.listDemand, [demand('h1', 200, 20), demand('h2', 100, 97)]),
      answers(findings.getSaving, aSaving({ Amount: 21_400 })),
    )
    open([office, plant])
    const row = await figures()
    expect(await row.findByText('45.0 kWh')).toBeTruthy()
    expect(row.getByText('97%').closest('li')?.getAttribute('data-level')).toBe('warning')
    expect(row.getByText('工廠 · 本 15 分鐘預測')).toBeTruthy()
    expect(await row.findByText('約 NT$ 21,000')).toBeTruthy()
    expect(row.getByText('本月流動電費').closest('li')?.textContent).toMatch(/NT\$ \d/)
    expect(row.getByText('待處理').closest('a')?.getAttribute('href')).toContain('all=1')
  })

  it('say "at least" while data of the month is missing, and why a figure is unknown', async () => {
    vi.setSystemTime('2026-03-18T12:00:00+08:00')
    onTestFinished(() => void vi.useRealTimers())
    const half = { Measured: 200, Between: 0, Estimated: 0, Corrected: 0, Missing: 200, Withheld: 0 }
    server.use(
      answers(meterData.getDailySummationData, [
        { ...daily('h1', 10), Days: [point(today(), 10, { Coverage: half })] },
      ]),
      answers(
        findings.getSaving,
        aSaving({ State: 'tooLittle', Amount: null, Low: null, High: null, Top: [] }),
      ),
    )
    open()
    const row = await figures()
    expect((await row.findByText('10.0 kWh')).closest('li')?.textContent).toContain('至少')
    expect(row.getByText('未設定契約容量')).toBeTruthy()
    expect(await row.findByText('資料不足')).toBeTruthy()
  })
})

describe('a key figure', () => {
  const figure = async (label: string) => {
    const row = within(await screen.findByRole('list', { name: '全公司重點數字' }))
    return () => row.getByText(label).closest('li')?.textContent
  }

  it('that could not be loaded says so, instead of another reason', async () => {
    server.use(
      rejectCall(meterData.getDailySummationData, 'INTERNAL'),
      rejectCall(bills.listDemand, 'INTERNAL'),
      rejectCall(findings.getSaving, 'INTERNAL'),
    )
    open()
    for (const label of ['本月流動電費', '本月用電', '需量／契約容量', '每月可節省']) {
      const text = await figure(label)
      await waitFor(() => expect(text()).toBe(`${label}–無法載入`))
    }
  })

  it('of the demand is unknown while main meters of a site with a contract are silent', async () => {
    server.use(answers(bills.listDemand, [{ ...demand('h1', 200, 20), Reporting: 1, Meters: 3 }]))
    open()
    const text = await figure('需量／契約容量')
    await waitFor(() => expect(text()).toBe('需量／契約容量–部分主電表未回報'))
  })

  it('of the cost is "at least" if some energy has no tariff', async () => {
    vi.setSystemTime('2026-03-18T12:00:00+08:00')
    onTestFinished(() => void vi.useRealTimers())
    server.use(
      answers(meterData.getDailySummationData, [
        { ...daily('h1', 10), Days: [point(today(), 10), point(yesterday(), 5, { Cost: null })] },
      ]),
    )
    open()
    const text = await figure('本月流動電費')
    await waitFor(() => expect(text()).toBe('本月流動電費NT$ 20至少；部分用電沒有電價'))
  })
})

describe('the fixed cards', () => {
  it('show the power of all sites in one answer, and of a site by the address', async () => {
    server.use(answers(bills.listDemand, [demand('h1', 200, 20), demand('h2', 100, 97)]))
    server.use(
      answers(meterData.getCompanyEnergy, { Points: [], Homes: 2, Meters: { Reporting: 0, Total: 2 } }),
    )
    const { user, address } = open([office, plant])
    const all = await card('用電功率')
    // Penalties apply per contract.
    expect(all.queryByText(/契約/)).toBeNull()
    // One response, however many sites and cards there are.
    await waitFor(() => expect(askedOf(meterData.getCompanyEnergy.path)).toHaveLength(1))
    expect(askedOf(meterData.getCompanyEnergy.path)[0]?.body).toEqual({
      From: today() - 2 * 86_400_000,
      To: today() + 86_400_000,
    })
    await user.click(all.getByText('工廠'))
    expect(address()).toBe('?power=h2')
    const power = await card('用電功率')
    expect(await power.findByText('購電需量（本時段預測）為契約容量 100 kW 的 97%')).toBeTruthy()
    expect(power.getByRole('link', { name: '用電功率' }).getAttribute('href')).toBe(
      '/electricity/h2?range=today',
    )
    await user.click(power.getByText('全公司'))
    expect(address()).toBe('')
  })

  it('keep the order of the sites while demands change', async () => {
    const near = (h1: number, h2: number) => {
      server.use(answers(bills.listDemand, [demand('h1', 100, h1), demand('h2', 100, h2)]))
      return act(() => queryClient.refetchQueries({ queryKey: [bills.listDemand.path] }))
    }
    await near(20, 97)
    open([office, plant], '?power=h2')
    await screen.findByText('購電需量（本時段預測）為契約容量 100 kW 的 97%')
    const power = await card('用電功率')
    const tabs = () =>
      power.getAllByRole('radio').map((tab) => (tab as HTMLInputElement).labels?.[0]?.textContent)
    expect(tabs()).toEqual(['全公司', '工廠', '總部'])
    await near(99, 30)
    await power.findByText('購電需量（本時段預測）為契約容量 100 kW 的 30%')
    expect(tabs()).toEqual(['全公司', '工廠', '總部'])
  })

  it('request the demand of all sites once', async () => {
    const many = Array.from({ length: 40 }, (_, i) => home(`s${i}`, `門市 ${i}`))
    server.use(
      answers(
        bills.listDemand,
        many.map(({ HomeID }) => demand(HomeID, 100, HomeID === 's37' ? 99 : 20)),
      ),
    )
    open(many, '?power=s37')
    const title = await screen.findByRole('link', { name: '用電功率' })
    expect(title.getAttribute('href')).toBe('/electricity/s37?range=today')
    await screen.findByText('購電需量（本時段預測）為契約容量 100 kW 的 99%')
    expect(askedOf(bills.listDemand.path)).toHaveLength(1)
  })

  it('show on a phone the power and its share of the contract capacity, without a curve', async () => {
    phone.is = true
    onTestFinished(() => void (phone.is = false))
    server.use(answers(bills.listDemand, [demand('h1', 200, 150)]))
    open([office])
    const power = await card('用電功率')
    expect(await power.findByText('預測購電需量 75%，契約 200 kW')).toBeTruthy()
    expect(power.queryByRole('figure')).toBeNull()
  })

  it('show power as "at least" and no share of the contract while some meters are silent', async () => {
    phone.is = true
    onTestFinished(() => void (phone.is = false))
    const partial = { ...demand('h1', 200, 150), Reporting: 3, Meters: 4 }
    server.use(
      answers(bills.listDemand, [partial]),
      answers(peripheral.operations.list, {
        Things: [hub('on', true)],
        Peripherals: ['m1', 'm2', 'm3', 'm4'].map((uid) => device(uid, '514')),
        Statuses: ['m1', 'm2', 'm3'].map((PeripheralUID) => ({
          ...{ PeripheralUID, PeripheralType: '514', Power: 3_700, ...just() },
        })),
      }),
    )
    open([office])
    const title = await screen.findByRole('link', { name: '用電功率' })
    const power = title.closest('section') as HTMLElement
    await waitFor(() => expect(power.textContent).toContain('至少11.10kW'))
    expect(power.textContent).toContain('4 個主電表中 3 個回報中')
    await waitFor(() =>
      expect(power.textContent).toContain('契約容量 200 kW，占比不明：4 個電表中只有 3 個有需量'),
    )
    expect(power.textContent).not.toContain('%')
  })

  it('are shown in every arrangement', async () => {
    config = {
      ...config,
      CustomDashboard: '{"order":[],"hidden":["usage","day","ranking","categories","hubs"]}',
    }
    open()
    expect(await screen.findByRole('region', { name: '待處理事項' })).toBeTruthy()
    expect(await card('用電功率')).toBeTruthy()
    expect(await card('每月可節省（估計）')).toBeTruthy()
    expect(screen.getByRole('article', { name: '總部' })).toBeTruthy()
    expect(screen.getByText('所有卡片都已隱藏。按「編排卡片」可再次顯示。')).toBeTruthy()
  })
})

describe('the offer of a start page', () => {
  const OFFER = '要在登入後先顯示「門禁管理」嗎？'
  const frontDesk = subUser([...PERMISSION_TEMPLATES.frontDesk])

  it('is made once to whom another page suits better', async () => {
    setScreens(screens)
    me.set(frontDesk)
    const { user } = open()
    const offer = within(await screen.findByRole('region', { name: OFFER }))
    await user.click(offer.getByRole('button', { name: '保留儀表板' }))
    await waitFor(() => expect(config.StartPage).toBe('Dashboard'))
    await waitFor(() => expect(screen.queryByRole('region', { name: OFFER })).toBeNull())
  })

  it('opens the page if it is accepted', async () => {
    setScreens(screens)
    me.set(frontDesk)
    const { user, path } = open()
    await user.click(
      within(await screen.findByRole('region', { name: OFFER })).getByRole('button', {
        name: '設為起始頁面',
      }),
    )
    await waitFor(() => expect(path()).toBe('/AccessControl'))
    expect(config.StartPage).toBe('AccessControl')
  })
})
