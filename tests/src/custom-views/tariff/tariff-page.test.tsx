import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bills, type PlanBills } from '../../../../contract/tariffs/bill-calls.ts'
import { homeTariff } from '../../../../contract/tariffs/home-tariff-calls.ts'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { tariff, type Tariff } from '../../../../contract/tariffs/tariff.ts'
import { home } from '../../../../contract/homes/home.ts'
import type { TariffVersion } from '../../../../contract/tariffs/tariff-terms.ts'
import TariffPage from '../../../../src/custom-views/tariff/tariff-page.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { me } from '../../../../src/data/session.ts'
import { homeTariff as aHomeTariff } from '../../../support/home-tariff.ts'
import { answers, neverAnswers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { point } from '../../domain/energy/points.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'

const night = [
  { FromMinute: 0, ThroughMinute: 540, Band: 'offPeak' as const },
  { FromMinute: 540, ThroughMinute: 1440, Band: 'peak' as const },
]
const stages: TariffVersion = {
  ValidFrom: '2025-01-01',
  ValidThrough: null,
  Kind: 'timeOfUse',
  Seasons: [
    {
      Season: 'allYear',
      From: '01-01',
      Through: '12-31',
      Windows: { weekday: night, saturday: night, offPeakDay: night },
      Prices: { peak: 5, offPeak: 2 },
      Tiers: [],
      CapacityRates: {},
    },
  ],
  BasicCharge: { single: 0, three: 0 },
  Surcharge: null,
  MinimumBill: 0,
  PowerFactor: false,
}
const flat: TariffVersion = {
  ...stages,
  Kind: 'flat',
  Seasons: stages.Seasons.map((season) => ({ ...season, Prices: { flat: 4 } })),
}
const own = (version: TariffVersion): Tariff => ({
  TariffID: 'own-1',
  TariffName: '園區電價',
  Versions: [version],
  Version: 1,
})
const idle = {
  Rolling: null,
  Forecast: null,
  Band: null,
  Limit: null,
  Reporting: 0,
  Meters: 0,
  Month: '2026-11',
  Peaks: [],
}

const open = (search = '') => openPage(<TariffPage />, '/tariff/:HomeID', `/tariff/h1${search}`)
const rowOf = async (text: string | RegExp) => (await screen.findByText(text)).closest('li') as HTMLElement

beforeAll(() => loadNamespaces(['energy', 'tariff']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [aHome()]),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [aPeripheral({ PeripheralUID: 'a', PeripheralType: '514', PeripheralName: '總表' })],
      Statuses: [],
    }),
    answers(homeTariff.listHomeTariff, [aHomeTariff()]),
    answers(tariff.operations.list, []),
    answers(bills.getDemand, idle),
    answers(meterData.getEnergySeries, { Series: [], Meters: { Reporting: 0, Total: 0 }, Carbon: [] }),
  )
})

/** Types a day without opening the calendar. */
function typeDay(label: string, value: string): void {
  const box = screen.getByLabelText(label)
  fireEvent.mouseDown(box)
  fireEvent.change(box, { target: { value } })
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
}

describe('the tariff of a home', () => {
  it('shows its tariff with the bands of its days, and the previous one', async () => {
    server.use(
      answers(homeTariff.listHomeTariff, [
        aHomeTariff({ PlanID: 'commercial_standard', ValidThrough: '2025-12-31' }),
        aHomeTariff({ ValidFrom: '2026-01-01' }),
      ]),
    )
    open()
    expect(await screen.findByText('經常契約 50 kW')).toBeTruthy()
    // A weekday in summer: one strip, whose parts are also listed as text.
    expect(screen.getByText('09:00–24:00 尖峰')).toBeTruthy()
    expect(screen.getByText('06:00–11:00 尖峰')).toBeTruthy()
    expect((await rowOf('2026/1/1 至 迄今')).textContent).toContain('使用中')
    expect((await rowOf('2025/1/1–12/31')).textContent).toContain('營業用：非時間電價')
  })

  it('shows when the prices of a Taipower plan were last checked', async () => {
    open()
    expect(await screen.findByText('台電電價最近一次核對日期：2026/9/15。')).toBeTruthy()
  })

  it('ends the previous plan when another begins on a date', async () => {
    server.use(
      answers(
        homeTariff.updateHomeTariff,
        (body) => (body as { Tariffs: ReturnType<typeof aHomeTariff>[] }).Tariffs,
      ),
    )
    open()
    fireEvent.click(await screen.findByText('選擇方案'))
    const dialog = await screen.findByRole('dialog')
    typeDay('生效日', '2026-10-01')
    fireEvent.change(within(dialog).getByLabelText(/經常契約/), { target: { value: '80' } })
    fireEvent.click(within(dialog).getByText(/儲.?存/))
    await waitFor(() => expect(sentTo('/UpdateHomeTariff')).toHaveLength(1))
    expect(sentTo('/UpdateHomeTariff')[0]).toMatchObject({
      Tariffs: [
        { ValidFrom: '2025-01-01', ValidThrough: '2026-09-30', Capacities: { regular: 50 } },
        { ValidFrom: '2026-10-01', ValidThrough: null, Capacities: { regular: 80 } },
      ],
    })
  })

  it('names plans that would be removed, and does not overwrite a concurrent change', async () => {
    const [old, next] = [
      aHomeTariff({ ValidThrough: '2026-12-31' }),
      aHomeTariff({ ValidFrom: '2027-01-01' }),
    ]
    server.use(
      answers(homeTariff.listHomeTariff, [old, next]),
      rejectCall(homeTariff.updateHomeTariff, 'CONFLICT', { fields: { Seen: 'changed' } }),
    )
    open()
    fireEvent.click(await screen.findByText('選擇方案'))
    const dialog = await screen.findByRole('dialog')
    expect(
      within(dialog)
        .getByText(/儲存後會移除/)
        .closest('.ant-alert')?.textContent,
    ).toContain('2027/1/1 至 迄今')
    const theirs = [{ ...old, Capacities: { regular: 70 } }]
    server.use(answers(homeTariff.listHomeTariff, theirs))
    fireEvent.click(within(dialog).getByText(/儲.?存$/))
    expect(await within(dialog).findByText('其他人剛修改過這筆資料')).toBeTruthy()
    expect(sentTo('/UpdateHomeTariff')).toMatchObject([{ Seen: [old, next] }])
    const save = within(dialog)
      .getByText(/^儲.?存$/)
      .closest('button') as HTMLButtonElement
    expect(save.disabled).toBe(true)
    server.use(answers(homeTariff.updateHomeTariff, []))
    fireEvent.click(within(dialog).getByText('保留我的內容，儲存時覆蓋'))
    fireEvent.click(save)
    await waitFor(() => expect(sentTo('/UpdateHomeTariff').at(-1)).toMatchObject({ Seen: theirs }))
  })

  it('shows what a plan needs for a bill: a contract, and prices of some days', async () => {
    server.use(
      answers(homeTariff.listHomeTariff, [aHomeTariff({ PlanID: 'hv_three_stage', Capacities: {} })]),
    )
    open()
    fireEvent.click((await screen.findAllByText(/^編.?輯$/))[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: '編輯電價' })
    expect(within(dialog).getByText(/尚未填寫經常契約容量/)).toBeTruthy()
    fireEvent.change(within(dialog).getByLabelText(/經常契約/), { target: { value: '50' } })
    expect(within(dialog).getByText('這個方案的經常契約容量至少為 100 kW。')).toBeTruthy()
    fireEvent.change(within(dialog).getByLabelText(/經常契約/), { target: { value: '300' } })
    expect(within(dialog).queryByText(/經常契約容量至少/)).toBeNull()
    expect(within(dialog).queryByText(/沒有已知的單價/)).toBeNull()
    typeDay('生效日', '2024-01-01')
    const unpriced = within(dialog)
      .getByText(/沒有已知的單價/)
      .closest('.ant-alert')
    expect(unpriced?.textContent).toContain('2024/1/1–10/15')
  })

  it('rejects a contract that high voltage does not have, and keeps a stored one', async () => {
    server.use(
      answers(homeTariff.listHomeTariff, [
        aHomeTariff({ PlanID: 'hv_three_stage', Capacities: { regular: 80 } }),
      ]),
    )
    open()
    fireEvent.click((await screen.findAllByText(/^編.?輯$/))[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: '編輯電價' })
    const save = () =>
      within(dialog)
        .getByText(/^儲.?存$/)
        .closest('button') as HTMLButtonElement
    expect(within(dialog).queryByText(/經常契約容量至少/)).toBeNull()
    expect(save().disabled).toBe(false)
    fireEvent.change(within(dialog).getByLabelText(/經常契約/), { target: { value: '70' } })
    expect(within(dialog).getByText('這個方案的經常契約容量至少為 100 kW。')).toBeTruthy()
    expect(save().disabled).toBe(true)
  })

  it.each([
    ['zh-TW', /^儲.?存$/, '經常契約：高壓供電的經常契約容量至少 100 kW'],
    ['en-US', /^Save$/, 'Regular contract: High voltage requires a contract of at least 100 kW'],
  ] as const)('shows in %s why the gateway rejected a contract', async (language, save, reason) => {
    const fields = { 'Tariffs.0.Capacities.regular': 'belowHighVoltage' }
    server.use(
      answers(homeTariff.listHomeTariff, [aHomeTariff()]),
      rejectCall(homeTariff.updateHomeTariff, 'INVALID', { fields }),
    )
    await act(() => changeLanguage(language))
    open()
    fireEvent.click((await screen.findAllByText(/^(編.?輯|Edit)$/))[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    fireEvent.change(within(dialog).getByLabelText(/^(經常契約|Regular contract)/), {
      target: { value: '60' },
    })
    fireEvent.click(within(dialog).getByText(save))
    expect(await within(dialog).findByText(reason)).toBeTruthy()
    await act(() => changeLanguage('zh-TW'))
  })

  it('confirms low voltage with 100 kW or more', async () => {
    server.use(answers(homeTariff.listHomeTariff, [aHomeTariff()]), answers(homeTariff.updateHomeTariff, []))
    open()
    fireEvent.click((await screen.findAllByText(/^編.?輯$/))[0] as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: '編輯電價' })
    const save = () =>
      within(dialog)
        .getByText(/^儲.?存$/)
        .closest('button') as HTMLButtonElement
    const agree = (kw: string) =>
      fireEvent.change(within(dialog).getByLabelText(/經常契約/), { target: { value: kw } })
    const sure = () => within(dialog).getByRole<HTMLInputElement>('checkbox', { name: /確實是低壓供電/ })
    agree('120')
    expect(save().disabled).toBe(true)
    fireEvent.click(sure())
    expect(save().disabled).toBe(false)
    // Another contract makes another call.
    agree('130')
    expect(save().disabled).toBe(true)
    fireEvent.click(sure())
    fireEvent.click(save())
    await waitFor(() =>
      expect(sentTo('/UpdateHomeTariff')).toMatchObject([
        { Sure: true, Tariffs: [{ Capacities: { regular: 130 } }] },
      ]),
    )
  })

  it('asks for confirmation before unsaved input is lost', async () => {
    open()
    fireEvent.click(await screen.findByText('選擇方案'))
    const dialog = await screen.findByRole('dialog')
    fireEvent.change(within(dialog).getByLabelText(/經常契約/), { target: { value: '80' } })
    fireEvent.click(within(dialog).getByText(/取.?消/))
    fireEvent.click(await screen.findByText('留在此頁'))
    expect(within(dialog).getByLabelText<HTMLInputElement>(/經常契約/).value).toBe('80')
  })

  it('asks for a tariff if there is none, or says that the right to choose it is missing', async () => {
    server.use(answers(homeTariff.listHomeTariff, []))
    open()
    expect(await screen.findByText(/目前沒有電價.*請選擇方案與生效日/)).toBeTruthy()
    expect(screen.getByRole('button', { name: '選擇方案' })).toBeTruthy()
  })

  it('offers no changes without the right', async () => {
    me.set(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    server.use(answers(homeTariff.listHomeTariff, []))
    open()
    expect(await screen.findByText(/請有「用電資料」的「修改」權限的同事設定/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '選擇方案' })).toBeNull()
  })
})

describe('demand', () => {
  it('is forecast to the end of the interval against the contract, with times and meters of the peaks', async () => {
    server.use(
      answers(bills.getDemand, {
        ...idle,
        Rolling: 47.5,
        Forecast: 58,
        Band: 'peak',
        Limit: 50,
        Reporting: 1,
        Meters: 2,
        Peaks: [
          {
            Timestamp: Date.parse('2026-11-03T14:15:00+08:00'),
            kW: 61.25,
            Band: 'peak',
            Limit: 50,
            Meters: [{ PeripheralUID: 'a', kW: 61.25 }],
          },
        ],
      }),
    )
    open('?tab=demand')
    expect((await screen.findByRole('alert')).textContent).toBe(
      '預測將超過契約容量至少 8.00 kW，請減少用電。',
    )
    expect(screen.getByText('契約容量（尖峰）').nextSibling?.textContent).toBe('50 kW')
    expect(screen.getByText('2 個電表中有 1 個有最近 15 分鐘的需量')).toBeTruthy()
    expect(screen.getByText('本時段預測需量').nextSibling?.textContent).toBe('至少 58.00 kW')
    const peak = await rowOf(/11\/3（二）14:15/)
    await waitFor(() => expect(peak.textContent).toContain('總表 61.25 kW'))
    expect(peak.textContent).toContain('超約 11.25 kW')
    // The bar ends at 61.25 kW: 50 within the contract, the rest beyond it.
    const [within, beyond, line] = peak.querySelectorAll<HTMLElement>('[aria-hidden] > span')
    expect(within?.style.width).toBe(`${(50 / 61.25) * 100}%`)
    expect(beyond?.style.width).toBe(`${(11.25 / 61.25) * 100}%`)
    expect(line?.style.insetInlineStart).toBe(within?.style.width)
  })

  it('shows another month by the address, with the unmeasured remainder of a peak and a link to its day', async () => {
    const peak = {
      Timestamp: Date.parse('2026-10-06T10:00:00+08:00'),
      kW: 100,
      Band: null,
      Limit: null,
      Meters: [{ PeripheralUID: 'a', kW: 70 }],
    }
    server.use(
      answers(bills.getDemand, (body) => {
        const { Month = '2026-11' } = body as { Month?: string }
        return { ...idle, Month, Peaks: Month === '2026-10' ? [peak] : [] }
      }),
    )
    const { user, address } = open('?tab=demand&month=2026-11')
    expect(await screen.findByText('這個月沒有用電紀錄。')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '上個月' }))
    const row = await rowOf(/10\/6（二）10:00/)
    await waitFor(() => expect(row.textContent).toContain('總表 70.00 kW（70%）'))
    expect(row.textContent).toContain('其餘 30.00 kW（30%）')
    expect(within(row).getByRole('link').getAttribute('href')).toBe(
      '/electricity/h1?range=2026-10-06&by=meter',
    )
    expect(screen.getByText('2026年10月 最高需量')).toBeTruthy()
    expect(address()).toBe('?tab=demand&month=2026-10')
  })

  it('is shown as "at least" for a month that is less than 98 % measured', async () => {
    const peak = {
      Timestamp: Date.parse('2026-10-06T10:00:00+08:00'),
      kW: 100,
      Band: null,
      Limit: null,
      Meters: [],
    }
    const told = (Measured: number, Between: number) => {
      const Coverage = { Measured, Between, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }
      server.use(
        answers(meterData.getEnergySeries, {
          Series: [{ Key: '', Points: [point(0, 1, { Coverage })] }],
          Meters: { Reporting: 1, Total: 1 },
          Carbon: [],
        }),
      )
    }
    server.use(answers(bills.getDemand, { ...idle, Month: '2026-10', Peaks: [peak] }))
    told(24, 72)
    open('?tab=demand&month=2026-10')
    const row = await rowOf(/10\/6（二）10:00/)
    await waitFor(() => expect(row.textContent).toContain('至少 100 kW'))
    told(98, 2)
    await queryClient.invalidateQueries()
    await waitFor(() => expect(row.textContent).not.toContain('至少'))
    expect(row.textContent).toContain('100 kW')
  })
})

describe('a bill', () => {
  const bill = {
    From: '2026-09-01',
    Through: '2026-10-31',
    kWh: 700,
    Known: 0.985,
    Lines: [
      {
        Item: 'tier' as const,
        Detail: '118.03',
        Season: 'summer' as const,
        ValidFrom: '2025-10-01',
        Quantity: 206.56,
        Unit: 'kWh' as const,
        Price: 2.55,
        Factor: 1,
        Amount: 526.73,
      },
    ],
    Total: 526.73,
    Energy: 526.73,
    DaysWithoutTariff: 3,
    Sold: null,
  }

  it('shows how each line is computed and what is missing, and opens the previous bill', async () => {
    server.use(answers(bills.getBill, bill))
    const { user } = open('?tab=bill')
    const row = (await screen.findByText(/流動電費 118.03 度以上/)).closest('tr')
    expect(row?.textContent).toContain('夏月 · 2025/10/1 電價表')
    expect(row?.textContent).toContain('206.56 度 × 2.55526.73')
    expect(screen.getByText('用電 700 度，98.5% 的時段有資料。')).toBeTruthy()
    expect(screen.getByText('其中 3 天沒有適用的電價，未計入帳單。')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '上一期' }))
    await waitFor(() => expect(sentTo('/GetBill').at(-1)).toMatchObject({ Date: '2026-08-31' }))
  })

  it('says that rounded amounts may not add up', async () => {
    const DecimalPrecision = 0
    server.use(
      answers(personal.getPersonalConfig, { ...DEFAULT_PERSONAL_CONFIG, DecimalPrecision }),
      answers(bills.getBill, bill),
    )
    open('?tab=bill')
    expect(await screen.findByText(/各項顯示值加總可能與合計略有出入/)).toBeTruthy()
    expect(screen.getByText('NT$ 527')).toBeTruthy()
  })

  it('covers the day in the address, explains its items, and links an excess to its peaks', async () => {
    const over = {
      Item: 'overCapacity' as const,
      Detail: 'peak',
      Season: 'summer' as const,
      ValidFrom: '2025-10-01',
      Quantity: 5,
      Unit: 'kW' as const,
      Price: 223.6,
      Factor: 2,
      Amount: 2236,
    }
    server.use(answers(bills.getBill, { ...bill, Lines: [over] }))
    open('?tab=bill&date=2026-09-15')
    const link = await screen.findByRole('link', { name: '查看當月最高需量' })
    expect(sentTo('/GetBill')).toEqual([{ HomeID: 'h1', Date: '2026-09-15' }])
    expect(link.getAttribute('href')).toBe('/tariff/h1?tab=demand&month=2026-09')
    expect(screen.getByText(/10% 以內按 2 倍/)).toBeTruthy()
    expect(screen.queryByText(/平均功率因數高於/)).toBeNull()
    expect(screen.getByRole('link', { name: '查看這期的用電' }).getAttribute('href')).toBe(
      '/electricity/h1?range=2026-09-01..2026-10-31&by=band&measure=cost',
    )
    // Some of the missing data can be imported.
    expect(screen.getByRole('link', { name: '匯入用電資料' }).getAttribute('href')).toBe('/import/h1')
  })

  it('shows which announced peak days it needs instead of a partial total', async () => {
    const PeakDays = { Year: 2026, Known: 12, Needed: 30 }
    server.use(answers(bills.getBill, { ...bill, Lines: [], Total: 0, PeakDays }))
    open('?tab=bill&date=2026-09-15')
    expect(await screen.findByText(/需要 2026 年的公告尖峰日，目前輸入 12／30 天/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '公告尖峰日' }).getAttribute('href')).toBe('/tariff/h1?tab=rules')
    expect(screen.queryByText(/NT\$/)).toBeNull()
  })

  it('shows its total as "at least" while energy is being computed', async () => {
    server.use(answers(bills.getBill, { ...bill, ComputedPercent: 40 }))
    open('?tab=bill&date=2026-09-15')
    expect(await screen.findByText(/計算中（40%）/)).toBeTruthy()
    expect(screen.getByText(/^至少 NT\$/)).toBeTruthy()
  })

  it('shows the error and retries', async () => {
    server.use(rejectCall(bills.getBill, 'INTERNAL'))
    const { user } = open('?tab=bill')
    expect(await screen.findByText('系統發生錯誤，請稍後再試')).toBeTruthy()
    server.use(answers(bills.getBill, { ...bill, Lines: [] }))
    await user.click(screen.getByRole('button', { name: /重.?試/ }))
    expect(await screen.findByText('這段期間沒有適用的電價，無法計算帳單。')).toBeTruthy()
  })
})

describe('the comparison', () => {
  const Periods = ['2026-08', '2026-09'].map((month) => ({
    From: `${month}-01`,
    Through: `${month}-30`,
    kWh: 100,
    Known: 1,
  }))
  const plan = (PlanID: string, totals: number[], changes: Partial<PlanBills> = {}): PlanBills => ({
    PlanID,
    Capacities: { regular: 50 },
    Bills: totals.map((Total) => ({ Total, Energy: Total })),
    Total: totals.reduce((sum, one) => sum + one, 0),
    Priced: totals.length,
    Difference: null,
    Drivers: [],
    Best: null,
    Refused: null,
    ...changes,
  })

  it('shows the difference of each plan, its months, and the cheapest contract capacity', async () => {
    server.use(
      answers(bills.compareTariff, {
        Periods,
        Current: plan('lv_two_stage', [1000, 1200]),
        Plans: [
          plan('lv_three_stage', [900, 1050], {
            Difference: -250,
            Drivers: [1, 0],
            Best: { Regular: 44, Total: 1880 },
          }),
          plan('commercial_standard', [1500, 1600], { Difference: 900, Drivers: [0], Capacities: {} }),
        ],
      }),
    )
    const { user, address } = open('?tab=compare')
    const cheaper = await rowOf('低壓電力：三段式')
    expect(cheaper.textContent).toContain('−NT$ 250/年')
    expect(cheaper.textContent).toContain('主要差異：2026年9月 · 2026年8月')
    expect(cheaper.textContent).toContain('最省的契約容量：44 kW，共 NT$ 1,880')
    expect((await rowOf('營業用：非時間電價')).textContent).toContain('+NT$ 900/年')
    expect((await rowOf('目前：低壓電力：二段式')).textContent).toContain('NT$ 2,200')
    await user.type(screen.getByLabelText(/試算經常契約容量/), '60')
    await user.click(screen.getByRole('button', { name: /試.?算/ }))
    await waitFor(() =>
      expect(sentTo('/CompareTariff').at(-1)).toMatchObject({ Capacities: { regular: 60 } }),
    )
    expect(address()).toBe('?tab=compare&kw=60')
  })

  it('names the available plan with the largest saving, and the cause of the difference', async () => {
    const made = (...of: [total: number, energy: number][]) => ({
      Bills: of.map(([Total, Energy]) => ({ Total, Energy })),
    })
    server.use(
      answers(bills.compareTariff, {
        Periods,
        Current: plan('hv_three_stage', [1000, 1200], made([1000, 600], [1200, 700])),
        Plans: [
          plan('ehv_two_stage', [500, 600], { Difference: -1100 }),
          plan('hv_two_stage', [900, 1050], { ...made([900, 700], [1050, 800]), Difference: -250 }),
        ],
      }),
    )
    open('?tab=compare')
    expect(
      await screen.findByText(
        '以過去一年的用電計算，「高壓電力：二段式」比目前的「高壓電力：三段式」節省 NT$ 250。',
      ),
    ).toBeTruthy()
    expect((await rowOf('高壓電力：二段式')).textContent).toContain(
      '流動電費 +NT$ 200契約容量等其他費用 −NT$ 450',
    )
    const others = screen.getByText('其他用電種類的 1 個方案').closest('details') as HTMLDetailsElement
    expect(others.open).toBe(false)
    expect(within(others).getByText('特高壓：二段式')).toBeTruthy()
  })

  it.each([
    [
      'zh-TW',
      /用電資料達 95% 以上的帳單月數：3，至少需要 10 個月。.*2027\/5\/1 起即可提供建議/,
      /沒有比目前更省的/,
    ],
    [
      'en-US',
      /at least 95% of the data: 3; at least 10 are needed\..*enough data on May 1, 2027/,
      /would have cost less/,
    ],
  ] as const)(
    'says in %s which data a recommendation lacks until when, instead of giving one',
    async (language, lacks, advice) => {
      const Refused = { Reason: 'coverage' as const, Have: 3, Needed: 10, EnoughOn: '2027-05-01' }
      const never = { Reason: 'quarterHours' as const, Have: 0, Needed: 10, EnoughOn: null }
      server.use(
        answers(bills.compareTariff, {
          Periods,
          Current: plan('lv_two_stage', [1000, 1200], { Refused }),
          Plans: [
            plan('lv_three_stage', [100, 100], { Refused: never }),
            plan('lv_two_stage', [1000, 1200], { Refused }),
          ],
        }),
      )
      await act(() => changeLanguage(language))
      open('?tab=compare')
      const alert = (await screen.findByText(lacks)).closest('.ant-alert') as HTMLElement
      expect(alert.textContent).toContain(
        language === 'zh-TW' ? '無法預測何時足夠' : 'unknown when there will be enough data',
      )
      expect(screen.queryByText(advice)).toBeNull()
      expect(document.querySelector('.ant-alert-success')).toBeNull()
      await act(() => changeLanguage('zh-TW'))
    },
  )

  it('names months that lack data, and marks them in every plan', async () => {
    const [first, second] = Periods
    if (!first || !second) throw new Error('Two months are compared')
    server.use(
      answers(bills.compareTariff, {
        Periods: [first, { ...second, Known: 0.5 }],
        Current: null,
        Plans: [plan('lv_two_stage', [1000, 400])],
      }),
    )
    open('?tab=compare')
    expect(await screen.findByText('只有 75.0% 的時段有資料，試算結果偏低。')).toBeTruthy()
    expect(screen.getByText(/^資料不完整的期間：2026年9月。/)).toBeTruthy()
    expect(screen.getByText('2026年9月 NT$ 400 · 部分無資料')).toBeTruthy()
    expect(screen.getByText('2026年8月 NT$ 1,000')).toBeTruthy()
  })

  it('compares with a year of the current plan if another one applied for a part of it', async () => {
    server.use(
      answers(bills.compareTariff, {
        Periods,
        Current: plan('lv_two_stage', [1000, 1500]),
        Plans: [
          plan('lv_three_stage', [1400, 1400], { Difference: 300 }),
          plan('lv_two_stage', [1500, 1500], { Difference: 500 }),
        ],
      }),
    )
    open('?tab=compare')
    expect(
      await screen.findByText(
        '以過去一年的用電計算，「低壓電力：三段式」比目前的「低壓電力：二段式」節省 NT$ 200。',
      ),
    ).toBeTruthy()
    expect((await rowOf('實際適用的電價（目前為低壓電力：二段式）')).textContent).toContain('NT$ 2,500')
    expect((await rowOf('低壓電力：二段式')).textContent).toContain('+NT$ 500/年')
  })

  it('shows the saving of another contract capacity in the current plan once', async () => {
    const terms = { Best: { Regular: 40, Total: 1900 }, Difference: 0 }
    server.use(
      answers(bills.compareTariff, {
        Periods,
        Current: plan('lv_two_stage', [1000, 1200]),
        Plans: [plan('lv_two_stage', [1000, 1200], terms)],
      }),
    )
    open('?tab=compare')
    expect(
      await screen.findByText('目前方案的契約容量改為 40 kW，過去一年可節省 NT$ 300（平均每月約 NT$ 25）。'),
    ).toBeTruthy()
    expect((await rowOf('目前：低壓電力：二段式')).textContent).toContain('最省的契約容量：40 kW')
    expect(screen.queryByText('低壓電力：二段式')).toBeNull()
  })

  it('compares plans under the same trial contract, and states separately what that contract saves', async () => {
    const trial = { Capacities: { regular: 171 } }
    const billsOf = (...totals: number[]) => totals.map((Total) => ({ Total, Energy: 800 }))
    server.use(
      answers(bills.compareTariff, {
        Periods,
        Current: plan('lv_two_stage', [1200, 1300], {
          Capacities: { regular: 280 },
          Bills: billsOf(1200, 1300),
        }),
        Plans: [
          plan('lv_three_stage', [1000, 1056], { ...trial, Bills: billsOf(1000, 1056), Difference: -444 }),
          plan('lv_two_stage', [1000, 1100], { ...trial, Bills: billsOf(1000, 1100), Difference: -400 }),
        ],
      }),
    )
    open('?tab=compare&kw=171')
    expect(
      await screen.findByText(/^兩方案皆採試算的契約容量時.*「低壓電力：三段式」.*節省 NT\$ 44。$/),
    ).toBeTruthy()
    expect(
      screen.getByText('目前方案的契約容量改為 171 kW，過去一年可節省 NT$ 400（平均每月約 NT$ 33）。'),
    ).toBeTruthy()
  })

  it("says that it is computing, and marks the previous contract's figures meanwhile", async () => {
    const compared = { Periods, Current: null, Plans: [plan('lv_two_stage', [1000, 1200])] }
    server.use(answers(bills.compareTariff, compared))
    const { user } = open('?tab=compare')
    const row = await rowOf('低壓電力：二段式')
    expect(row.closest('[aria-busy]')?.getAttribute('aria-busy')).toBe('false')
    server.use(neverAnswers(bills.compareTariff))
    await user.type(screen.getByLabelText(/試算經常契約容量/), '60')
    await user.click(screen.getByRole('button', { name: /試.?算/ }))
    expect((await screen.findByRole('status')).textContent).toBe('正在試算各方案的電費，約需數秒。')
    const former = await rowOf('低壓電力：二段式')
    expect(former.closest('[aria-busy]')?.getAttribute('aria-busy')).toBe('true')
  })
})

describe('the editor of a custom tariff', () => {
  const edit = async (version: TariffVersion) => {
    server.use(answers(tariff.operations.list, [own(version)]))
    const { user } = open('?tab=own')
    await user.click(await screen.findByText(/^編.?輯$/))
    return user
  }
  const weekdays = () =>
    document.querySelector<HTMLElement>('[role="group"][aria-label="週一至週五"]') as HTMLElement
  const save = () => screen.getByText(/^儲.?存$/).closest('button') as HTMLButtonElement
  /** Found by selector: a query by role takes seconds for all these fields. */
  const alerts = () => [...document.querySelectorAll('[role="alert"]')].map(({ textContent }) => textContent)

  it('adds a season from half of the longest, and gives the days of a removed one to its neighbor', async () => {
    server.use(answers(tariff.operations.update, own(stages)))
    const user = await edit(stages)
    const first = screen.getAllByLabelText<HTMLInputElement>('起（月-日）').map(({ value }) => value)
    await user.click(screen.getByText('新增季節'))
    const spans = () => {
      const [from, through] = ['起（月-日）', '迄（月-日）'].map((label) =>
        screen.getAllByLabelText<HTMLInputElement>(label).map(({ value }) => value),
      ) as [string[], string[]]
      return from.map((one, i) => `${one}/${through[i]}`)
    }
    expect(spans()).toHaveLength(first.length + 1)
    expect(alerts()).toEqual([])
    // The prices of each season are shown.
    expect(document.querySelectorAll('h4')).toHaveLength(first.length + 1)
    await user.click(screen.getAllByText(/^移除.*（.*–.*）$/)[0] as HTMLElement)
    expect(spans()).toHaveLength(first.length)
    expect(alerts()).toEqual([])
    expect(save().disabled).toBe(false)
  })

  it('rejects a gap, naming its minutes, and overlapping windows', async () => {
    const user = await edit(stages)
    expect(save().disabled).toBe(false)
    await user.click(within(weekdays()).getAllByText(/移.?除/)[0] as HTMLElement)
    expect(alerts()).toEqual(['00:00–09:00：這一段沒有涵蓋'])
    await user.click(within(weekdays()).getByText('新增時段'))
    expect(alerts()).toEqual(['00:00–09:00：這一段沒有涵蓋', '23:45–24:00：這一段重複'])
    expect(save().disabled).toBe(true)
  })

  it('requires a name only when saving', async () => {
    server.use(answers(tariff.operations.list, []))
    const { user } = open('?tab=own')
    await user.click(await screen.findByText('新增電價'))
    expect(alerts()).toEqual([])
    await user.click(save())
    expect(alerts()).toEqual(['電價名稱：請輸入名稱'])
    expect(save().disabled).toBe(true)
    expect(sentTo(tariff.operations.create.path)).toEqual([])
  })

  it('does not overwrite a concurrent change before the user chooses', async () => {
    server.use(rejectCall(tariff.operations.update, 'CONFLICT', { fields: { Version: 'changed' } }))
    const user = await edit(stages)
    const price = () => screen.getAllByLabelText<HTMLInputElement>(/^尖峰單價/)[0] as HTMLInputElement
    fireEvent.change(price(), { target: { value: '6' } })
    const theirs = { ...own({ ...stages, MinimumBill: 300 }), TariffName: '園區 2027', Version: 2 }
    server.use(answers(tariff.operations.list, [theirs]))
    await user.click(save())
    expect(await screen.findByText('其他人剛修改過這筆資料')).toBeTruthy()
    expect(sentTo(tariff.operations.update.path)).toMatchObject([{ Version: 1 }])
    expect(save().disabled).toBe(true)
    expect(Number(price().value)).toBe(6)
    await user.click(screen.getByText('採用對方的內容'))
    expect(screen.getByLabelText<HTMLInputElement>('電價名稱').value).toBe('園區 2027')
    expect(Number(price().value)).toBe(5)
    server.use(answers(tariff.operations.update, theirs))
    await user.click(save())
    await waitFor(() => expect(sentTo(tariff.operations.update.path).at(-1)).toMatchObject({ Version: 2 }))
  })

  it('stores the kWh above which a surcharge applies', async () => {
    server.use(answers(tariff.operations.update, own(stages)))
    const user = await edit({ ...stages, Surcharge: { OverKwh: 1000, Price: 1 } })
    const price = screen.getByLabelText(/^每月超過 1,000 度加價/)
    fireEvent.change(price, { target: { value: '1.5' } })
    await user.click(save())
    await waitFor(() => expect(sentTo(tariff.operations.update.path)).toHaveLength(1))
    expect(sentTo(tariff.operations.update.path)[0]).toMatchObject({
      Versions: [{ Surcharge: { OverKwh: 1000, Price: 1.5 } }],
    })
  })

  it('says whether the power factor changes the bill', async () => {
    server.use(answers(tariff.operations.update, own(stages)))
    const user = await edit(stages)
    await user.click(screen.getByRole('switch', { name: '功率因數調整電費' }))
    await user.click(save())
    await waitFor(() => expect(sentTo(tariff.operations.update.path)).toHaveLength(1))
    expect(sentTo(tariff.operations.update.path)[0]).toMatchObject({ Versions: [{ PowerFactor: true }] })
  })

  it('names a missing price by its band', async () => {
    const user = await edit(stages)
    await user.clear(screen.getAllByLabelText(/^尖峰單價/)[0] as HTMLElement)
    await waitFor(() => expect(alerts()).toEqual(['尖峰單價：請填寫此欄位']))
    expect(save().disabled).toBe(true)
  })

  it('adds a version without changing prices of past days', async () => {
    server.use(answers(tariff.operations.update, own(flat)))
    const user = await edit({ ...flat, ValidFrom: '2020-01-01' })
    await user.click(screen.getByText('新增版本'))
    await user.click(save())
    await waitFor(() => expect(sentTo('/UpdateTariff')).toHaveLength(1))
    const { Versions } = sentTo('/UpdateTariff')[0] as Tariff
    const today = new Date().toLocaleDateString('sv-SE')
    expect(Versions[0]?.ValidThrough && Versions[0].ValidThrough >= today).toBe(true)
    expect(Versions[1]?.ValidFrom && Versions[1].ValidFrom > today).toBe(true)
  })

  it('adds a version that begins when the previous one ends', async () => {
    server.use(answers(tariff.operations.update, own(flat)))
    const user = await edit(flat)
    await user.click(screen.getByText('新增版本'))
    typeDay('生效日', '2027-01-01')
    expect(alerts().some((text) => text?.includes('這一段沒有涵蓋'))).toBe(true)
    await user.click(screen.getByText(flat.ValidFrom))
    typeDay('截止日（選填）', '2026-12-31')
    expect(alerts()).toEqual([])
    await user.click(save())
    await waitFor(() => expect(sentTo('/UpdateTariff')).toHaveLength(1))
    expect(sentTo('/UpdateTariff')[0]).toMatchObject({
      TariffID: 'own-1',
      Versions: [
        { ValidFrom: flat.ValidFrom, ValidThrough: '2026-12-31' },
        { ValidFrom: '2027-01-01', ValidThrough: null },
      ],
    })
  })
})

describe('tariff rules', () => {
  const factors = [
    { Year: 2023, Factor: 0.494, IsOwn: false },
    { Year: 2024, Factor: 0.48, IsOwn: true },
  ]
  beforeEach(() => {
    server.use(
      answers(homeTariff.listOffPeakDay, (body) => {
        const { Year } = body as { Year: number }
        return [
          { Date: `${Year}-01-01`, Holiday: 'foundingDay' as const, IsOffPeak: true, IsOwn: false },
          { Date: `${Year}-03-09`, Holiday: null, IsOffPeak: true, IsOwn: true },
        ]
      }),
      answers(homeTariff.listPeakDay, { Days: ['2026-06-10'], CompleteThrough: null }),
      answers(homeTariff.listCarbonFactor, factors),
      answers(homeTariff.getCarbonRule, { Rule: 'byYear', CheckedOn: '2026-11-28', Missing: null }),
    )
  })

  it('list the off-peak days of a year, and a company removes one without losing its own', async () => {
    server.use(answers(homeTariff.updateOffPeakDay, []))
    const { user } = open('?tab=rules')
    const year = await screen.findByRole('spinbutton', { name: '年份' })
    await user.clear(year)
    await user.type(year, '2030{Enter}')
    const day = await screen.findByRole('switch', { name: '2030/1/1 離峰' })
    expect((await rowOf(/2030\/3\/9/)).textContent).toContain('公司自訂')
    await user.click(day)
    await waitFor(() => expect(sentTo('/UpdateOffPeakDay')).toHaveLength(1))
    expect(sentTo('/UpdateOffPeakDay')[0]).toMatchObject({
      Year: 2030,
      Days: [
        { Date: '2030-03-09', IsOffPeak: true },
        { Date: '2030-01-01', IsOffPeak: false },
      ],
    })
  })

  it('list the announced peak days of a year, which a user adds and removes one by one', async () => {
    server.use(answers(homeTariff.updatePeakDay, { Days: [], CompleteThrough: null }))
    const { user } = open('?tab=rules')
    const year = await screen.findByRole('spinbutton', { name: '尖峰日年份' })
    await user.clear(year)
    await user.type(year, '2026{Enter}')
    expect(await screen.findByText('已輸入 1／30 天。')).toBeTruthy()
    typeDay('尖峰日', '2026-06-11')
    await user.click(screen.getByRole('button', { name: '加入尖峰日' }))
    await user.click(await screen.findByRole('button', { name: '移除 2026/6/10' }))
    await waitFor(() => expect(sentTo('/UpdatePeakDay')).toHaveLength(2))
    expect(sentTo('/UpdatePeakDay')).toMatchObject([
      {
        Year: 2026,
        Days: [{ Date: '2026-06-10' }, { Date: '2026-06-11' }],
        CompleteThrough: null,
        Seen: [{ Date: '2026-06-10' }],
      },
      { Year: 2026, Days: [] },
    ])
  })

  it('list a carbon factor for each year with its source, and restore the default', async () => {
    server.use(answers(homeTariff.updateCarbonFactor, []))
    const { user } = open('?tab=rules')
    expect((await rowOf(/2023 年度公告值/)).textContent).toContain(
      '2023 2023 年度公告值；系統預設 0.4940.494 kg CO₂e',
    )
    const mine = (await screen.findByText('0.480 kg CO₂e/kWh')).closest('li') as HTMLElement
    expect(mine.textContent).toContain('公司自訂')
    await user.click(within(mine).getByRole('button', { name: '恢復公告值' }))
    await waitFor(() =>
      expect(sentTo('/UpdateCarbonFactor')).toEqual([{ Factors: [], Seen: [{ Year: 2024, Factor: 0.48 }] }]),
    )
  })

  it('use the constant 0.494 or the yearly factor, as selected', async () => {
    server.use(
      answers(homeTariff.getCarbonRule, { Rule: 'constant', CheckedOn: '2026-11-28', Missing: null }),
      answers(homeTariff.updateCarbonRule, { Rule: 'byYear' }),
    )
    const { user } = open('?tab=rules')
    const row = (await screen.findByRole('link', { name: '查看 2022 年的碳排放量' })).closest(
      'li',
    ) as HTMLElement
    expect(row.textContent).toContain('系統預設；2023 年度公告值；2022 年度公告值 0.495')
    expect(row.textContent).toContain('0.494 kg CO₂e/kWh')
    await user.click(screen.getByRole('radio', { name: /以各年度公告值計算/ }))
    await waitFor(() => expect(sentTo('/UpdateCarbonRule')).toEqual([{ Rule: 'byYear' }]))
  })

  it('show the fallback of a year without a factor, set one for it, and link to its emissions', async () => {
    const lastYear = new Date().getFullYear() - 1
    server.use(answers(homeTariff.listCarbonFactor, []), answers(homeTariff.updateCarbonFactor, []))
    const { user } = open('?tab=rules')
    const row = (await screen.findByRole('link', { name: `查看 ${lastYear} 年的碳排放量` })).closest(
      'li',
    ) as HTMLElement
    expect(row.textContent).toContain('暫用 2024 年度公告值；系統預設 0.4940.474 kg CO₂e/kWh')
    expect(within(row).getByRole('link').getAttribute('href')).toBe(
      `/electricity/h1?range=${lastYear}&measure=co2`,
    )
    await user.click(within(row).getByRole('button', { name: `設定 ${lastYear} 年的係數` }))
    await user.keyboard('0.467{Enter}')
    await waitFor(() =>
      expect(sentTo('/UpdateCarbonFactor')).toMatchObject([{ Factors: [{ Year: lastYear, Factor: 0.467 }] }]),
    )
  })

  it('show every digit of a factor, and keep rejected input with the reason', async () => {
    server.use(
      answers(homeTariff.listCarbonFactor, [{ Year: 2030, Factor: 0.49455, IsOwn: true }]),
      rejectCall(homeTariff.updateCarbonFactor, 'CONFLICT', { fields: { Seen: 'changed' } }),
    )
    const { user } = open('?tab=rules')
    const mine = (await screen.findByText('0.49455 kg CO₂e/kWh')).closest('li') as HTMLElement
    expect(within(mine).getByRole('button', { name: /移.?除/ })).toBeTruthy()
    const factor = screen.getByLabelText(/係數/, { selector: 'input' })
    fireEvent.change(factor, { target: { value: '0.4' } })
    await user.click(screen.getByRole('button', { name: '設定係數' }))
    expect((await screen.findByRole('alert')).textContent).toBe('其他人剛修改過這筆資料')
    expect(Number((factor as HTMLInputElement).value)).toBe(0.4)
  })
})
