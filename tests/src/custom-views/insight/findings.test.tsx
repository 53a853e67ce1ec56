import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findings, type Finding } from '../../../../contract/findings/calls.ts'
import { FINDING_KINDS, TO_DO } from '../../../../contract/findings/finding-life.ts'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { placeFacts } from '../../../../contract/homes/place-facts-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { tariff } from '../../../../contract/tariffs/tariff.ts'
import { user as people } from '../../../../contract/people/user.ts'
import { scheduleFor } from '../../../../src/custom-views/insight/findings-schedule.ts'
import { linksOf } from '../../../../src/custom-views/insight/findings-drawer.tsx'
import InsightPage from '../../../../src/custom-views/insight/insight-page.tsx'
import { prefillIn } from '../../../../src/domain/automation/prefill.ts'
import { hasText, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { aFinding, aSaving } from '../../../support/a-finding.ts'
import { answers, neverAnswers, owner, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'

const page = (Rows: Finding[]) => ({ Rows, NextCursor: null, Total: Rows.length })
const evidence = (finding: Finding) => ({
  Finding: finding,
  Unit: 'kW' as const,
  Days: Array.from({ length: 4 }, (_, i) => ({
    Date: `2026-06-0${i + 6}`,
    Value: i === 1 ? null : 3.5,
    Usual: 1.5,
    Low: 1.2,
    High: 1.8,
  })),
  Claims: [{ MeterID: 'a', Name: '茶水間', Days: [{ Date: '2026-06-08', kWh: 48 }] }],
  Bill: { Was: 40_000, Without: 37_696 },
})
const ID = aFinding().FindingID
const open = (search = '') => openPage(<InsightPage />, '/insight/:HomeID', `/insight/h1${search}`)

beforeAll(() => loadNamespaces(['charts', 'energy', 'insight', 'tariff', 'devices', 'screens', 'lists']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [aHome()]),
    answers(meterData.getAllMeterData, [
      {
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
      },
    ]),
    answers(tariff.operations.list, []),
    answers(placeFacts.listPlaceFact, []),
    answers(people.operations.list, []),
    answers(findings.getSaving, aSaving()),
    answers(findings.listFinding, page([aFinding()])),
    answers(findings.getFindingEvidence, evidence(aFinding())),
    answers(findings.updateFinding, aFinding({ State: 'accepted', Version: 4 })),
  )
})

const OTHER = '6f1a9f0c-6a51-4f6a-9b1f-0a3c5e7d9b11'

describe('the possible saving of a home', () => {
  it('is shown above the list, rounded, with its range and its bills', async () => {
    const { user } = open()
    expect(await screen.findByText('約 NT$ 2,500')).toBeTruthy()
    expect(screen.getByText('（1,900–2,600）')).toBeTruthy()
    await user.click(screen.getByText('計算依據'))
    const bill = screen.getByRole('row', { name: /2026\/5\/14–6\/10/ })
    expect(bill.textContent).toContain('40,000')
    expect(bill.textContent).toContain('37,696')
  })

  it('has one amount per finding, and a part of it only if others overlap', async () => {
    const Parts = [
      { FindingID: ID, Amount: 2_455 },
      { FindingID: OTHER, Amount: 480.27 },
    ]
    const rows = [
      aFinding({ Counted: 2_455 }),
      aFinding({ FindingID: OTHER, Kind: 'leftOn', Counted: 480.27 }),
      aFinding({ FindingID: OTHER.replace('6', '7'), Kind: 'overContract' }),
    ]
    server.use(
      answers(findings.getSaving, aSaving({ Amount: 2_500, Exact: 2_468.57, Parts })),
      answers(findings.listFinding, page(rows)),
    )
    open()
    expect(await screen.findByText('（1,900–2,600）')).toBeTruthy()
    expect(await screen.findByText('因重疊，計入合計 NT$ 480')).toBeTruthy()
    const amounts = screen.getAllByText(/NT\$ 2,500/).map(({ textContent }) => textContent)
    expect(amounts).toEqual([
      '約 NT$ 2,500',
      'NT$ 2,500',
      'NT$ 2,500因重疊，計入合計 NT$ 480',
      'NT$ 2,500另計，不在總額內',
    ])
  })

  it('says that an empty list comes from missing data, if so', async () => {
    server.use(
      answers(
        findings.getSaving,
        aSaving({
          State: 'tooLittle',
          Amount: null,
          Low: null,
          High: null,
          Exact: null,
          Proof: null,
          Top: [],
          Lacks: [{ HomeID: 'h1', Reason: 'nights', Have: 1, Needed: 3, EnoughOn: null }],
        }),
      ),
      answers(findings.listFinding, page([])),
    )
    open()
    expect(
      await screen.findByText('3 個電表中只有 1 個的夜間（0:00–6:00）量測足夠，其餘無法檢查夜間基載。'),
    ).toBeTruthy()
    expect(await screen.findByText('沒有找到節能項目；但資料不足，尚無法斷定。')).toBeTruthy()
  })

  it('says that prices may have changed since they were checked', async () => {
    const Prices = { CheckedOn: '2026-09-15', ReviewOn: '2026-10-01', MayHaveChanged: true }
    server.use(answers(findings.getSaving, aSaving({ Prices })))
    open()
    expect(await screen.findByText('2026/10/1 起電價可能已調整，請以電費單核對。')).toBeTruthy()
    expect(screen.getByText('台電電價最近一次核對日期：2026/9/15。')).toBeTruthy()
  })

  it('shows which data is missing until when, never zero', async () => {
    const Lacks = [
      { HomeID: 'h1', Reason: 'days' as const, Have: 12, Needed: 28, EnoughOn: '2026-06-27' },
      { HomeID: 'h1', Reason: 'tariff' as const, Have: 0, Needed: 1, EnoughOn: null },
    ]
    server.use(
      answers(
        findings.getSaving,
        aSaving({ State: 'tooLittle', Amount: null, Low: null, High: null, Lacks, Top: [], Proof: null }),
      ),
      answers(findings.listFinding, page([])),
    )
    open()
    expect(await screen.findByText(/目前有 12 天；最快 2026\/6\/27 起足夠/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '設定電價' }).getAttribute('href')).toBe('/tariff/h1')
    expect(screen.queryByText(/NT\$ 0/)).toBeNull()
  })

  it('says that findings are open without a sum, and not that nothing is to be done', async () => {
    const none = aSaving({
      ...{ State: 'none', Amount: null, Low: null, High: null, Top: [] },
      Counts: { open: 1, accepted: 0, done: 0 },
    })
    server.use(answers(findings.getSaving, none))
    open()
    expect(
      await screen.findByText(/^目前無法確定每月可節省的金額，但有 1 個節能項目待處理或處理中。/),
    ).toBeTruthy()
    expect(screen.queryByText(/目前沒有值得處理的節能項目/)).toBeNull()
  })

  it('says that no saving is worthwhile, and what was verified', async () => {
    const none = aSaving({
      State: 'none',
      Amount: null,
      Low: null,
      High: null,
      Top: [],
      Counts: { open: 0, accepted: 0, done: 0 },
      Verified: { Amount: 4_000, Count: 1 },
    })
    server.use(answers(findings.getSaving, none), answers(findings.listFinding, page([])))
    open()
    expect((await screen.findAllByText(/目前沒有值得處理的節能項目/)).length).toBeGreaterThan(0)
    expect(screen.getByText('已驗證每月節省 NT$ 4,000（1 項）')).toBeTruthy()
  })

  it('offers to retry after a failure, and shows that it loads', async () => {
    server.use(rejectCall(findings.getSaving, 'INTERNAL'), neverAnswers(findings.listFinding))
    open()
    expect((await screen.findAllByRole('button', { name: /^重 ?試$/ })).length).toBeGreaterThan(0)
    expect(document.querySelector('[aria-busy="true"]')).not.toBeNull()
  })
})

describe('the list of findings', () => {
  it('shows each finding as a sentence with place and amount, and opens one by the address', async () => {
    const { user, address } = open()
    expect(await screen.findByText('自 2026/5/30 起夜間平均 3.50 kW，高於平常的 1.50 kW。')).toBeTruthy()
    expect(screen.getAllByText('茶水間').length).toBeGreaterThan(0)
    await user.click(screen.getByText('夜間基載偏高'))
    await waitFor(() => expect(address()).toContain(`finding=${ID}`))
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  it('is filtered by the address', async () => {
    open('?state=dismissed&kind=plan&owner=nobody')
    await waitFor(() =>
      expect(sentTo(findings.listFinding).at(-1)).toMatchObject({
        HomeID: 'h1',
        Filter: 'dismissed',
        Kind: 'plan',
        Owner: null,
      }),
    )
  })

  it('has words for every kind, sentence and action', () => {
    for (const kind of FINDING_KINDS) {
      expect(hasText(`insight:findings.kinds.${kind}`), kind).toBe(true)
      for (const key of TO_DO[kind]) expect(hasText(`insight:findings.toDo.${key}`), key).toBe(true)
      for (const { to } of linksOf(aFinding({ Kind: kind }))) expect(to).toMatch(/^\/.*h1/)
    }
  })
})

describe('a recorded measure', () => {
  it('is sent with its meter and day, and says where another one is not verified yet', async () => {
    server.use(rejectCall(findings.recordMeasure, 'CONFLICT', { fields: { MeterID: 'taken' } }))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: /登記改善措施/ }))
    const dialog = await screen.findByRole('dialog')
    const save = within(dialog).getByRole('button', { name: /^儲 ?存$/ })
    expect(save).toHaveProperty('disabled', true)
    await user.type(within(dialog).getByLabelText('改善內容'), '更換水泵')
    await user.click(within(dialog).getByRole('combobox', { name: '計量此改善的電表' }))
    await user.click(await screen.findByTitle('a'))
    await user.click(save)
    await waitFor(() =>
      expect(sentTo(findings.recordMeasure).at(-1)).toMatchObject({
        HomeID: 'h1',
        MeterID: 'a',
        MeasureName: '更換水泵',
      }),
    )
    expect(await within(dialog).findByText('此電表有另一項改善尚在驗證。')).toBeTruthy()
    server.use(answers(findings.recordMeasure, aFinding({ Kind: 'measure', State: 'done' })))
    await user.click(save)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is hidden without the right to change electricity', async () => {
    prepareSession(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    open()
    expect(await screen.findByText('夜間基載偏高')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /登記改善措施/ })).toBeNull()
  })
})

describe('a schedule for a finding', () => {
  const hours = [{ Weekdays: [1, 2, 3, 4, 5], From: 480, To: 1200, Days: 'workdays' as const }]
  const socket = { PeripheralUID: 'a', PeripheralType: '518', RoomID: 3 }

  it('begins at closing time and switches off the device itself if possible', () => {
    const plan = scheduleFor(aFinding({ Kind: 'leftOn' }), '下班後未關 · 茶水間', { device: socket, hours })
    expect(plan).toMatchObject({
      AutomationName: '下班後未關 · 茶水間',
      Schedule: { Weekdays: [1, 2, 3, 4, 5], Days: 'workdays', At: 1200 },
      Actions: [{ PeripheralUID: 'a', Values: { Switch: 0 } }],
    })
    const address =
      linksOf(aFinding({ Kind: 'leftOn' }), plan).find(({ name }) => name === 'schedule')?.to ?? ''
    expect(prefillIn(new URLSearchParams(address.split('?')[1]))).toEqual(plan)
  })

  it('begins on the next day for a place open past midnight', () => {
    const late = [{ Weekdays: [5, 6], From: 1080, To: 120, Days: 'all' as const }]
    expect(
      scheduleFor(aFinding({ Kind: 'leftOn' }), 'x', { device: undefined, hours: late })?.Schedule,
    ).toMatchObject({ Weekdays: [6, 0], At: 120 })
  })

  it("switches off the room's lights if the meter only counts them, and leaves unknown loads to the user", () => {
    const meter = { ...socket, PeripheralType: '514' }
    const actions = (PlaceName: string) =>
      scheduleFor(aFinding({ Kind: 'leftOn', PlaceName }), 'x', { device: meter, hours })?.Actions
    expect(actions('理貨區照明迴路')).toMatchObject([{ RoomID: 3, Only: 'lights', Values: { On: 0 } }])
    expect(actions('插座迴路')).toEqual([])
  })

  it('is not offered for findings that no schedule fixes', () => {
    expect(scheduleFor(aFinding({ Kind: 'contract' }), 'x', { device: socket, hours })).toBeUndefined()
  })
})

describe('one finding', () => {
  it.each([
    ['contract', '實際電費'],
    ['plan', '現行方案（最省契約）'],
  ] as const)('about the %s shows each bill as it is and with the change, as bars', async (Kind, present) => {
    const bill = (Date: string, Value: number, Usual: number) => ({
      ...{ Date, Value, Usual, Low: null, High: null },
    })
    const finding = aFinding({ Kind, Place: { RoomID: null, MeterID: null }, PlaceName: null, kWh: null })
    const Days = [bill('2026-04-01', 30_000.4, 27_000), bill('2026-05-01', 31_000, 28_500)]
    server.use(
      answers(findings.getFindingEvidence, {
        ...{ Finding: finding, Unit: 'TWD' as const, Days, Claims: [], Bill: null },
      }),
    )
    const { user } = open(`?finding=${ID}`)
    const drawer = within(await screen.findByRole('dialog'))
    const chart = await drawer.findByRole('figure', { name: '每期電費：現在與調整後（NT$）' })
    expect(chart.textContent).toContain(present)
    expect(chart.textContent).toContain('調整後')
    expect(drawer.queryByText(/每日數值與通常範圍/)).toBeNull()
    await user.click(drawer.getByText('查看各期數字'))
    const headers = drawer.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(headers).toEqual(['計費起始日', present, '調整後'])
    expect(drawer.getByRole('row', { name: /2026\/4\/1/ }).textContent).toContain('27,000')
  })

  it('shows the proof by day, which part counts, and what can be done', async () => {
    open(`?finding=${ID}`)
    const dialog = await screen.findByRole('dialog')
    expect(await within(dialog).findByRole('img', { name: /每日數值與通常範圍/ })).toBeTruthy()
    expect(within(dialog).getByText(/茶水間：28 天共 48/)).toBeTruthy()
    expect(within(dialog).getByText(/這 28 天的帳單為 NT\$ 40,000/)).toBeTruthy()
    expect(within(dialog).getByText('夜間到現場巡查，找出仍在運轉的設備。')).toBeTruthy()
    expect(
      within(dialog).getByRole('link', { name: '查看用電型態', hidden: true }).getAttribute('href'),
    ).toBe('/insight/h1?tab=profile&meters=a')
  })

  it('is assigned to the user with the version that they saw', async () => {
    const { user } = open(`?finding=${ID}`)
    await user.click(await screen.findByRole('button', { name: '我來處理' }))
    await waitFor(() =>
      expect(sentTo(findings.updateFinding).at(-1)).toMatchObject({
        FindingID: ID,
        Version: 3,
        State: 'accepted',
        Owner: owner.CognitoId,
      }),
    )
  })

  it('is dismissed with a reason, or deferred until a day', async () => {
    const { user } = open(`?finding=${ID}`)
    await user.click(await screen.findByRole('button', { name: /^擱 ?置$/ }))
    const title = await screen.findByText('選擇擱置原因')
    const dialog = title.closest('[role="dialog"]') as HTMLElement
    expect(within(dialog).getByRole('radio', { name: '暫不處理' })).toHaveProperty('checked', true)
    await user.click(within(dialog).getByRole('radio', { name: /判斷有誤/ }))
    await user.click(within(dialog).getByRole('button', { name: /^擱 ?置$/ }))
    await waitFor(() =>
      expect(sentTo(findings.updateFinding).at(-1)).toMatchObject({ State: 'dismissed', Reason: 'wrong' }),
    )
    expect(sentTo(findings.updateFinding).at(-1)).not.toHaveProperty('Until')
  })

  it('is read-only without the right to change it', async () => {
    prepareSession(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    open(`?finding=${ID}`)
    expect(await screen.findByText(/未指派/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '我來處理' })).toBeNull()
  })

  it('says that it no longer exists', async () => {
    server.use(rejectCall(findings.getFindingEvidence, 'NOT_FOUND'))
    open(`?finding=${ID}`)
    expect(await screen.findByText('此節能項目已不存在。')).toBeTruthy()
  })
})
