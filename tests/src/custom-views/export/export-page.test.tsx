import { Blob as NodeBlob } from 'node:buffer'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { homeLists } from '../../../../contract/procedures/home-lists.ts'
import { meterData } from '../../../../contract/procedures/meter-data.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/procedures/personal.ts'
import { peripheral } from '../../../../contract/resources/peripheral.ts'
import ExportPage from '../../../../src/custom-views/export/export-page.tsx'
import type { FromWorker, ToWorker } from '../../../../src/lib/export/messages.ts'
import { createExportWriter, type ExportWriter } from '../../../../src/lib/export/writer.ts'
import { loadNamespaces } from '../../../../src/providers/i18n.ts'
import { answers, heard, owner, refuses, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, arrive, openPage } from '../../support/page.tsx'

vi.setConfig({ testTimeout: 60_000 })

/** The worker's work, on the page: what is tested is what the page tells it. */
class PageWorker extends EventTarget {
  #writer: ExportWriter | undefined
  postMessage(message: ToWorker): void {
    const answer = async (): Promise<FromWorker> => {
      if ('plan' in message) this.#writer = createExportWriter(message.plan)
      else if ('end' in message) return { file: await (this.#writer as ExportWriter).end() }
      else await this.#writer?.add(message.meter, message.rows)
      return { taken: true }
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
  Coverage: { Measured: kWh === null ? 0 : 1, Estimated: 0, Corrected: 0, Missing: kWh === null ? 1 : 0 },
  Resets: 0,
})

let saved: { name: string; text: Promise<string> }[] = []
function open(search = '?range=2025-10-01&detail=hour&format=csv', person = owner) {
  arrive(person)
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
    answers(homeLists.listHome, [aHome()]),
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
    }),
  )
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the export page', () => {
  it('asks for what is chosen, meters only, and saves a file named after the meter', async () => {
    const { user, path } = open()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await screen.findByText('已匯出「1F 總電表.csv」')
    expect(path()).toBe('/export/h1/meter')
    const asked = heard.find(({ path }) => path === meterData.getEnergySeries.path)?.body
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
    expect(lines[1]).toBe('2025-10-01 00:00:00,2025-10-01T00:00:00+08:00,1.25,,,1,0,0,0,0')
    expect(lines[2]).toBe('2025-10-01 01:00:00,2025-10-01T01:00:00+08:00,,,,0,0,0,1,0')
  })

  it('names an archive of several meters after the home and its days, so that files stand in their order', async () => {
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

  it('says which range is missing when it cannot be fetched, saves nothing, and goes on from there', async () => {
    server.use(refuses(meterData.getEnergySeries, 'INTERNAL'))
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: /匯\s?出$/ }))
    await screen.findByText(/缺少 2025-10-01 00:00 至 2025-10-02 00:00 的資料/)
    expect(saved).toEqual([])
    server.use(
      answers(meterData.getEnergySeries, {
        Series: [{ Key: 'm1', Points: [point(FROM, 1)] }],
        Meters: { Reporting: 1, Total: 1 },
      }),
    )
    await user.click(screen.getByRole('button', { name: '從這裡繼續' }))
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it('offers readings only to who may download history alone, and says which right the rest needs', async () => {
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
    await screen.findByText('原始讀值')
    expect(screen.getByText(/用電資料下載/)).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: '流動電費' })).toBeNull()
  })
})
