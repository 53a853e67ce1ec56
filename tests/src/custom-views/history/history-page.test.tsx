import { QueryClientProvider } from '@tanstack/react-query'
import { configure, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { history, type HistoryDevice } from '../../../../contract/procedures/history.ts'
import { homeLists } from '../../../../contract/procedures/home-lists.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/procedures/personal.ts'
import HistoryPage from '../../../../src/custom-views/history/history-page.tsx'
import { queryClient } from '../../../../src/providers/api.ts'
import { loadNamespaces, SCREEN_NAMESPACES } from '../../../../src/providers/i18n.ts'
import { me } from '../../../../src/providers/session.ts'
import { answers, heard, owner, refuses, server, signInAs } from '../../../support/msw.ts'

// The first call of all fetches Amplify, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 60_000 })

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
}
const home = {
  HomeID: 'h1',
  HomeName: '總部',
  TimeZone: 'Asia/Taipei',
  ThreadNetworkKey: null,
  RoomList: [{ HomeID: 'h1', RoomID: 0, RoomName: '預設房間', PeripheralList: [], ThingNameList: [] }],
}

function open(query: string) {
  const router = createMemoryRouter([{ path: '/history/:HomeID', element: <HistoryPage /> }], {
    initialEntries: [`/history/h1${query}`],
  })
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  )
  return { router, user: userEvent.setup() }
}
const stored = (Devices: HistoryDevice[]) =>
  answers(history.listHistoryQuantity, { Devices, NextCursor: null })

beforeAll(() => loadNamespaces(['shell', 'errors', ...SCREEN_NAMESPACES, 'charts', 'history']))
beforeEach(() => {
  queryClient.clear()
  signInAs(owner)
  me.set(owner)
  server.use(
    answers(homeLists.listHome, [home]),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
  )
  heard.length = 0
})

describe('the history page', () => {
  it('says why there is nothing while nothing is stored', async () => {
    server.use(stored([]))
    open('')
    expect(await screen.findByText(/這個場域還沒有儲存任何資料/)).toBeTruthy()
  })

  it('asks for a choice, and asks the gateway for no values before there is one', async () => {
    server.use(stored([air]))
    open('')
    expect(await screen.findByText('選擇要查看的裝置與數值，最多 8 項。')).toBeTruthy()
    expect(heard.filter(({ path }) => path === history.getHistorySeries.path)).toHaveLength(0)
  })

  it('drops what a link asks for in vain', async () => {
    server.use(stored([air]), answers(history.getHistorySeries, [nothing]))
    const { router, user } = open('?range=2025-10-01&q=air:PM25&q=gone:PM25')
    await user.click(await screen.findByText('移除這些項目'))
    expect(new URLSearchParams(router.state.location.search).getAll('q')).toEqual(['air:PM25'])
  })

  it('goes to the last day with data when the period has none', async () => {
    server.use(stored([air]), answers(history.getHistorySeries, [nothing]))
    const { router, user } = open('?range=2025-10-01&q=air:PM25')
    await user.click(await screen.findByText(/前往最後有資料的日期（2026-01-05）/))
    expect(router.state.location.search).toContain('range=2026-01-05')
  })

  it('says that values could not be loaded, and tries again', async () => {
    server.use(stored([air]), refuses(history.getHistorySeries, 'INTERNAL'))
    const { user } = open('?range=2025-10-01&q=air:PM25')
    const retry = await screen.findByRole('button', { name: /重\s?試/ })
    server.use(answers(history.getHistorySeries, [nothing]))
    await user.click(retry)
    expect(await screen.findByText('這段期間沒有資料。')).toBeTruthy()
  })
})
