import { screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findings } from '../../../../../contract/findings/calls.ts'
import { meterData } from '../../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../../contract/people/personal-calls.ts'
import { tariff } from '../../../../../contract/tariffs/tariff.ts'
import SavingCard from '../../../../../src/custom-views/dashboard/cards/saving-card.tsx'
import { loadNamespaces } from '../../../../../src/lib/i18n/i18n.ts'
import { aFinding, aSaving } from '../../../../support/a-finding.ts'
import { answers, rejectCall, server } from '../../../../support/msw.ts'
import { aHome, prepareSession, openPage } from '../../../support/page.tsx'

const homes = [aHome(), aHome({ HomeID: 'h2', HomeName: '工廠' })]
const open = (some = homes) => openPage(<SavingCard homes={some} />, '/', '/')

beforeAll(() => loadNamespaces(['cards', 'dashboard', 'insight', 'tariff', 'screens']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(tariff.operations.list, []),
    answers(findings.getSaving, aSaving({ Proof: null })),
  )
})

describe('the savings card', () => {
  it('shows the sum and the largest findings with their sites, each with a link to its proof', async () => {
    open()
    expect(await screen.findByText('約 NT$ 2,500')).toBeTruthy()
    expect(screen.getByText('NT$ 2,500')).toBeTruthy()
    const row = screen.getByRole('link', { name: '夜間基載偏高' })
    expect(row.getAttribute('href')).toBe(aFinding().Evidence)
    expect(row.closest('li')?.textContent).toContain('總部 · 茶水間')
  })

  it('shows each finding with its own amount, its part in the sum if others overlap, and the rest in one row', async () => {
    const ids = ['1', '2', '3', '4', '5'].map((digit) => aFinding().FindingID.replaceAll('1', digit))
    const counted = [18_355.2, 15_000, 6_200, 304.2, 201]
    const Top = ids.map((FindingID, i) =>
      aFinding({ FindingID, Amount: [18_359.55, 15_098, 9_959, 310, 201][i] as number, Counted: counted[i] }),
    )
    const Parts = ids.map((FindingID, i) => ({ FindingID, Amount: counted[i] as number }))
    server.use(answers(findings.getSaving, aSaving({ Amount: 2_500, Top, Parts, Proof: null })))
    open()
    const rows = within((await screen.findByText('其他 2 項')).closest('ul') as HTMLElement)
    const amounts = rows.getAllByText(/^NT\$/).map(({ textContent }) => textContent)
    expect(amounts).toEqual(['NT$ 18,000', 'NT$ 15,000', 'NT$ 10,000', 'NT$ 510'])
    expect(rows.getAllByText(/計入合計/).map(({ textContent }) => textContent)).toEqual([
      '因重疊，計入合計 NT$ 6,200',
    ])
  })

  it('links to the page of the site if there is one', async () => {
    open([aHome()])
    expect((await screen.findByRole('link', { name: '每月可節省（估計）' })).getAttribute('href')).toBe(
      '/insight/h1',
    )
  })

  it('shows which data is missing until when, without an amount', async () => {
    const Lacks = ['h1', 'h2'].map((HomeID) => ({
      HomeID,
      Reason: 'notYet' as const,
      Have: 0,
      Needed: 28,
      EnoughOn: null,
    }))
    server.use(
      answers(
        findings.getSaving,
        aSaving({ State: 'tooLittle', Amount: null, Low: null, High: null, Top: [], Lacks, Proof: null }),
      ),
    )
    open()
    expect(await screen.findByText(/尚未計算/)).toBeTruthy()
    expect(screen.queryByText(/NT\$/)).toBeNull()
  })

  it('shows no day while past readings are being loaded', async () => {
    const lack = { HomeID: 'h1', Reason: 'loading' as const, Have: 3, Needed: 28, EnoughOn: null }
    server.use(
      answers(
        findings.getSaving,
        aSaving({
          State: 'tooLittle',
          Amount: null,
          Low: null,
          High: null,
          Top: [],
          Lacks: [lack],
          Proof: null,
        }),
      ),
    )
    open()
    const said = await screen.findByText(/仍在匯入與彙整/)
    expect(said.textContent).not.toMatch(/\d/)
  })

  it('says that no saving is worthwhile, and which data of one site is missing', async () => {
    const Lacks = [{ HomeID: 'h2', Reason: 'tariff' as const, Have: 0, Needed: 1, EnoughOn: null }]
    server.use(
      answers(
        findings.getSaving,
        aSaving({
          ...{ State: 'none', Amount: null, Low: null, High: null, Top: [], Lacks, Proof: null },
          Counts: { open: 0, accepted: 0, done: 0 },
        }),
      ),
    )
    open()
    expect(await screen.findByText('目前沒有值得處理的節能項目。')).toBeTruthy()
    expect(screen.getByText(/工廠: 尚未設定電價/)).toBeTruthy()
  })

  it('offers to retry after a failure', async () => {
    server.use(rejectCall(findings.getSaving, 'INTERNAL'))
    open()
    expect(await screen.findByRole('alert')).toBeTruthy()
  })

  it('compares this month with last year if there is no saving, and shows the number of sites', async () => {
    const Coverage = { Measured: 960, Between: 0, Estimated: 0, Corrected: 0, Missing: 0, Withheld: 0 }
    server.use(
      answers(
        findings.getSaving,
        aSaving({ State: 'none', Amount: null, Low: null, High: null, Top: [], Proof: null }),
      ),
      answers(meterData.getMonthBesideYear, {
        ...{ Days: 10, Homes: { Compared: 18, Total: 30 }, Partly: false },
        ...{ Now: { kWh: 900, Cost: 2_700, Coverage }, Before: { kWh: 1_000, Cost: 2_500, Coverage } },
      }),
    )
    open()
    const card = within((await screen.findByText('本月至昨天，與去年同期比較')).parentElement as HTMLElement)
    expect(card.getByText('900')).toBeTruthy()
    expect(card.getByText(/−100 kWh/).textContent).toContain('10')
    expect(card.getByText(/\+NT\$ 200/)).toBeTruthy()
    expect(card.getByText('只計 30 個場域中的 18 個；其餘場域去年同期沒有資料。')).toBeTruthy()
  })
})
