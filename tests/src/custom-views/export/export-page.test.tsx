import { Blob as NodeBlob } from 'node:buffer'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { meterData, type HistoryRow } from '../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { home } from '../../../../contract/homes/home.ts'
import ExportPage from '../../../../src/custom-views/export/export-page.tsx'
import type { FromWorker, ToWorker } from '../../../../src/lib/export/messages.ts'
import { createExportWriter, type ExportWriter } from '../../../../src/lib/export/writer.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { authState } from '../../../../src/data/auth-state.ts'
import { homesKey } from '../../../../src/data/homes.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { forcedSignOut } from '../../../../src/live/session.ts'
import { showNoticesWith } from '../../../../src/data/notices.ts'
import { answers, neverAnswers, requests, owner, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, openPage } from '../../support/page.tsx'
/** Runs the worker's code on the page: the test is about the page's messages to it. */
class PageWorker extends EventTarget {
  #writer: ExportWriter | undefined
  postMessage(message: ToWorker): void {
    this.take(message)
  }
  protected take(message: ToWorker): void {
    const answer = async (): Promise<FromWorker> => {
      if ('plan' in message) this.#writer = createExportWriter(message.plan)
      else if ('end' in message) return { file: await (this.#writer as ExportWriter).end() }
      else if ('ping' in message) return { alive: true }
      else await this.#writer?.add(message.meter, message.rows)
      return { accepted: true }
    }
    void answer().then((data) => this.dispatchEvent(new MessageEvent('message', { data })))
  }
  terminate(): void {
    this.#writer = undefined
  }
}

const FROM = Date.parse('2025-10-01T00:00:00+08:00')
const point = (Timestamp: number, kWh: number | null) => ({
  Timestamp,
  kWh,
  Cost: null,
  CarbonKg: null,
  Coverage: {
    Measured: kWh === null ? 0 : 1,
    Between: 0,
    Estimated: 0,
    Corrected: 0,
    Missing: kWh === null ? 1 : 0,
    Withheld: 0,
  },
  Resets: 0,
})

let saved: { name: string; text: Promise<string> }[] = []
function open(search = '?range=2025-10-01&detail=hour&format=csv', person = owner) {
  prepareSession(person)
  return openPage(<ExportPage />, '/export/:HomeID/:kind?', `/export/h1${search}`)
}

beforeAll(() => loadNamespaces(['export', 'charts']))
beforeEach(() => {
  saved = []
  vi.stubGlobal('Worker', PageWorker)
  vi.stubGlobal('Blob', NodeBlob)
  let last: Blob
  URL.createObjectURL = (blob) => {
    last = blob as Blob
    return 'blob:x'
  }
  URL.revokeObjectURL = () => {}
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: last.text() })
  })
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [aHome()]),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [
        aPeripheral({ PeripheralUID: 'm1', PeripheralType: '514', PeripheralName: '1F 總電表' }),
        aPeripheral({ PeripheralUID: 'lamp', PeripheralType: '516' }),
      ],
      Statuses: [],
    }),
    answers(meterData.getEnergySeries, {
      Series: [{ Key: 'm1', Points: [point(FROM, 1.25), point(FROM + 3_600_000, null)] }],
      Meters: { Reporting: 1, Total: 1 },
      Carbon: [],
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the export page', () => {
  it('requests only the selected meters, and saves a file named after the meter', async () => {
    const { user, path } = open()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await screen.findByText('已匯出「1F 總電表.csv」')
    expect(path()).toBe('/export/h1/meter')
    const asked = requests.find(({ path }) => path === meterData.getEnergySeries.path)?.body
    expect(asked).toEqual({
      HomeID: 'h1',
      From: FROM,
      To: FROM + 24 * 3_600_000,
      Resolution: 'hour',
      By: 'meter',
      PeripheralUIDs: ['m1'],
    })
    expect(saved[0]?.name).toBe('1F 總電表.csv')
    const lines = (await saved[0]?.text)?.trim().split('\r\n') ?? []
    expect(lines[0]).toContain('用電量 (kWh)')
    expect(lines[1]).toBe('2025-10-01 00:00:00,2025-10-01T00:00:00+08:00,1.25,,,實測,1,0,0,0,0,0,0')
    expect(lines[2]).toBe('2025-10-01 01:00:00,2025-10-01T01:00:00+08:00,,,,缺漏,0,0,0,0,1,0,0')
  })

  it('writes the quality of every row with any selection of columns, and marks an unfinished period', async () => {
    const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000
    const slow = { ...point(hour - 2 * 3_600_000, 3), Coverage: { ...point(0, 1).Coverage, Between: 3 } }
    const guessed = { ...point(hour - 3_600_000, 2), Coverage: { ...point(0, 1).Coverage, Estimated: 1 } }
    server.use(
      answers(meterData.getEnergySeries, {
        Series: [{ Key: 'm1', Points: [slow, guessed, point(hour, 1)] }],
        Meters: { Reporting: 1, Total: 1 },
        Carbon: [],
      }),
    )
    const { user } = open('?range=today&detail=hour&format=csv&columns=kWh')
    expect(await screen.findByText(/兩次讀數之間（電表準時回報，但間隔超過 15 分鐘）/)).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await waitFor(() => expect(saved).toHaveLength(1))
    const rows = (await saved[0]?.text)?.trim().split('\r\n').slice(1)
    expect(rows?.map((row) => row.split(',').slice(2))).toEqual([
      ['3', '兩次讀數之間'],
      ['2', '含推估'],
      ['1', '尚未結束'],
    ])
  })

  it('writes for every stored reading whether it counts', async () => {
    const reading = (State: HistoryRow['State'], at: number): HistoryRow => ({
      StartTime: null,
      AccumulationTime: null,
      Timestamp: FROM + at,
      AccumulatePower: 100,
      kWh: null,
      Power: null,
      AvgElectricCurrent: null,
      Voltage: null,
      PowerFactor: null,
      State,
    })
    server.use(
      answers(meterData.getHistoryStatusData, {
        Rows: [reading('counted', 0), reading('withheld', 1_000)],
        NextCursor: null,
      }),
    )
    const { user } = open('?range=2025-10-01&detail=raw&format=csv&columns=AccumulatePower')
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await waitFor(() => expect(saved).toHaveLength(1))
    const rows = (await saved[0]?.text)?.trim().split('\r\n').slice(1)
    expect(rows?.map((row) => row.split(',').slice(2))).toEqual([
      ['100', '已計入'],
      ['100', '待確認'],
    ])
  })

  it('names an archive of several meters after the home and its days, so that files sort', async () => {
    const meter = (PeripheralUID: string) => aPeripheral({ PeripheralUID, PeripheralType: '514' })
    server.use(
      answers(peripheral.operations.list, {
        Things: [],
        Peripherals: [meter('m1'), meter('m2')],
        Statuses: [],
      }),
    )
    const { user } = open('?range=2025-10-01..2025-10-02&detail=hour&format=csv')
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await waitFor(() => expect(saved[0]?.name).toBe(`${aHome().HomeName} 2025-10-01_2025-10-02.zip`))
  })

  it('names the range that could not be loaded, saves nothing, and resumes there', async () => {
    server.use(rejectCall(meterData.getEnergySeries, 'INTERNAL'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await screen.findByText(/缺少 2025\/10\/1 00:00 至 2025\/10\/2 00:00 的資料/)
    expect(saved).toEqual([])
    server.use(
      answers(meterData.getEnergySeries, {
        Series: [{ Key: 'm1', Points: [point(FROM, 1)] }],
        Meters: { Reporting: 1, Total: 1 },
        Carbon: [],
      }),
    )
    await user.click(screen.getByRole('button', { name: '從這裡繼續' }))
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it.each([
    ['the sign-in ended', 'UNAUTHENTICATED', '登入已逾期，請重新登入'],
    ['a right was taken away', 'PERMISSION_DENIED', '您沒有執行此動作的權限'],
    ['the site was deleted', 'NOT_FOUND', '找不到此資料，可能已被刪除'],
  ] as const)('shows that %s, saves nothing and keeps the selection', async (_what, failure, words) => {
    server.use(rejectCall(meterData.getEnergySeries, failure))
    const { user, address } = open()
    const chosen = address()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await screen.findByText(new RegExp(words))
    await user.click(screen.getByRole('button', { name: /取\s?消/ }))
    expect(saved).toEqual([])
    expect(address()).toBe(chosen)
    expect((await screen.findByRole('radio', { name: 'CSV' })).matches(':checked')).toBe(true)
  })

  it('says that the browser ended its worker, and restarts with the same selection', async () => {
    vi.stubGlobal(
      'Worker',
      class extends PageWorker {
        override postMessage(message: ToWorker): void {
          if ('end' in message) this.dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))
          else this.take(message)
        }
      },
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await screen.findByText(/瀏覽器中斷了產生檔案的程序/)
    expect(saved).toEqual([])
    vi.stubGlobal('Worker', PageWorker)
    await user.click(screen.getByRole('button', { name: '重新匯出' }))
    await screen.findByText('已匯出「1F 總電表.csv」')
    expect(saved).toHaveLength(1)
  })

  describe('while it runs', () => {
    const notices: string[] = []
    afterEach(() => authState.set('signIn'))
    async function begin() {
      authState.set('app')
      notices.length = 0
      showNoticesWith(
        ({ kind, text }) => notices.push(`${kind}: ${text()}`),
        () => '',
      )
      server.use(neverAnswers(meterData.getEnergySeries))
      const opened = open()
      await opened.user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
      await screen.findByRole('progressbar', { name: '匯出進度' })
      return opened
    }
    const closes = () => {
      const closing = new Event('beforeunload', { cancelable: true })
      dispatchEvent(closing)
      return closing.defaultPrevented ? 'asks' : 'closes'
    }

    it('asks for confirmation before the page is left', async () => {
      const { user, path, go } = await begin()
      expect(closes()).toBe('asks')
      void go('/export/h1/other')
      await screen.findByText('離開此頁會停止匯出，不會產生檔案。')
      await user.click(screen.getByRole('button', { name: '留在此頁' }))
      expect(path()).toBe('/export/h1/meter')
      expect(screen.getByRole('progressbar', { name: '匯出進度' })).toBeTruthy()
      await user.click(screen.getByRole('button', { name: /取\s?消/ }))
      expect(closes()).toBe('closes')
      expect(saved).toEqual([])
    })

    it('stops silently if the user meant to leave', async () => {
      const { user, go } = await begin()
      void go('/export/h1/other')
      await screen.findByText('離開此頁會停止匯出，不會產生檔案。')
      await user.click(screen.getByRole('button', { name: '停止並離開' }))
      await waitFor(() => expect(screen.queryByRole('progressbar', { name: '匯出進度' })).toBeNull())
      expect(closes()).toBe('closes')
      expect(saved).toEqual([])
      expect(notices).toEqual([])
    })

    it('ends at sign-out, and the next sign-in shows a notice', async () => {
      await begin()
      act(() => authState.set('signIn'))
      cleanup()
      expect(notices).toEqual(['error: 匯出已停止：您已登出。沒有產生檔案。'])
      expect(saved).toEqual([])
    })

    it('ends when rights change, and says so', async () => {
      await begin()
      act(() => forcedSignOut.set('permissionsChanged'))
      await screen.findByText(/您的權限或帳號已變更/)
      expect(screen.queryByRole('button', { name: '重新匯出' })).toBeNull()
      expect(closes()).toBe('closes')
      act(() => forcedSignOut.set(undefined))
      expect(saved).toEqual([])
    })

    it('does not block leaving a deleted site, and reports the outcome', async () => {
      await begin()
      act(() => void queryClient.setQueryData(homesKey, []))
      await waitFor(() => expect(notices).toEqual(['error: 匯出已停止：此場域已被刪除。沒有產生檔案。']))
      expect(closes()).toBe('closes')
      expect(saved).toEqual([])
    })
  })

  it('offers only readings with the right to download history alone, and names the right for the rest', async () => {
    const rights = (FeatureKey: 'device' | 'history', ...OperationList: ['Read']) => ({
      FeatureKey,
      OperationList,
    })
    const person = subUser([
      rights('device', 'Read'),
      rights('history', 'Read'),
      { FeatureKey: 'history_download', OperationList: ['Export'] },
    ])
    open('', person)
    await screen.findByText('原始讀數')
    expect(screen.getByText(/用電資料下載/)).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: '流動電費' })).toBeNull()
  })
})
