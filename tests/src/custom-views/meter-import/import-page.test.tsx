import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MeterImport, meterImports } from '../../../../contract/meters/import-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { home } from '../../../../contract/homes/home.ts'
import ImportPage from '../../../../src/custom-views/meter-import/import-page.tsx'
import type {
  FromReader,
  Preview,
  ToReader,
} from '../../../../src/custom-views/meter-import/reading/messages.ts'
import { nextColumn, type ReadRows } from '../../../../src/custom-views/meter-import/reading/rows.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, rejectCall, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'

vi.setConfig({ testTimeout: 60_000 })

const FROM = Date.parse('2025-10-01T00:00:00+08:00')
const HOUR = 3_600_000
const preview: Preview = {
  lines: [
    ['時間', '度'],
    ['2025-10-01 00:00', '1'],
    ['2025-10-01 01:00', '2'],
  ],
  lineCount: 3,
  width: 2,
  delimiter: ',',
  sheets: [],
  sheet: 0,
  guess: {
    headLines: 1,
    timeColumn: 0,
    clockColumn: null,
    format: 'ymd',
    sure: true,
    zone: 'Asia/Taipei',
    kind: 'counter',
    likely: 'counter',
    unit: 'kWh',
    interval: 'hour',
    stamp: 'begin',
    meterColumn: null,
    values: [{ column: 1, uid: 'm1' }],
  },
}
const rows: ReadRows = {
  meters: [0, 0],
  timestamps: [FROM, FROM + HOUR],
  quarters: [1, 1],
  values: [1, 2],
  lines: [2, 3],
  columns: [1, 1],
  uids: ['m1'],
  problems: [],
  problemCount: 0,
  tooMany: false,
}

const sums = { counter: 100, interval: 43_050 }
/** Parsed content of the next file. */
let opened = preview

/** Worker with an already parsed file: reading.test.ts covers parsing. */
class ReadingWorker extends EventTarget {
  postMessage(asked: ToReader): void {
    const data: FromReader = 'open' in asked ? { preview: opened } : 'sum' in asked ? { sums } : { rows }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }
  terminate(): void {}
}

const ID = '6f1c6a0e-0f43-4c4e-9d0e-0c3c5a3b8f01'
const record: MeterImport = {
  MeterImportID: ID,
  HomeID: 'h1',
  FileName: 'past.csv',
  Kind: 'counter',
  State: 'draft',
  Rows: 2,
  Added: 0,
  Meters: 0,
  FirstTimestamp: null,
  LastTimestamp: null,
  CreatedAt: FROM,
  By: '王小明',
  CommittedAt: null,
  UndoneAt: null,
  UndoneBy: null,
}
const check = {
  New: 1,
  Same: 0,
  Conflicting: 0,
  Faulty: 0,
  Conflicts: [],
  Faults: [],
  Months: [],
  Implausible: [],
}

beforeAll(() => loadNamespaces(['meterImport']))
beforeEach(() => {
  opened = preview
  vi.stubGlobal('Worker', ReadingWorker)
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [aHome()]),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [aPeripheral({ PeripheralUID: 'm1', PeripheralType: '514', PeripheralName: '總表' })],
      Statuses: [],
    }),
    answers(meterImports.listMeterImport, []),
    answers(meterImports.createMeterImport, record),
    answers(meterImports.addMeterImportRows, { Rows: 2 }),
    answers(meterImports.checkMeterImport, check),
  )
})
afterEach(() => void vi.unstubAllGlobals())

/** Opens the page up to the preview of a file. */
async function openFile() {
  prepareSession()
  const page = openPage(<ImportPage />, '/import/:HomeID', '/import/h1')
  const file = new File(['x'], 'past.csv', { type: 'text/csv' })
  await page.user.upload(await screen.findByLabelText('要匯入的檔案'), file)
  return page
}
async function tryOut() {
  const page = await openFile()
  await page.user.click(await screen.findByRole('button', { name: /試.?算/ }))
  return { ...page, commit: await screen.findByRole('button', { name: /^匯入 1 列/ }) }
}

describe('the import page', () => {
  it('shows the expiry of a trial import, and each row that differs from stored data', async () => {
    const conflict = { Row: 1, PeripheralUID: 'm1', Timestamp: FROM + HOUR, Value: 2, Stored: 4711 }
    server.use(answers(meterImports.checkMeterImport, { ...check, Conflicting: 1, Conflicts: [conflict] }))
    const { user } = await tryOut()
    expect(screen.getByText(/試算結果保留 24 小時，每家公司最多保留 20 份/)).toBeTruthy()
    const rows = screen.getByText('1 列與既有資料不同').closest('details') as HTMLElement
    await user.click(screen.getByText('1 列與既有資料不同'))
    expect(within(rows).getByText('第 3 列 B 欄：檔案為 2 kWh，既有為 4,711 kWh')).toBeTruthy()
  })

  it('shows the totals of each interpretation, and continues after a choice', async () => {
    opened = { ...preview, guess: { ...preview.guess, kind: null } }
    const { user } = await openFile()
    expect(
      await screen.findByText('標題沒有說明這些數字的意義，請選擇。數字看起來像電表的累計讀數。'),
    ).toBeTruthy()
    const check = screen.getByRole<HTMLButtonElement>('button', { name: /試.?算/ })
    expect(check.disabled).toBe(true)
    await screen.findByText('合計 43,050 kWh')
    await user.click(screen.getByRole('radio', { name: '累計讀數 合計 100 kWh' }))
    expect(check.disabled).toBe(false)
  })

  it('imports implausible months only after confirmation', async () => {
    const doubt = { PeripheralUID: 'm1', Timestamp: FROM, kWh: 43_050, Limit: 4_000 }
    server.use(
      answers(meterImports.checkMeterImport, { ...check, Implausible: [doubt] }),
      answers(meterImports.commitMeterImport, { ...record, State: 'done', Added: 1 }),
    )
    const { user, commit } = await tryOut()
    expect((commit as HTMLButtonElement).disabled).toBe(true)
    expect(screen.getByText(/2025年10月：43,050 kWh，超過 4,000 kWh/)).toBeTruthy()
    await user.click(screen.getByRole('checkbox', { name: '我確認過，這些數字正確' }))
    await user.click(commit)
    await screen.findByText(/已從/)
    expect(sentTo(meterImports.commitMeterImport)).toMatchObject([{ Sure: true }])
  })

  it('links imported data to its energy', async () => {
    server.use(
      answers(meterImports.commitMeterImport, {
        ...record,
        State: 'done',
        Added: 1,
        FirstTimestamp: FROM,
        LastTimestamp: FROM + HOUR,
      }),
    )
    const { user, commit } = await tryOut()
    await user.click(commit)
    const link = await screen.findByRole('link', { name: '查看這段期間的用電' })
    expect(link.getAttribute('href')).toBe('/electricity/h1?range=2025-10-01..2025-10-01')
  })

  it('links to adding meters if there are none', async () => {
    server.use(answers(peripheral.operations.list, { Things: [], Peripherals: [], Statuses: [] }))
    prepareSession()
    openPage(<ImportPage />, '/import/:HomeID', '/import/h1')
    expect(await screen.findByText(/還沒有電表/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '新增裝置' }).getAttribute('href')).toBe('/addDevice/h1')
  })

  it('says that a trial import has expired, and that nothing was imported', async () => {
    server.use(rejectCall(meterImports.commitMeterImport, 'NOT_FOUND'))
    const { user, commit } = await tryOut()
    await user.click(commit)
    expect(await screen.findByText(/這份試算結果已不再保留，沒有匯入任何資料/)).toBeTruthy()
  })

  it('detects that an import succeeded although its answer was lost', async () => {
    server.use(
      rejectCall(meterImports.commitMeterImport, 'CONFLICT'),
      answers(meterImports.listMeterImport, [
        { ...record, State: 'done', Added: 1, Meters: 1, CommittedAt: FROM },
      ]),
    )
    const { user, commit } = await tryOut()
    await user.click(commit)
    expect(await screen.findByText('已從「past.csv」匯入 1 列')).toBeTruthy()
    expect(sentTo(meterImports.commitMeterImport)).toHaveLength(1)
  })
})

it('offers as further value columns only unassigned columns of the file', () => {
  const mapping = { ...preview.guess, timeColumn: 0 }
  const next = (columns: number[], width: number) =>
    nextColumn({ ...mapping, values: columns.map((column) => ({ column, uid: null })) }, width)
  expect(next([1], 4)).toBe(2)
  expect(next([3], 4)).toBe(1)
  expect(next([1, 3], 4)).toBe(2)
  expect(nextColumn({ ...mapping, clockColumn: 1, values: [{ column: 3, uid: null }] }, 4)).toBe(2)
})
