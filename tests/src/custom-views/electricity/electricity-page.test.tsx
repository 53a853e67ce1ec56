import { onlineManager } from '@tanstack/react-query'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { bills } from '../../../../contract/tariffs/bill-calls.ts'
import { homeTariff } from '../../../../contract/tariffs/home-tariff-calls.ts'
import { meterCorrections } from '../../../../contract/meters/correction-calls.ts'
import { meterData, type HistoryStatus } from '../../../../contract/energy/meter-data-calls.ts'
import { meterFacts } from '../../../../contract/meters/fact-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { virtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { home } from '../../../../contract/homes/home.ts'
import { dayOf, formatDay, startsBetween } from '../../../../contract/time/periods.ts'
import { prefetchQueries } from '../../../../src/custom-views/electricity/prefetch-queries.ts'
import ElectricityPage from '../../../../src/custom-views/electricity/electricity-page.tsx'
import { callKey, queryClient } from '../../../../src/data/api.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import type { ChartView } from '../../../../src/ui/chart/model.ts'
import { answers, neverAnswers, rejectCall, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, openPage, sentTo, ZONE } from '../../support/page.tsx'
import { point } from '../../domain/energy/points.ts'
import { onPhone } from '../../../support/on-phone.ts'
import { PATIENT } from '../../../support/patient.ts'

// jsdom has no canvas: drawing is tested as functions, and in a real browser.
const plot = vi.hoisted(() => ({ select: (_view: ChartView): void => undefined, shown: {} as ChartView }))
vi.mock('../../../../src/ui/chart/plot.ts', () => ({
  createPlot(_: unknown, { onSelect, view }: { onSelect: (view: ChartView) => void; view: ChartView }) {
    plot.select = onSelect
    plot.shown = view
    return {
      draw(_model: unknown, next: ChartView) {
        plot.shown = next
      },
      restyle() {},
      resize() {},
      point: () => 0,
      destroy() {},
    }
  },
}))
vi.mock('../../../../src/ui/chart/sankey.tsx', () => ({
  default: ({ nodes }: { nodes: readonly { key: string; label: string }[] }) =>
    nodes.map(({ key, label }) => <span key={key} title={label} />),
}))

const meter = (PeripheralUID: string, more: Partial<HistoryStatus> = {}): HistoryStatus => ({
  PeripheralUID,
  HomeID: 'h1',
  LastUpdateTimestamp: Date.now() - 60_000,
  HourlyKwh: 1,
  DailyKwh: 2,
  MonthlyKwh: 3,
  AccumulatePower: 1234,
  AvgElectricCurrent: 1,
  Power: 1500,
  PowerMeterUpdateFrequency: 900,
  IsCurrent: true,
  ...more,
})
const named = (PeripheralUID: string, PeripheralName: string, ParentMeter: string | null = null) =>
  aPeripheral({ PeripheralUID, PeripheralType: '514', PeripheralName, ParentMeter })

const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Asked {
  From: number
  To: number
  Resolution: 'hour' | 'day' | 'month'
  By: string
  PeripheralUIDs?: string[]
}
/** Two kWh in every period in total, one of each meter; NT$ 2 per kWh. */
function energy(body: unknown) {
  const { From, To, Resolution, By, PeripheralUIDs } = body as Asked
  const keys = By === 'meter' ? (PeripheralUIDs ?? ['a', 'b']) : ['']
  const starts = startsBetween(Resolution, From, To, ZONE)
  const each = By === 'meter' ? 1 : 2
  return {
    Series: keys.map((Key) => ({ Key, Points: starts.map((start) => point(start, each)) })),
    Meters: { Reporting: 1, Total: 2 },
    Carbon: [{ Year: 2025, Factor: 0.494, Source: 'constant' as const, Of: 2023 }],
  }
}

const demand: ResultsOf<typeof bills.getDemand> = {
  Rolling: 42.5,
  Forecast: 44,
  Band: 'peak',
  Limit: 80,
  Reporting: 1,
  Meters: 1,
  Month: '2025-10',
  Peaks: [{ Timestamp: 0, kW: 91, Band: 'peak', Limit: 80, Meters: [] }],
}

const open = (search = '?range=2025-10-01') =>
  openPage(<ElectricityPage />, '/electricity/:HomeID', `/electricity/h1${search}`)
const asked = () => sentTo(meterData.getEnergySeries) as Asked[]

afterEach(() => onlineManager.setOnline(true))
beforeAll(() => loadNamespaces(['balance', 'charts', 'electricity', 'energy']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(home.operations.list, [aHome()]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [named('a', '總表'), named('b', '空調', 'a')],
      Statuses: [],
    }),
    answers(meterData.getAllMeterData, [meter('a'), meter('b')]),
    answers(meterData.getEnergySeries, energy),
    answers(homeTariff.listHomeTariff, []),
    answers(meterCorrections.listQuarantinedReading, { Rows: [], Total: 0, NextCursor: null, Proposals: [] }),
    answers(virtualMeter.operations.list, []),
    answers(meterFacts.listEndedRoom, []),
    answers(meterFacts.listMeterFact, []),
    answers(bills.getDemand, demand),
    answers(homeTariff.listOffPeakDay, []),
  )
})

describe('the electricity page', () => {
  it("requests the hours of the home's day and shows their totals and the number of reporting meters", async () => {
    open()
    expect(await screen.findByText('48.0')).toBeTruthy()
    expect(screen.getByText('NT$ 96')).toBeTruthy()
    expect(screen.getByText('2 個電表中有 1 個在回報週期內有讀數')).toBeTruthy()
    expect(asked()).toContainEqual({
      HomeID: 'h1',
      From: Date.parse('2025-10-01T00:00:00+08:00'),
      To: Date.parse('2025-10-02T00:00:00+08:00'),
      Resolution: 'hour',
      By: 'home',
    })
  })

  describe('before it is drawn', () => {
    const prefetchedAt = async (search: string) => {
      history.replaceState(null, '', `/electricity/h1${search}`)
      await prefetchQueries(aHome())
      history.replaceState(null, '', '/')
      return asked().map((body) => JSON.stringify(body))
    }

    it.each(['', '?range=2025-10-01..2025-10-07&compare=previous&bars=hour&by=room'])(
      'prefetches the figures of "%s" with the same calls',
      async (search) => {
        const first = await prefetchedAt(search)
        expect(first).toHaveLength(2)
        queryClient.clear()
        open(search)
        await screen.findByRole('region', { name: '期間合計' })
        await waitFor(() => expect(queryClient.isFetching()).toBe(0))
        const all = asked().map((body) => JSON.stringify(body))
        expect(all.slice(first.length)).toEqual(expect.arrayContaining(first))
      },
    )

    it('does not prefetch for selected meters, which are not known yet', async () => {
      expect(await prefetchedAt('?meters=a')).toEqual([])
    })
  })

  it('keeps the choice of meters and of bars behind a button on a desktop', async () => {
    const { user } = open('?range=2025-10-01..2025-10-02&compare=off')
    await screen.findByText('96.0')
    expect(screen.queryByLabelText('選擇電表')).toBeNull()
    await user.click(screen.getByRole('button', { name: '篩選' }))
    const sheet = await screen.findByRole('dialog')
    expect(await within(sheet).findByRole('combobox', { name: '選擇電表' })).toBeTruthy()
    await user.click(within(sheet).getByRole('radio', { name: '每日' }))
    expect(await screen.findByRole('button', { name: '篩選 1' })).toBeTruthy()
  })

  it('names its emission factor and the source of that', async () => {
    open('?range=2025-10-01&measure=co2')
    expect(await screen.findByText('排碳係數 0.494 kg CO₂e／度（系統預設；2023 年度公告值）')).toBeTruthy()
  })

  it('shows totals as lower bounds while energy is being computed, without a comparison', async () => {
    server.use(answers(meterData.getEnergySeries, (body) => ({ ...energy(body), ComputedPercent: 40 })))
    open('?range=2025-10&compare=previous')
    expect(await screen.findByText('計算中（40%），實際用電至少為顯示的數字。')).toBeTruthy()
    expect(screen.getAllByText('至少')).toHaveLength(3)
    expect(screen.queryByText(/^[+−-]\d/)).toBeNull()
  })

  it('counts quarantined readings and links to them', async () => {
    server.use(
      answers(meterCorrections.listQuarantinedReading, {
        Rows: [],
        Total: 3,
        NextCursor: null,
        Proposals: [],
      }),
    )
    open()
    const link = await screen.findByRole('link', { name: '3 筆讀數待確認' })
    expect(link.getAttribute('href')).toBe('/meters/h1?tab=quarantined')
  })

  it('compares with the previous period and shows the difference', async () => {
    open('?range=2025-10&compare=previous')
    expect(await screen.findByText('62.0')).toBeTruthy()
    // October has one day more than September.
    expect(await screen.findByText(/\+2\.00 kWh/)).toBeTruthy()
    const totals = screen.getByRole('region', { name: '期間合計' })
    expect(within(totals).getAllByText(/\+3\.3%/)).toHaveLength(3)
    // The same holds for the machines.
    expect((await screen.findByRole('row', { name: /^空調/ })).textContent).toContain('+1.00 kWh +3.3%')
  })

  /** Two kWh in every period from a day on, and no data before. */
  const knownSince = (date: string) => (body: unknown) => {
    const { Series, ...rest } = energy(body)
    const known = ({ Timestamp }: { Timestamp: number }) => Timestamp >= Date.parse(`${date}T00:00:00+08:00`)
    return {
      Series: Series.map(({ Key, Points }) => ({
        Key,
        Points: Points.map((one) => (known(one) ? one : point(one.Timestamp, null))),
      })),
      ...rest,
    }
  }

  it('compares a day with the same weekday a year ago by default', async () => {
    onPhone()
    const { user } = open('?range=2025-10-01')
    expect(await screen.findByText(/^與 2024年10月2日.* 比較$/)).toBeTruthy()
    expect(asked().some(({ From }) => From === Date.parse('2024-10-02T00:00:00+08:00'))).toBe(true)
    await user.click(screen.getByRole('button', { name: /篩選/ }))
    expect(await screen.findByDisplayValue('去年同期（同星期）')).toBeTruthy()
  })

  it('compares with the same weekday a week ago if there is no data of a year ago, and says so', async () => {
    server.use(answers(meterData.getEnergySeries, knownSince('2025-09-01')))
    open('?range=2025-10-01&by=home')
    expect(
      await screen.findByText(/^去年無資料，改與前一週的同一星期別（2025年9月24日.*）比較$/),
    ).toBeTruthy()
    expect((await screen.findByRole('list', { name: /圖例/ })).textContent).toContain('前期（去年無資料）')
  })

  it('marks a row whose energy rose by a fifth or more, and no other', async () => {
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const isNow = (body as Asked).From >= Date.parse('2025-10-01T00:00:00+08:00')
        const of = (Key: string, kWh: number) => ({
          Key,
          Points: (Series[0]?.Points ?? []).map(({ Timestamp }) => point(Timestamp, kWh)),
        })
        return { Series: [of('a', isNow ? 1.19 : 1), of('b', isNow ? 1.2 : 1)], ...rest }
      }),
    )
    open('?range=2025-10-01&rank=meter')
    const table = await screen.findByRole('table')
    const markOf = async (text: string) =>
      (await within(table).findByText(text)).closest<HTMLElement>('[title], [data-cost], td > span')?.dataset[
        'cost'
      ]
    expect(await markOf('+19.0%')).toBeUndefined()
    expect(await markOf('+20.0%')).toBe('more')
  })

  describe('the period it opens with', () => {
    const shown = async () => ((await screen.findByLabelText('選擇期間')) as HTMLSelectElement).value

    it('is at first the last seven days', async () => {
      open('')
      expect(await shown()).toBe('last7')
    })

    it('is the preset chosen last, but not fixed dates, which would soon be old', async () => {
      const { user, go } = open('')
      await user.selectOptions(await screen.findByLabelText('選擇期間'), 'month')
      await act(() => go('/electricity/h1?range=2025-10-01'))
      expect(await shown()).toBe('custom')
      cleanup()
      open('')
      expect(await shown()).toBe('month')
    })
  })

  it('compares nothing, and says nothing, before the first hour of the day is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2025-10-01T00:40:00+08:00') })
    try {
      open('?range=today')
      expect(await screen.findByText('48.0')).toBeTruthy()
      expect(screen.queryByText(/^與 .* 比較$|雙方都有資料/)).toBeNull()
      expect(asked().every(({ From }) => From >= Date.parse('2025-10-01T00:00:00+08:00'))).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })

  it('says that there is no comparison if neither period has data, and shows none', async () => {
    server.use(answers(meterData.getEnergySeries, knownSince('2025-10-01')))
    open('?range=2025-10-01')
    expect(await screen.findByText('去年與前期皆無資料可比較')).toBeTruthy()
    expect(screen.queryByText(/雙方都有資料/)).toBeNull()
    await act(() => changeLanguage('en-US'))
    expect(await screen.findByText(/^No data a year ago/)).toBeTruthy()
    await act(() => changeLanguage('zh-TW'))
  })

  it('shows the change of a month also by matching weekdays', async () => {
    open('?range=2025-10&compare=lastYear')
    // Two kWh each day in both: the calendars make no difference.
    const adjusted = await screen.findAllByText(/^換算為相同日曆/)
    expect(adjusted).toHaveLength(3)
    expect(adjusted[0]?.textContent).toContain('0 kWh')
  })

  it("shows the month's peak as a share of the contract capacity, with current demand, and marks an excess", async () => {
    open('?range=month')
    const card = await screen.findByRole('link', { name: /^本月最高需量/ })
    expect(card.getAttribute('href')).toBe('/tariff/h1?tab=demand')
    expect(card.textContent).toContain('本月最高需量91.00kW')
    const [ofContract, now] = [
      within(card).getByText('契約容量 80 kW 的 113.8%'),
      within(card).getByText(/^目前/),
    ]
    expect(now.textContent).toBe('目前 42.50 kW（15 分鐘）')
    expect(ofContract.className).not.toBe(now.className)
  })

  it('shows the demand of some meters as "at least", and says why the peak is lower', async () => {
    const [peak] = demand.Peaks
    const Peaks = peak ? [{ ...peak, kW: 30 }] : []
    server.use(answers(bills.getDemand, { ...demand, Reporting: 1, Meters: 2, Peaks }))
    open('?range=month')
    const card = await screen.findByRole('link', { name: /^本月最高需量/ })
    expect(card.textContent).toContain('目前 至少 42.50 kW（15 分鐘）')
    expect(card.textContent).toContain('2 個電表中只有 1 個有需量')
    expect(card.textContent).toContain('最近 15 分鐘較高：本月最高需量只計已結束的整刻鐘時段。')
  })

  it('shows unknown demand as unknown', async () => {
    server.use(answers(bills.getDemand, { ...demand, Rolling: null, Limit: null, Peaks: [] }))
    open('?range=month')
    const card = await screen.findByRole('link', { name: /^本月最高需量/ })
    expect(card.textContent).toBe(
      '本月最高需量–該月沒有已結束時段的需量資料。未設定契約容量目前 –（15 分鐘）',
    )
  })

  it('shows the peak of the month in which the period ends, without the present demand', async () => {
    open('?range=2025-10-01')
    const card = await screen.findByRole('link', { name: /^2025年10月 ?最高需量/ })
    expect(card.textContent).toContain('91.00kW')
    expect(card.textContent).not.toContain('目前')
    expect(card.getAttribute('href')).toBe('/tariff/h1?tab=demand&month=2025-10')
    expect(sentTo(bills.getDemand)).toEqual([{ HomeID: 'h1', Month: '2025-10' }])
  })

  it('ranks rooms by their change, shown on each line', async () => {
    server.use(
      answers(home.operations.list, [
        aHome({
          RoomList: [
            { HomeID: 'h1', RoomID: 1, RoomName: '機房', PeripheralList: [], ThingNameList: [] },
            { HomeID: 'h1', RoomID: 2, RoomName: '會議室', PeripheralList: [], ThingNameList: [] },
          ],
        }),
      ]),
      answers(meterData.getEnergySeries, (body) => {
        const { By, From } = body as Asked
        if (By !== 'room') return energy(body)
        const { Series, ...rest } = energy(body)
        const isNow = From >= Date.parse('2025-10-01T00:00:00+08:00')
        const of = (Key: string, kWh: number) => ({
          Key,
          Points: (Series[0]?.Points ?? []).map(({ Timestamp }) => point(Timestamp, kWh)),
        })
        return { Series: isNow ? [of('1', 9), of('2', 4)] : [of('1', 10), of('2', 1)], ...rest }
      }),
    )
    open('?range=2025-10-01&rank=room&order=change')
    const ranked = await waitFor(() => {
      const lines = screen.getAllByRole('row', { name: /^(機房|會議室)/ })
      expect(lines[0]?.textContent).toContain('+300.0%')
      return lines
    })
    expect(ranked.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^會議室.*\+3\.00 kWh \+300\.0%$/),
      expect.stringMatching(/^機房.*−1\.00 kWh −10\.0%$/),
    ])
  })

  it('shows no difference before the compared period is loaded', async () => {
    const october = Date.parse('2025-10-01T00:00:00+08:00')
    let arrived = () => {}
    const september = new Promise<void>((resolve) => {
      arrived = resolve
    })
    server.use(
      answers(meterData.getEnergySeries, async (body) => {
        if ((body as Asked).From < october) await september
        return energy(body)
      }),
    )
    const { go } = open('?range=2025-10')
    await screen.findByText('62.0')
    await act(() => go('/electricity/h1?range=2025-10&compare=previous'))
    await waitFor(() => expect(asked().some(({ From }) => From < october)).toBe(true))
    expect(screen.queryByText(/[+−]\d/)).toBeNull()
    await act(async () => arrived())
    expect(await screen.findByText(/\+2\.00 kWh/)).toBeTruthy()
  })

  it('labels the drawn data correctly while another division loads', async () => {
    const { go } = open('?range=2025-10-01&by=meter&compare=off')
    const legend = async () => (await screen.findByRole('list', { name: /圖例/ })).textContent
    await waitFor(async () => expect(await legend()).toBe('總表空調'))
    server.use(neverAnswers(meterData.getEnergySeries))
    await act(() => go('/electricity/h1?range=2025-10-01&by=room&compare=off'))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ By: 'room' }))
    expect(await legend()).toBe('總表空調')
  })

  it('names the series of a selected meter, and the demand as that of the whole site', async () => {
    open('?range=2025-10-01&meters=a&compare=off')
    const legend = await screen.findByRole('list', { name: /圖例/ })
    await waitFor(() => expect(legend.textContent).toBe('總表'))
    expect(await screen.findByText('整個場域', { selector: 'span' })).toBeTruthy()
  })

  it('shows missing data at every figure: total, ranking, tree and flow', async () => {
    const badly = { Measured: 2, Between: 0, Estimated: 1, Corrected: 0, Missing: 1, Withheld: 0 }
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const of = (Key: string, Points: (typeof Series)[number]['Points']) =>
          Key === 'a' ? Points : Points.map((one) => ({ ...one, kWh: 0.5, Coverage: badly }))
        return { Series: Series.map(({ Key, Points }) => ({ Key, Points: of(Key, Points) })), ...rest }
      }),
    )
    const { go } = open()
    const totals = await screen.findByRole('region', { name: '期間合計' })
    expect(within(totals).getByText('這段期間缺漏 25.0% 的資料')).toBeTruthy()
    const ranked = await screen.findByRole('row', { name: /^空調/ })
    expect(ranked.textContent).toContain('缺漏 25.0% 的資料其中 33.3% 為推估')
    await act(() => go('/electricity/h1?range=2025-10-01&part=tree'))
    const cells = await screen.findAllByRole('cell')
    expect(cells.map(({ textContent }) => textContent)).toContain('總表')
    expect(cells.map(({ textContent }) => textContent)).toContain('空調缺漏 25.0% 的資料其中 33.3% 為推估')
    await act(() => go('/electricity/h1?range=2025-10-01&part=flow'))
    expect(await screen.findByText(/^標示 \* 的數字缺少部分資料/)).toBeTruthy()
    expect((await screen.findByTitle(/^空調/)).title).toBe('空調 0.500* kWh')
  })

  it('shows energy between two readings, and links pending decisions to their readings', async () => {
    const slow = { Measured: 1, Between: 3, Estimated: 0, Corrected: 0, Missing: 4, Withheld: 2 }
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const of = (points: (typeof Series)[number]['Points']) =>
          points.map((one) => ({ ...one, Coverage: slow }))
        return { Series: Series.map(({ Key, Points }) => ({ Key, Points: of(Points) })), ...rest }
      }),
    )
    const { go } = open()
    const totals = await screen.findByRole('region', { name: '期間合計' })
    expect(within(totals).getByText('其中 75.0% 介於兩次讀數之間')).toBeTruthy()
    expect(within(totals).queryByText(/推估/)).toBeNull()
    const link = within(totals).getByRole('link', { name: '25.0% 因讀數待確認而未計入' })
    expect(link.getAttribute('href')).toBe('/meters/h1?tab=quarantined')
    const ranked = await screen.findByRole('row', { name: /^空調/ })
    expect(ranked.textContent).toContain(
      '缺漏 50.0% 的資料25.0% 因讀數待確認而未計入其中 75.0% 介於兩次讀數之間',
    )
    expect(within(ranked).queryByRole('link')).toBeNull()
    await act(() => go('/electricity/h1?range=2025-10-01&part=tree'))
    const row = await screen.findByRole('cell', { name: /^空調/ })
    expect(within(row).getByRole('link', { name: '25.0% 因讀數待確認而未計入' })).toBeTruthy()
  })

  it('shows corrected and imported energy in the totals', async () => {
    const corrected = { Measured: 3, Between: 0, Estimated: 0, Corrected: 1, Missing: 0, Withheld: 0 }
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const Points = (points: (typeof Series)[number]['Points']) =>
          points.map((one) => ({ ...one, Coverage: corrected }))
        return { Series: Series.map((one) => ({ ...one, Points: Points(one.Points) })), ...rest }
      }),
    )
    open()
    expect(await screen.findByText('其中 25.0% 經更正或匯入')).toBeTruthy()
  })

  it('ranks unknown meters last, and draws no bar for negative values', async () => {
    server.use(
      answers(meterData.getAllMeterData, [meter('a'), meter('b'), meter('c')]),
      answers(peripheral.operations.list, {
        Things: [],
        Peripherals: [named('a', '總表'), named('b', '空調'), named('c', '太陽能')],
        Statuses: [],
      }),
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const of = (Key: string) => (Key === 'b' ? null : Key === 'c' ? -0.25 : 1)
        return {
          Series: Series.map(({ Key, Points }) => ({
            Key,
            Points: Points.map(({ Timestamp }) => point(Timestamp, of(Key))),
          })),
          ...rest,
        }
      }),
    )
    open('?range=2025-10-01&compare=off')
    const ranked = await screen.findAllByRole('row', { name: /^(總表|空調|太陽能)/ })
    expect(ranked.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^總表1\.00/),
      expect.stringMatching(/^太陽能−0\.25/),
      expect.stringMatching(/^空調缺漏 100\.0% 的資料–/),
    ])
    const width = (one: HTMLElement | undefined) =>
      one?.querySelector<HTMLElement>('[aria-hidden] > span > span')?.style.width
    expect([width(ranked[1]), width(ranked[2])]).toEqual(['0%', '0%'])
  })

  it('shows a deleted room by its last name', async () => {
    server.use(
      answers(meterFacts.listEndedRoom, [{ RoomID: 7, RoomName: '舊廚房', RemovedAt: 0 }]),
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        return { Series: Series.map((one) => ({ ...one, Key: '7' })), ...rest }
      }),
    )
    open('?range=2025-10-01&by=room')
    await waitFor(() => expect(screen.getByRole('list', { name: /圖例/ }).textContent).toContain('舊廚房'))
  })

  it('shows a virtual meter as itself in every division', async () => {
    const VirtualMeterID = 'virtual-1'
    server.use(
      answers(virtualMeter.operations.list, [
        {
          VirtualMeterID,
          HomeID: 'h1',
          VirtualMeterName: '公共用電',
          Terms: [{ PeripheralUID: 'a', Factor: 1 }],
          Version: 1,
        },
      ]),
      answers(meterData.getEnergySeries, (body) => {
        const { PeripheralUIDs } = body as Asked
        const { Series, ...rest } = energy(body)
        return { Series: Series.map((one) => ({ ...one, Key: PeripheralUIDs?.[0] ?? one.Key })), ...rest }
      }),
    )
    open(`?range=2025-10-01&by=room&compare=off&meters=${VirtualMeterID}`)
    expect((await screen.findByRole('list', { name: /圖例/ })).textContent).toBe('公共用電')
    // Missing demand data is requested for the whole month.
    const ofDay = asked().filter(({ By, Resolution }) => By === 'home' && Resolution === 'hour')
    expect(ofDay.length).toBeGreaterThan(0)
    expect(ofDay.every(({ PeripheralUIDs }) => PeripheralUIDs)).toBe(true)
  })

  it('says that figures are outdated if they cannot be refreshed', async () => {
    open()
    await screen.findByText('48.0')
    server.use(rejectCall(meterData.getEnergySeries, 'INTERNAL'))
    await act(() => queryClient.refetchQueries({ queryKey: callKey(meterData.getEnergySeries) }))
    expect(await screen.findByText('無法更新，顯示先前資料。')).toBeTruthy()
    expect(screen.getByText('48.0')).toBeTruthy()
  })

  it('says if a link names deleted meters, or selected meters contain each other', async () => {
    const { go } = open('?range=2025-10-01&meters=gone')
    expect(await screen.findByText('連結中的 1 個電表已不存在，以下為整個場域。')).toBeTruthy()
    await act(() => go('/electricity/h1?range=2025-10-01&meters=a,gone'))
    expect(await screen.findByText('連結中有 1 個電表已不存在，未計入以下數字。')).toBeTruthy()
    await act(() => go('/electricity/h1?range=2025-10-01&meters=a,b'))
    expect(await screen.findByText('所選電表互相包含，合計重複計算了部分用電。')).toBeTruthy()
    expect(screen.queryByText(/已不存在/)).toBeNull()
  })

  it('keeps the selected period and unit in the address', async () => {
    const { user, address } = open()
    await screen.findByText('48.0')
    await user.click(screen.getByRole('button', { name: '前一期' }))
    await user.click(screen.getByRole('button', { name: /流動電費/ }))
    await waitFor(() => expect(address()).toBe('?range=2025-09-30&measure=cost'))
  })

  it('keeps the zoom in the address, as whole bars of fixed days, without a history entry', async () => {
    const { address, back } = open('?range=last30')
    await screen.findByText('60.0')
    const whole = await vi.waitFor(() => {
      expect(plot.shown.to - plot.shown.from).toBe(30 * DAY)
      return plot.shown
    }, PATIENT)
    act(() => plot.select({ from: whole.from + 1.25 * DAY, to: whole.from + 3.5 * DAY }))
    const part = { from: whole.from + DAY, to: whole.from + 4 * DAY }
    expect(plot.shown).toEqual(part)
    const days = [whole.from, whole.to - 1].map((at) => formatDay(dayOf(at, ZONE))).join('..')
    await waitFor(() => expect(address()).toBe(`?range=${days}&zoom=${part.from}..${part.to}`))
    expect(screen.getByDisplayValue('最近 30 天')).toBeTruthy()
    // The page is the first entry of the history.
    await act(back)
    expect(plot.shown).toEqual(part)
  })

  it('opens zoomed from a link, resets by the button, and with the period', async () => {
    const midnight = Date.parse('2025-10-01T00:00:00+08:00')
    const part = `zoom=${midnight + 2 * HOUR}..${midnight + 6 * HOUR}`
    const { user, address } = open(`?range=2025-10-01&${part}`)
    const reset = await screen.findByRole('button', { name: '顯示全部' })
    await waitFor(() => expect(plot.shown).toEqual({ from: midnight + 2 * HOUR, to: midnight + 6 * HOUR }))
    reset.focus()
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('?range=2025-10-01'))
    act(() => plot.select({ from: midnight, to: midnight + 3 * HOUR }))
    await waitFor(() => expect(address()).toContain('zoom='))
    await user.click(screen.getByRole('button', { name: '前一期' }))
    await waitFor(() => expect(address()).toBe('?range=2025-09-30'))
  })

  it('never says that a period has no data while loading or offline', async () => {
    const { user } = open()
    await screen.findByText('48.0')
    server.use(neverAnswers(meterData.getEnergySeries))
    await user.click(screen.getByRole('button', { name: '前一期' }))
    expect(await screen.findByText(/2025年9月30日/)).toBeTruthy()
    expect(screen.queryByText('無資料')).toBeNull()
    onlineManager.setOnline(false)
    await user.click(screen.getByRole('button', { name: '前一期' }))
    expect(await screen.findByText(/目前離線，恢復連線後會自動載入/)).toBeTruthy()
    expect(screen.queryByText('無資料')).toBeNull()
    server.use(answers(meterData.getEnergySeries, energy))
    act(() => onlineManager.setOnline(true))
    expect(await screen.findByText('48.0')).toBeTruthy()
    expect(screen.queryByText(/目前離線/)).toBeNull()
  })

  it('ranks the largest consumers of the home, and shows one meter alone on click', async () => {
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const half = Series.map(({ Key, Points }) => ({
          Key,
          Points: Points.map((one) => ({ ...one, kWh: Key === 'b' ? 0.5 : one.kWh })),
        }))
        return { Series: half, ...rest }
      }),
    )
    const { user, address } = open()
    const ranked = await screen.findByRole('row', { name: /空調/ })
    // Share of the main meter's energy, not of that of the meters below it.
    expect(ranked.textContent).toContain('50.0%')
    await user.click(within(ranked).getByRole('button'))
    await waitFor(() => expect(address()).toContain('meters=b'))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ PeripheralUIDs: ['b'], By: 'home' }))
  })

  it('shows meters as a tree with the remainder that no sub-meter measures', async () => {
    open('?range=2025-10-01&part=tree')
    expect(await screen.findByText('未分項用電')).toBeTruthy()
  })

  it('distinguishes silent, stale and current meters', async () => {
    server.use(
      answers(meterData.getAllMeterData, [
        meter('a', { LastUpdateTimestamp: null, Power: null, IsCurrent: false }),
        meter('b', { LastUpdateTimestamp: Date.now() - 3_600_000, IsCurrent: false }),
      ]),
    )
    open('?range=2025-10-01&part=meters')
    expect(await screen.findByText('尚無讀數')).toBeTruthy()
    expect(screen.getByText('資料未更新')).toBeTruthy()
  })

  it('says why there is no cost without a tariff', async () => {
    server.use(
      answers(meterData.getEnergySeries, (body) => {
        const { Series, ...rest } = energy(body)
        const Points = (points: (typeof Series)[number]['Points']) =>
          points.map((one) => ({ ...one, Cost: null }))
        return { Series: Series.map((one) => ({ ...one, Points: Points(one.Points) })), ...rest }
      }),
    )
    open()
    expect(await screen.findByText(/這段期間沒有設定電價/)).toBeTruthy()
  })

  it('offers to add devices if there is no meter', async () => {
    server.use(answers(meterData.getAllMeterData, []))
    open()
    const link = await screen.findByRole('link', { name: '新增裝置' })
    expect(link.getAttribute('href')).toBe('/addDevice/h1')
  })

  it('says that a period has no readings', async () => {
    server.use(
      answers(meterData.getEnergySeries, () => ({
        Series: [],
        Meters: { Reporting: 0, Total: 2 },
        Carbon: [],
      })),
    )
    open('?range=2025-10-01&part=meters')
    expect(await screen.findByText(/這段期間沒有任何讀數/)).toBeTruthy()
  })

  it('shows the error and retries', async () => {
    server.use(rejectCall(meterData.getAllMeterData, 'INTERNAL'))
    const { user } = open()
    const again = await screen.findByRole('button', { name: /重\s*試/ })
    server.use(answers(meterData.getAllMeterData, [meter('a')]))
    await user.click(again)
    expect(await screen.findByText('48.0')).toBeTruthy()
  })
})

describe('the balance of a site', () => {
  const role = (MeterID: string, Value: string) => ({
    MeterID,
    Fact: 'role' as const,
    From: null,
    Value,
    By: null,
    At: 0,
  })
  const balance = {
    HasBalance: true,
    IsImportMeasured: true,
    Points: [
      {
        Timestamp: Date.parse('2025-10-01T00:00:00+08:00'),
        Consumption: 10,
        Import: 4,
        Export: 2,
        Generation: 8,
        Discharge: null,
        Charge: null,
        Unexplained: 0,
        Sold: null,
        Coverage: null,
      },
    ],
    Flows: [
      { From: 'generation' as const, To: 'export' as const, kWh: 2 },
      { From: 'generation' as const, To: 'consumption' as const, kWh: 6 },
      { From: 'import' as const, To: 'consumption' as const, kWh: 4 },
      { From: 'discharge' as const, To: 'charge' as const, kWh: 0 },
    ],
    PassThrough: 0,
    SelfConsumption: 0.75,
    SelfSufficiency: 0.6,
    Meters: { Reporting: 2, Total: 2 },
    Carbon: [],
  }

  it('is a table from sources to uses, with the self-consumed energy', async () => {
    server.use(
      answers(meterFacts.listMeterFact, [role('a', 'gridImport')]),
      answers(meterData.getEnergyBalance, balance),
    )
    open()
    const table = await screen.findByRole('table', { name: '能源來源與去向（kWh）' })
    const rows = within(table).getAllByRole('row')
    expect(rows.map((row) => row.textContent)).toEqual([
      '來源餘電躉售場域用電合計',
      '發電2.006.008.00',
      '市電04.004.00',
      '合計2.0010.012.0',
    ])
    expect(screen.getByText('自發自用率').nextElementSibling?.textContent).toBe('75.0%')
    expect(screen.getByText('自給率').nextElementSibling?.textContent).toBe('60.0%')
  })

  it('is not requested for a site with only load meters', async () => {
    open()
    expect(await screen.findByText('48.0')).toBeTruthy()
    expect(sentTo(meterData.getEnergyBalance)).toEqual([])
    expect(screen.queryByText('能源平衡')).toBeNull()
  })
})
