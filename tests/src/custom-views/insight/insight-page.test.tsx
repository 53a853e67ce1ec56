import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { insight, type PeriodForecast } from '../../../../contract/energy/insight-calls.ts'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import InsightPage from '../../../../src/custom-views/insight/insight-page.tsx'
import { changeInPercent } from '../../../../src/custom-views/insight/change-card.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, neverAnswers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'

type Change = ResultsOf<typeof insight.explainChange>

const meter = {
  PeripheralUID: 'a',
  HomeID: 'h1',
  LastUpdateTimestamp: null,
  HourlyKwh: null,
  DailyKwh: null,
  MonthlyKwh: null,
  AccumulatePower: null,
  AvgElectricCurrent: null,
  Power: null,
  PowerMeterUpdateFrequency: 60,
  IsCurrent: false,
}
const change: Change = {
  Now: { From: '2026-05-01', Through: '2026-05-31', kWh: 1_120, Amount: 5_600.5, Known: 1, Complete: 1 },
  Base: { From: '2026-04-01', Through: '2026-04-30', kWh: 1_000, Amount: 5_000, Known: 1, Complete: 1 },
  Against: 'previous',
  HasBalance: false,
  Rows: [
    { Kind: 'calendar', Key: '', State: null, kWh: 20, Amount: 100 },
    { Kind: 'line', Key: '1', State: 'changed', kWh: 130, Amount: 600.5 },
    { Kind: 'line', Key: '2', State: 'removed', kWh: -30, Amount: -150 },
    { Kind: 'prices', Key: '', State: null, kWh: 0, Amount: 50 },
  ],
  Weather: 'unknown',
}
const period: PeriodForecast = {
  From: '2026-06-01',
  Through: '2026-06-30',
  SoFarKwh: 400,
  DaysOver: 10,
  DaysKnown: 10,
  Refused: null,
  Forecast: {
    Method: 'rule',
    Kwh: { Low: 1_100, Mid: 1_200, High: 1_300 },
    Cost: { Low: 5_000, Mid: 5_500, High: 6_000 },
    Errors: { Rule: 0.04, Floor: 0.09 },
    Origins: 40,
  },
  Peak: { SoFarKw: 12, UpToKw: 15 },
  Days: Array.from({ length: 30 }, (_, i) => ({
    Date: `2026-06-${String(i + 1).padStart(2, '0')}`,
    Kwh: 40,
    IsForecast: i >= 10,
  })),
}

const yard = {
  PeripheralUID: 'yard',
  Field: 'Temperature',
  PeripheralName: '屋頂',
  PeripheralType: '753',
  Label: null,
}

/** Opens a part of the page; the explanation by default. */
const open = (search = '') => {
  const params = new URLSearchParams(search)
  if (!params.has('tab')) params.set('tab', 'change')
  return openPage(<InsightPage />, '/insight/:HomeID', `/insight/h1?${params}`)
}

beforeAll(() => loadNamespaces(['charts', 'energy', 'insight', 'tariff', 'devices', 'screens', 'lists']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [
      aHome({
        RoomList: [
          { HomeID: 'h1', RoomID: 1, RoomName: '機房', PeripheralList: [], ThingNameList: [] },
          { HomeID: 'h1', RoomID: 2, RoomName: '倉庫', PeripheralList: [], ThingNameList: [] },
        ],
      }),
    ]),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [aPeripheral({ PeripheralUID: 'a', PeripheralType: '514', PeripheralName: '總表' })],
      Statuses: [],
    }),
    answers(virtualMeter.operations.list, []),
    answers(meterData.getAllMeterData, [meter]),
    answers(insight.explainChange, change),
    answers(insight.getOutdoorSensor, { Sensor: null, Candidates: [yard] }),
    answers(insight.getForecast, { HasBalance: false, Month: period, Bill: period, Budget: null }),
  )
})

describe('the explanation of an energy change', () => {
  it('shows each step as a sentence with energy and money that add up to the last line', async () => {
    open()
    const table = await screen.findByRole('table')
    expect(within(table).getByRole('row', { name: /機房多用 130/ })?.textContent).toContain('+601')
    expect(within(table).getByRole('row', { name: /倉庫已移除/ })?.textContent).toContain('−150')
    expect(within(table).getByRole('row', { name: /總差額/ })?.textContent).toContain('+601')
    expect(screen.getByText('用電改變 +12.0%。')).toBeTruthy()
    expect(screen.getByText(/室外溫度資料不足/)).toBeTruthy()
  })

  it('draws the steps as a waterfall, the largest first, in the chosen unit', async () => {
    const { user, address } = open()
    const table = await screen.findByRole('table')
    const bars = () =>
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => {
          const { insetInlineStart, width } =
            row.querySelector<HTMLElement>('[aria-hidden] span + span')?.style ?? {}
          return [insetInlineStart, width].map((share) => Math.round(parseFloat(share ?? '') * 10) / 10)
        })
    // Cost: 600.5, −150, 100, 50, and the total of 600.5; the axis ends at 600.5.
    expect(bars()).toEqual([
      [0, 100],
      [75, 25],
      [75, 16.7],
      [91.7, 8.3],
      [0, 100],
    ])
    await user.click(screen.getByRole('radio', { name: 'kWh' }))
    expect(address()).toContain('unit=kwh')
    // Energy: 130, −30, 20, 0, and the total of 120; the axis ends at 130.
    expect(bars().slice(0, 3)).toEqual([
      [0, 100],
      [76.9, 23.1],
      [76.9, 15.4],
    ])
  })

  it('adds the smaller steps of a long list up to one, until all are shown', async () => {
    const line = (_: unknown, i: number) =>
      ({ Kind: 'line', Key: String(i), State: 'changed', kWh: 12 - i, Amount: 12 - i }) as const
    server.use(answers(insight.explainChange, { ...change, Rows: Array.from({ length: 12 }, line) }))
    const { user } = open()
    const rest = await screen.findByRole('row', { name: /其餘 2 個較小的原因/ })
    expect(rest.textContent).toContain('+3')
    await user.click(screen.getByRole('button', { name: '顯示全部 12 列' }))
    expect(screen.queryByText(/其餘/)).toBeNull()
  })

  it('shows purchased energy, flows and moved meters of a site with a balance', async () => {
    server.use(
      answers(insight.explainChange, {
        ...change,
        HasBalance: true,
        Rows: [
          { Kind: 'line', Key: '1', State: 'changed', kWh: 180, Amount: 900.5 },
          { Kind: 'line', Key: '1', State: 'moved', kWh: 40, Amount: 200 },
          { Kind: 'line', Key: '2', State: 'moved', kWh: -40, Amount: -200 },
          { Kind: 'flow', Key: 'generation', State: 'changed', kWh: -60, Amount: -300 },
        ],
      }),
    )
    open()
    const table = await screen.findByRole('table')
    for (const name of [/機房多用 180/, /電表移入機房/, /電表移出倉庫/, /發電增加，少購 60/])
      expect(within(table).getByRole('row', { name })).toBeTruthy()
    expect(screen.getByText('購電改變 +12.0%。')).toBeTruthy()
  })

  it('marks the outdoor temperature sensor', async () => {
    server.use(answers(insight.updateOutdoorSensor, { HomeID: 'h1', Sensor: null }))
    const { user } = open()
    await user.click(await screen.findByRole('combobox', { name: '室外溫度' }))
    await user.click(await screen.findByTitle('屋頂 · 溫度'))
    const { PeripheralUID, Field } = yard
    expect(sentTo(insight.updateOutdoorSensor)).toMatchObject([
      { HomeID: 'h1', Sensor: { PeripheralUID, Field }, Seen: null },
    ])
  })

  it('keeps the comparison in the address, and requests it', async () => {
    const { user, address } = open('?range=2026-05&against=lastYear&by=meter')
    await screen.findByRole('table')
    expect(sentTo(insight.explainChange).at(-1)).toMatchObject({
      HomeID: 'h1',
      Against: 'lastYear',
      By: 'meter',
    })
    await user.click(screen.getByRole('combobox', { name: '分項方式' }))
    await user.click(await screen.findByTitle('依房間'))
    expect(address()).toContain('by=room')
    expect(address()).toContain('range=2026-05')
  })

  it('shows no percentage if too little is known, and says why', async () => {
    server.use(
      answers(insight.explainChange, {
        ...change,
        Base: { ...(change.Base as NonNullable<Change['Base']>), Complete: 0.5 },
      }),
    )
    open()
    expect(await screen.findByText(/資料完整率不足 80%/)).toBeTruthy()
    expect(screen.queryByText(/用電改變/)).toBeNull()
  })

  it('says that no day has ended, or that no data is known', async () => {
    server.use(
      answers(insight.explainChange, {
        Now: null,
        Base: null,
        Against: 'previous',
        HasBalance: false,
        Rows: [],
        Weather: 'unknown',
      }),
    )
    open()
    expect(await screen.findByText(/尚無已結束的日子/)).toBeTruthy()
  })

  it('shows how much is computed, and which announced peak days its prices need', async () => {
    const PeakDays = { Year: 2026, Known: 12, Needed: 30 }
    const noPrice = { ...(change.Now as NonNullable<Change['Now']>), Amount: null }
    server.use(answers(insight.explainChange, { ...change, Now: noPrice, PeakDays, ComputedPercent: 43 }))
    open()
    expect(await screen.findByText('計算中（43%），完成後數字會改變。')).toBeTruthy()
    expect(screen.getByText(/2026 年的公告尖峰日目前輸入 12／30 天/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '輸入公告尖峰日' }).getAttribute('href')).toBe(
      '/tariff/h1?tab=rules',
    )
  })

  it('says that it compares with another period than requested', async () => {
    open('?against=lastYear')
    expect(await screen.findByText(/改與前一個月或前一週的相同星期別比較/)).toBeTruthy()
  })

  it('offers to retry after a failure', async () => {
    server.use(rejectCall(insight.explainChange, 'INTERNAL'))
    open()
    expect(await screen.findByRole('button', { name: /^重 ?試$/ })).toBeTruthy()
  })

  it('shows that it loads', () => {
    server.use(neverAnswers(insight.explainChange))
    open()
    expect(document.querySelector('[aria-busy="true"]')).not.toBeNull()
  })

  it('has a percentage depending on the completeness of both periods', () => {
    expect(changeInPercent({ kWh: 110, Complete: 1 }, { kWh: 100, Complete: 0.98 })).toEqual({
      share: 0.1,
      isExact: true,
    })
    expect(changeInPercent({ kWh: 50, Complete: 0.8 }, { kWh: 100, Complete: 1 })).toEqual({
      share: -0.5,
      isExact: false,
    })
    expect(changeInPercent({ kWh: 50, Complete: 0.79 }, { kWh: 100, Complete: 1 })).toBeUndefined()
    expect(changeInPercent({ kWh: 50, Complete: 1 }, { kWh: 0, Complete: 1 })).toBeUndefined()
  })
})

describe('the load profile', () => {
  it('is a table of 168 cells with the hours behind each', async () => {
    server.use(
      answers(insight.getLoadProfile, {
        From: '2026-05-01',
        Through: '2026-05-30',
        Summary: {
          MeanKw: 4,
          PeakKw: 8,
          LoadFactor: 0.5,
          BaseKw: 2,
          BaseShare: 0.5,
          KnownHours: 720,
          Hours: 720,
        },
        Week: Array.from({ length: 168 }, (_, i) =>
          i === 5 ? { MeanKw: null, Hours: 0 } : { MeanKw: i, Hours: 4 },
        ),
        Classes: [],
        Duration: [],
      }),
    )
    open('?tab=profile')
    const table = await screen.findByRole('table')
    expect(within(table).getAllByRole('cell')).toHaveLength(168)
    expect(within(table).getAllByRole('cell')[1]?.textContent).toContain('24')
    expect(within(table).getAllByRole('cell')[1]?.textContent).toContain('依 4 小時')
    expect(within(table).getAllByRole('rowheader')).toHaveLength(24)
    expect(screen.getByText('負載因數').nextElementSibling?.textContent).toContain('50.0%')
  })

  it('shows kinds of days with their figures, and a duration curve, by the address', async () => {
    const hours = Array.from({ length: 24 }, (_, i) => i)
    const summary = {
      MeanKw: 4,
      PeakKw: 8,
      LoadFactor: 0.5,
      BaseKw: 2,
      BaseShare: 0.5,
      KnownHours: 720,
      Hours: 720,
    }
    const profile = {
      From: '2026-05-01',
      Through: '2026-05-30',
      Summary: summary,
      Week: [],
      Classes: [],
      Duration: [],
    }
    server.use(
      answers(insight.getLoadProfile, {
        ...profile,
        Classes: [{ Class: 'weekday', Days: 20, P10: hours, P50: hours, P90: hours }],
      }),
    )
    const { user, address } = open('?tab=profile&shape=class')
    expect(await screen.findByRole('heading', { name: '平日（20 天）' })).toBeTruthy()
    server.use(
      answers(insight.getLoadProfile, {
        ...profile,
        Duration: Array.from({ length: 101 }, (_, i) => ({ Share: i / 100, Kw: 100 - i })),
      }),
    )
    await user.click(screen.getByText('負載持續曲線'))
    expect(address()).toContain('shape=duration')
    expect((await screen.findByRole('row', { name: /^5% / })).textContent).toContain('95')
  })
})

describe('the forecast', () => {
  it('shows the expected value, its range, its method and its past error', async () => {
    open('?tab=forecast')
    expect(await screen.findByText('預測用電')).toBeTruthy()
    expect(screen.getByText(/^約 1,200 kWh（1,100–1,300）$/)).toBeTruthy()
    expect(screen.getByText(/最高可能達 15/)).toBeTruthy()
    expect(screen.getByText(/依各星期別/)).toBeTruthy()
    expect(screen.getByText(/依星期別 4\.0%，每日平均 9\.0%/)).toBeTruthy()
  })

  it('shows missing announced peak days for the expected bill, and how much is computed', async () => {
    const Bill = { ...period, Forecast: period.Forecast && { ...period.Forecast, Cost: null } }
    const PeakDays = { Year: 2026, Known: 12, Needed: 30 }
    server.use(
      answers(insight.getForecast, {
        ...{ HasBalance: false, Month: period, Bill, Budget: null },
        ...{ PeakDays, ComputedPercent: 43 },
      }),
    )
    open('?tab=forecast')
    expect(await screen.findByText(/2026 年的公告尖峰日目前輸入 12／30 天，.*無法預測電費/)).toBeTruthy()
    expect(screen.getByText('計算中（43%），完成後數字會改變。')).toBeTruthy()
  })

  it('shows which data is missing until when', async () => {
    const refused: PeriodForecast = {
      ...period,
      Forecast: null,
      Refused: { Reason: 'history', Have: 11, Needed: 28, EnoughOn: '2026-06-28' },
    }
    server.use(
      answers(insight.getForecast, { HasBalance: false, Month: refused, Bill: refused, Budget: null }),
    )
    open('?tab=forecast')
    expect(await screen.findByText(/目前有 11 天；最早 2026\/6\/28 起/)).toBeTruthy()
  })

  it('compares the forecast with the budget, and changes the budget', async () => {
    const budget = { Unit: 'TWD' as const, Period: 'bill' as const, Amount: 5_000 }
    server.use(
      answers(insight.getForecast, { HasBalance: false, Month: period, Bill: period, Budget: budget }),
      answers(insight.updateBudget, { HomeID: 'h1', Budget: { ...budget, Amount: 6_000 } }),
    )
    const { user } = open('?tab=forecast')
    expect(await screen.findByText(/110\.0%，超出 NT\$ 500/)).toBeTruthy()
    const amount = screen.getByLabelText('預算金額或用電量')
    await user.clear(amount)
    await user.type(amount, '6000')
    await user.click(screen.getByRole('button', { name: '設定預算' }))
    expect(sentTo(insight.updateBudget)).toMatchObject([
      { HomeID: 'h1', Budget: { ...budget, Amount: 6_000 }, Seen: budget },
    ])
  })

  it('rounds a forecast near the budget so that the comparison stays true, in its unit', async () => {
    const Forecast = { ...period.Forecast!, Kwh: { Low: 154_300, Mid: 154_810, High: 155_200 } }
    const Month = { ...period, SoFarKwh: 148_632, Forecast }
    const Budget = { Unit: 'kWh' as const, Period: 'month' as const, Amount: 154_000 }
    server.use(answers(insight.getForecast, { HasBalance: false, Month, Bill: Month, Budget }))
    open('?tab=forecast')
    expect(
      await screen.findByText('預測 154,800 kWh，為預算 154,000 kWh 的 100.5%，超出 800 kWh。'),
    ).toBeTruthy()
    expect(screen.getByText('約 154,800 kWh（154,300–155,200）')).toBeTruthy()
    expect(screen.getByText('148,632 kWh')).toBeTruthy()
  })

  it('shows the budget without the right to set it', async () => {
    prepareSession(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    open('?tab=forecast')
    expect(await screen.findByText('尚未設定預算。')).toBeTruthy()
    expect(screen.queryByRole('button', { name: '設定預算' })).toBeNull()
  })
})

it('links a home without meters to adding some', async () => {
  server.use(answers(meterData.getAllMeterData, []))
  open()
  expect(await screen.findByText(/還沒有電表/)).toBeTruthy()
})
