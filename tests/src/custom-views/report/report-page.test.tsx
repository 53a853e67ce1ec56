import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { company } from '../../../../contract/people/company-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { type CarbonReport, type MonthlyReport, reports } from '../../../../contract/reports/calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { user as people } from '../../../../contract/people/user.ts'
import { documentOf } from '../../../../contract/reports/document-of.ts'
import ReportPage from '../../../../src/custom-views/report/report-page.tsx'
import { reportWorkbook } from '../../../../src/custom-views/report/report-workbook.ts'
import { showNoticesWith } from '../../../../src/data/notices.ts'
import { loadNamespaces, wordsIn } from '../../../../src/lib/i18n/i18n.ts'
import { answers, neverAnswers, owner, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aHome, prepareSession, openPages, sentTo } from '../../support/page.tsx'
import { PATIENT } from '../../../support/patient.ts'

const figure = (Now: number | null, Before: number | null, Change: number | null) => ({
  Now,
  Before,
  Change,
  Said: Change === null ? ('none' as const) : ('plain' as const),
})
const figures = {
  kWh: figure(1_200, 1_000, 0.2),
  Cost: figure(6_000, 5_000, 0.2),
  CarbonKg: figure(592.8, 494, 0.2),
  Complete: 1,
  CompleteBefore: 1,
}
const head = { Language: 'zh-TW' as const, HomeID: 'h1', Company: '示範公司', AsOf: 1_793_000_000_000 }
const site = { HomeID: 'h1', HomeName: '總部', TimeZone: 'Asia/Taipei' }
const monthly: MonthlyReport = {
  Kind: 'monthly',
  ...head,
  Period: '2026-05',
  From: '2026-05-01',
  Through: '2026-05-31',
  IsOver: true,
  Total: figures,
  Sites: [{ ...site, Figures: figures, Alarms: 2 }],
  Detail: {
    Days: [
      { Date: '2026-05-01', kWh: 600, Before: 500 },
      { Date: '2026-05-02', kWh: null, Before: 500 },
    ],
    Demand: { PeakKw: 12, At: 1_780_000_000_000, Limit: 10, IsAtLeast: true },
    Bill: {
      From: '2026-05-01',
      Through: '2026-05-31',
      kWh: 1_200,
      Known: 1,
      Lines: [],
      Total: 7_000,
      Sold: null,
      Energy: 6_000,
      DaysWithoutTariff: 0,
      IsOver: true,
    },
    Rooms: [{ Key: '1', Name: '機房', kWh: 900, Share: 0.75, Cost: 4_500, Complete: 1 }],
    Machines: [{ Key: 'untracked', Name: null, kWh: 300, Share: 0.25, Cost: 1_500, Complete: 1 }],
    Balance: null,
    Coverage: { Measured: 96, Between: 0, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 },
    Resets: 0,
  },
  Alarms: { Raised: 2, Critical: 1, Open: 0 },
  Findings: [],
  Carbon: [{ Year: 2026, Factor: 0.494, Source: 'constant', Of: 2023 }],
}
const sum = { kWh: 1_000, Complete: 1, Corrected: 0, CarbonKg: 494 }
const carbon: CarbonReport = {
  Kind: 'carbon',
  ...head,
  Period: '2025',
  Method: 'location',
  Factor: { Year: 2025, Factor: 0.494, Source: 'constant', Of: 2023 },
  ...sum,
  Sites: [{ ...site, ...sum, Since: null, Months: [{ Month: '2025-12', IsMetered: true, ...sum }] }],
  Lacks: [],
  IsProvisional: false,
  Closed: null,
}

const open = (path = '/report/h1/monthly/2026-05') =>
  openPages(
    ['/report/:HomeID/:Kind?/:Period?', '/CompanyReport/:Kind?/:Period?'].map((route) => ({
      path: route,
      element: <ReportPage />,
    })),
    path,
  )

beforeAll(() => loadNamespaces(['report', 'tariff', 'energy', 'screens', 'lists']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(company.getCompanyProfile, { CompanyName: '示範公司', LogoName: '', LogoUrl: null }),
    answers(home.operations.list, [aHome()]),
    answers(people.operations.list, []),
    answers(reports.getReport, monthly),
  )
})

describe('a report', () => {
  it('shows the summary, then its tables, with coverage, factor and source on the sheet', async () => {
    open()
    const sheet = await screen.findByRole('article')
    expect(sheet.textContent).toContain('本期用電 1,200 度，比去年同期多 20.0%。')
    expect(sheet.textContent).toContain('最高需量 12.00 kW，超過契約容量 10 kW。')
    expect(sheet.textContent).toContain('資料完整率 100.0%；去年同期 100.0%')
    expect(sheet.textContent).toContain('0.494 kg CO₂e／度（系統預設；2023 年度公告值）')
    expect(sheet.textContent).toContain('最高需量可能更高')
    const days = within(sheet).getByRole('table', { name: '每日用電明細' })
    expect(within(days).getByRole('row', { name: /2026\/5\/2/ }).textContent).toBe('2026/5/2–500')
    expect(within(sheet).getByRole('img', { name: /每日用電/ })).toBeTruthy()
    expect(within(sheet).getByRole('table', { name: '各裝置用電' }).textContent).toContain('未分項用電')
  })

  it('says that emissions are of purchased electricity if they are not energy times factor', async () => {
    const CarbonKg = { ...monthly.Total.CarbonKg, Now: 494 }
    server.use(answers(reports.getReport, { ...monthly, Total: { ...monthly.Total, CarbonKg } }))
    open()
    const sheet = await screen.findByRole('article')
    expect(sheet.textContent).toContain('碳排放只計購電：1,000 度 × 0.494 kg CO₂e／度；用電共 1,200 度')
  })

  it('names the season of billed energy only if a bill has two', async () => {
    const line = (
      Season: 'summer' | 'nonSummer',
      Price: number,
      [Item, Detail]: readonly ['energy' | 'powerFactor', string] = ['energy', 'offPeak'],
    ) => ({
      Item,
      Detail,
      Season,
      ValidFrom: '2025-10-01',
      Quantity: 100,
      Unit: 'kWh' as const,
      Price,
      Factor: 1,
      Amount: 100 * Price,
    })
    const billed = (Lines: ReturnType<typeof line>[]) =>
      documentOf({ ...monthly, Detail: { ...detail, Bill: { ...detail.Bill, Lines } } }, wordsIn('zh-TW'))
        .sections.find(({ key }) => key === 'bill')
        ?.table?.rows.map(([name]) => name)
    const detail = monthly.Detail as NonNullable<MonthlyReport['Detail']>
    const factor = line('nonSummer', 1, ['powerFactor', '86'])
    expect(billed([line('summer', 2.53), line('nonSummer', 2.32), factor])).toEqual([
      '流動電費 離峰（夏月）',
      '流動電費 離峰（非夏月）',
      '功率因數調整 86%',
    ])
    expect(billed([line('summer', 2.53)])).toEqual(['流動電費 離峰'])
  })

  it('has no figures of the previous year if only a few days are known, and shows how complete it is', () => {
    const { sections } = documentOf(
      {
        ...monthly,
        Total: { ...figures, kWh: figure(1_200, 100, null), CompleteBefore: 3 / 31 },
      },
      wordsIn('zh-TW'),
    )
    const compared = sections.find(({ key }) => key === 'figures')
    expect(compared?.table?.rows.map((row) => row[2])).toEqual([null, null, null])
    expect(compared?.notes.join()).toContain('去年同期只有 9.6% 的資料')
  })

  it("uses the selected language instead of the person's", async () => {
    const { user, address } = open()
    await screen.findByRole('article')
    await user.click(screen.getByRole('combobox', { name: '報告語言' }))
    await user.click(await screen.findByTitle('English'))
    expect(await screen.findByText('總部: monthly energy report')).toBeTruthy()
    expect(address()).toBe('?language=en-US')
    expect(screen.getByRole('button', { name: /列\s?印/ })).toBeTruthy()
  })

  it('switches from a site to the company, and from months to years', async () => {
    const { user, path } = open()
    await screen.findByRole('article')
    await user.click(screen.getByRole('combobox', { name: '場域' }))
    await user.click(await screen.findByTitle('所有場域'))
    expect(path()).toBe('/CompanyReport/monthly/2026-05')
    expect(sentTo(reports.getReport).at(-1)).toMatchObject({ HomeID: null, Period: '2026-05' })
    server.use(answers(reports.getReport, { ...carbon, HomeID: null }))
    await user.click(screen.getByText('範疇二（年度）'))
    expect(path()).toMatch(/^\/CompanyReport\/carbon\/20\d\d$/)
  })

  it('is printed, saved and sent only with the right to download energy data', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    const told: string[] = []
    const end = showNoticesWith(
      ({ text }) => told.push(text()),
      () => '',
    )
    const { user } = open()
    await screen.findByRole('article')
    await user.click(screen.getByRole('button', { name: /列\s?印/ }))
    expect(print).toHaveBeenCalledOnce()
    server.use(answers(reports.sendReport, { Letters: 1, Skipped: [{ Name: '陳訪客', Reason: 'right' }] }))
    await user.click(screen.getByRole('button', { name: /寄\s?送$/ }))
    await user.click(await screen.findByRole('button', { name: /寄\s?出/ }))
    await vi.waitFor(
      () => expect(told).toEqual(['1 封電子郵件即將寄出。', expect.stringContaining('陳訪客')]),
      PATIENT,
    )
    expect(sentTo(reports.sendReport)).toMatchObject([
      { HomeID: 'h1', Kind: 'monthly', Period: '2026-05', Recipients: [owner.CognitoId] },
    ])
    end()
    print.mockRestore()
  })

  it('hides saving, sending and printing from a person who may only read', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
    prepareSession(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    const { user } = open()
    await screen.findByRole('article')
    expect(screen.queryByRole('button', { name: /另存試算表/ })).toBeNull()
    expect(screen.queryByRole('button', { name: /寄\s?送$/ })).toBeNull()
    await user.click(screen.getByRole('button', { name: /列\s?印/ }))
    expect(print).not.toHaveBeenCalled()
    print.mockRestore()
  })

  it('shows that it loads, and offers to retry after a failure', async () => {
    server.use(neverAnswers(reports.getReport))
    open()
    expect(await screen.findByLabelText('報告種類')).toBeTruthy()
    expect(screen.queryByRole('article')).toBeNull()
  })

  it('offers to retry after the gateway rejects the call', async () => {
    server.use(rejectCall(reports.getReport, 'INTERNAL'))
    open()
    expect(await screen.findByRole('button', { name: /重\s?試/ })).toBeTruthy()
  })
})

describe('a carbon report', () => {
  it('is closed after confirmation, and shows who closed it and its hash', async () => {
    server.use(answers(reports.getReport, carbon))
    const { user } = open('/report/h1/carbon/2025')
    await screen.findByRole('article')
    const Closed = {
      At: head.AsOf,
      By: '5b0e7a4e-3a52-4f53-9a5d-0c8f4b1f6a01',
      ByName: '王小明',
      Hash: 'a'.repeat(64),
      IsIntact: true,
      Differs: { kWh: 1_100, CarbonKg: 543.4 },
    }
    server.use(
      answers(reports.closeReport, { ...carbon, Closed }),
      answers(reports.getReport, { ...carbon, Closed }),
    )
    await user.click(screen.getByRole('button', { name: /結\s?案/ }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /結\s?案/ }))
    expect(await screen.findByText(/由 王小明 於 .* 結案/)).toBeTruthy()
    expect(screen.getByText(/結案後資料有變動：依目前的資料為 1,100.0 度/)).toBeTruthy()
    expect(screen.getByRole('button', { name: /重新開啟/ })).toBeTruthy()
  })

  it('is provisional without complete data, and says what is missing', async () => {
    server.use(
      answers(reports.getReport, {
        ...carbon,
        IsProvisional: true,
        Lacks: [{ Reason: 'coverage', HomeID: 'h1', Month: '2025-07', Have: 0.94999 }],
      }),
    )
    open('/report/h1/carbon/2025')
    expect(await screen.findByText('總部 2025年7月：資料完整率 94.9%，未達 95%。')).toBeTruthy()
    expect(screen.getByText('2025 年（暫估）')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /結\s?案/ })).toBeNull()
  })
})

describe('the workbook of a report', () => {
  it('has a summary sheet and one for each table', async () => {
    const { name, blob } = await reportWorkbook(documentOf(monthly, wordsIn('zh-TW')), '內容')
    expect(name).toBe('總部 用電月報 2026-05.xlsx')
    const text = await blob.text()
    const sheets = text.match(/xl\/worksheets\/sheet\d+\.xml/g) ?? []
    expect(new Set(sheets).size).toBeGreaterThan(7)
  })
})
