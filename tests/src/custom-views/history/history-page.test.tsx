import { act, screen } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { history, type HistoryDevice } from '../../../../contract/devices/history-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { home as homeResource } from '../../../../contract/homes/home.ts'
import HistoryPage from '../../../../src/custom-views/history/history-page.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { SCREEN_NAMESPACES } from '../../../../src/lib/i18n/namespaces.ts'
import type { ChartView } from '../../../../src/ui/chart/model.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'
import { PATIENT } from '../../../support/patient.ts'

// jsdom has no canvas: drawing is tested as functions, and in a real browser.
const plot = vi.hoisted(() => ({ select: (_view: ChartView): void => undefined }))
vi.mock('../../../../src/ui/chart/plot.ts', () => ({
  createPlot(_: unknown, { onSelect }: { onSelect: (view: ChartView) => void }) {
    plot.select = onSelect
    return { draw() {}, restyle() {}, resize() {}, point: () => 0, destroy() {} }
  },
}))
const LAST = Date.UTC(2026, 0, 5, 3)
const air: HistoryDevice = {
  PeripheralUID: 'air',
  PeripheralName: '會議室空氣',
  PeripheralType: '753',
  RoomID: 0,
  Quantities: [{ Field: 'PM25', Kind: 'measured', Label: null, Unit: 'µg/m³', First: LAST - 1, Last: LAST }],
}
const nothing = {
  PeripheralUID: 'air',
  Field: 'PM25',
  Kind: 'measured' as const,
  Unit: 'µg/m³',
  BucketMs: 0,
  GapMs: 1_800_000,
  Timestamps: [],
  Values: [],
  Min: null,
  Max: null,
  Unknown: [],
}
const home = aHome({
  RoomList: [{ HomeID: 'h1', RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] }],
})

const open = (query: string) => openPage(<HistoryPage />, '/history/:HomeID', `/history/h1${query}`)
const stored = (Devices: HistoryDevice[]) =>
  answers(history.listHistoryQuantity, { Devices, NextCursor: null })

beforeAll(() => loadNamespaces(['shell', 'errors', ...SCREEN_NAMESPACES, 'charts', 'history']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(homeResource.operations.list, [home]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  )
})

describe('the history page', () => {
  it('says why there is nothing if no data is stored', async () => {
    server.use(stored([]))
    open('')
    expect(await screen.findByText(/此場域還沒有儲存任何資料/)).toBeTruthy()
  })

  it('asks for a selection, and requests no values before there is one', async () => {
    server.use(stored([air]))
    open('')
    expect(await screen.findByText('選擇要查看的裝置與數值，最多 8 項。')).toBeTruthy()
    expect(sentTo(history.getHistorySeries)).toHaveLength(0)
  })

  it('drops invalid parts of a link', async () => {
    server.use(stored([air]), answers(history.getHistorySeries, [nothing]))
    const { address, user } = open('?range=2025-10-01&q=air:PM25&q=gone:PM25')
    await user.click(await screen.findByText('移除這些項目'))
    expect(new URLSearchParams(address()).getAll('q')).toEqual(['air:PM25'])
  })

  it('opens the last day with data if the period has none', async () => {
    server.use(stored([air]), answers(history.getHistorySeries, [nothing]))
    const { address, user } = open('?range=2025-10-01&q=air:PM25')
    await user.click(await screen.findByText(/前往最後有資料的日期（2026\/1\/5）/))
    expect(address()).toContain('range=2026-01-05')
  })

  it('requests the zoomed part at a finer resolution, and keeps it in the address without a history entry', async () => {
    const midnight = Date.parse('2025-10-01T00:00:00+08:00')
    const values = { ...nothing, Timestamps: [midnight, midnight + 60_000], Values: [4, 5] }
    server.use(stored([air]), answers(history.getHistorySeries, [values]))
    const { address, back } = open('?range=2025-10-01&q=air:PM25')
    await screen.findByRole('slider')
    await vi.waitFor(() => {
      act(() => plot.select({ from: midnight + 0.5, to: midnight + 3_599_999.5 }))
      expect(new URLSearchParams(address()).get('zoom')).toBe(`${midnight}..${midnight + 3_600_000}`)
    }, PATIENT)
    await vi.waitFor(
      () =>
        expect(sentTo(history.getHistorySeries)).toContainEqual(
          expect.objectContaining({ From: midnight, To: midnight + 3_600_000 }),
        ),
      PATIENT,
    )
    // The page is the first entry of the history.
    await act(back)
    expect(new URLSearchParams(address()).has('zoom')).toBe(true)
  })

  it('requests only the part that a link shows', async () => {
    const midnight = Date.parse('2025-10-01T00:00:00+08:00')
    const values = { ...nothing, Timestamps: [midnight + 3_600_000], Values: [4] }
    server.use(stored([air]), answers(history.getHistorySeries, [values]))
    open(`?range=2025-10-01&q=air:PM25&zoom=${midnight + 3_600_000}..${midnight + 7_200_000}`)
    await screen.findByRole('slider')
    expect(sentTo(history.getHistorySeries)).toEqual([
      expect.objectContaining({ From: midnight + 3_600_000, To: midnight + 7_200_000 }),
    ])
  })

  it('shows when a state was unknown: in its strip, below the chart and in the table', async () => {
    const midnight = Date.parse('2025-10-01T00:00:00+08:00')
    const door: HistoryDevice = {
      ...air,
      PeripheralUID: 'door',
      PeripheralName: '後門',
      PeripheralType: '755',
      Quantities: [{ Field: 'DoorState', Kind: 'state', Label: null, Unit: '', First: null, Last: LAST }],
    }
    const state = {
      ...nothing,
      PeripheralUID: 'door',
      Field: 'DoorState',
      Kind: 'state' as const,
      Unit: '',
      GapMs: null,
      Timestamps: [midnight],
      Values: [1],
      Unknown: [{ From: midnight + 3_600_000, To: midnight + 7_200_000 }],
    }
    server.use(stored([door]), answers(history.getHistorySeries, [state]))
    open('?range=2025-10-01&q=door:DoorState')
    const span = await screen.findByTitle(/^狀態不明 .*01:00:00 – .*02:00:00$/)
    expect(span.textContent).toBe('狀態不明')
    expect(screen.getAllByText('狀態不明').length).toBeGreaterThan(1)
    expect(screen.getByText('狀態變化（3 筆）')).toBeTruthy()
  })

  it('says that values could not be loaded, and retries', async () => {
    server.use(stored([air]), rejectCall(history.getHistorySeries, 'INTERNAL'))
    const { user } = open('?range=2025-10-01&q=air:PM25')
    const retry = await screen.findByRole('button', { name: /重\s?試/ })
    server.use(answers(history.getHistorySeries, [nothing]))
    await user.click(retry)
    expect(await screen.findByText('這段期間沒有資料。')).toBeTruthy()
  })
})
