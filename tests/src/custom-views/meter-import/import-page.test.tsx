import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MeterImport, meterImports } from '../../../../contract/meters/import-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { peripheral } from '../../../../contract/devices/peripheral.ts'
import { home } from '../../../../contract/homes/home.ts'
import ImportPage from '../../../../src/custom-views/meter-import/import-page.tsx'
import type { Question } from '../../../../src/custom-views/meter-import/reading/facts.ts'
import type { Series } from '../../../../src/custom-views/meter-import/reading/series.ts'
import type {
  FileView,
  FromReader,
  ReaderCall,
  ReaderCalls,
  ReadingView,
  ToReader,
} from '../../../../src/custom-views/meter-import/reading/messages.ts'
import { type ImportProfile, importProfiles } from '../../../../contract/meters/import-profiles.ts'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, neverAnswers, rejectCall, requests, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'
import { PATIENT } from '../../../support/patient.ts'
const FROM = Date.parse('2025-10-01T00:00:00+08:00')
const HOUR = 3_600_000
const series: Series = {
  name: '度',
  column: 1,
  direction: undefined,
  unit: 'kWh',
  step: undefined,
  rows: 2,
  from: FROM,
  through: FROM + HOUR,
  kWh: 1,
  uid: 'm1',
}
const reading: ReadingView = {
  signature: '5'.repeat(64),
  kind: 'counter',
  zone: 'Asia/Taipei',
  headLines: 1,
  roles: { 0: 'time', 1: 'value' },
  series: [series],
  facts: [
    { Fact: 'unit', Column: null, Value: 'kWh', Source: 'stated', Evidence: 'heading', Text: '度' },
    { Fact: 'kind', Column: null, Value: 'counter', Source: 'derived', Evidence: 'alwaysRises', Text: '' },
  ],
  questions: [],
  problems: [],
  problemCount: 0,
}
const view: FileView = {
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
  joinedCount: 0,
  hash: 'a'.repeat(64),
  reading,
}
const kindQuestion: Question = {
  fact: 'kind',
  example: '度',
  options: [
    { value: 'interval', kWh: 43_050 },
    { value: 'counter', kWh: 100 },
  ],
  suggested: 'counter',
}
/** Answers of the worker to the next calls. */
let worker: { [Name in ReaderCall]: ReaderCalls[Name]['result'] }
/** Calls that the worker received. */
let calls: ToReader[] = []
/** Condition of the worker's answers; by default they are immediate. */
let workerIsFree: Promise<void>

/** Worker with an already parsed file: reading.test.ts covers parsing. */
class ReadingWorker extends EventTarget {
  postMessage(asked: ToReader): void {
    calls.push(asked)
    const data: FromReader = { result: worker[asked.call] }
    void workerIsFree.then(() => this.dispatchEvent(new MessageEvent('message', { data })))
  }
  terminate(): void {}
}

const ID = '6f1c6a0e-0f43-4c4e-9d0e-0c3c5a3b8f01'
const record: MeterImport = {
  MeterImportID: ID,
  HomeID: 'h1',
  FileName: 'past.csv',
  FileHash: 'a'.repeat(64),
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
  Meters: [],
  OverLimit: [],
  OverLimitCount: 0,
}
const profile: ImportProfile = {
  HomeID: 'h1',
  Signature: reading.signature,
  Name: 'earlier.csv',
  Answers: { kind: 'counter' },
  Meters: [{ Name: '度', MeterID: 'm1' }],
  By: '王小明',
  UpdatedAt: FROM,
}

beforeAll(() => loadNamespaces(['meterImport']))
beforeEach(() => {
  calls = []
  workerIsFree = Promise.resolve()
  worker = {
    open: view,
    read: reading,
    convert: { count: 2, problems: [], problemCount: 0, tooMany: false },
    batch: {
      Meters: ['m1'],
      Rows: { Row: [0, 1], Meter: [0, 0], Timestamp: [FROM, FROM + HOUR], Quarters: [1, 1], Value: [1, 2] },
    },
    places: [{ line: 3, column: 1, value: 2 }],
    days: [{ day: Math.floor((FROM + 8 * HOUR) / (24 * HOUR)), kWh: 1, maxKw: null }],
    lines: [{ line: 3, cells: ['2025-10-01 01:00', '2'] }],
  }
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
    answers(importProfiles.listImportProfile, []),
    answers(importProfiles.saveImportProfile, profile),
    answers(meterData.getEnergySeries, {
      Series: [],
      Meters: { Total: 1, Reporting: 1 },
      Carbon: [],
    } as never),
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

  it('heads the names of joined sheets in the language of the page', async () => {
    const lines = [
      ['時間', '度', 'Sheet'],
      ['2025-10-01 00:00', '1', 'A棟'],
    ]
    worker.open = { ...view, lines, width: 3, sheets: ['A棟', 'B棟'], joinedCount: 2, sheetColumn: 2 }
    await openFile()
    const table = within(await screen.findByRole('table'))
    expect(table.getByRole('cell', { name: '工作表' })).toBeTruthy()
    expect(table.queryByText('Sheet')).toBeNull()
  })

  it('asks what the file leaves open, with the totals of each answer, and continues after a choice', async () => {
    worker.open = { ...view, reading: { ...reading, questions: [kindQuestion] } }
    const { user } = await openFile()
    expect(await screen.findByRole('group', { name: '「度」這一欄是什麼數字？' })).toBeTruthy()
    const check = screen.getByRole<HTMLButtonElement>('button', { name: /試.?算/ })
    expect(check.disabled).toBe(true)
    expect(screen.getByText('合計 43,050 kWh')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /累計讀數 合計 100 kWh/ }))
    await vi.waitFor(() => expect(check.disabled).toBe(false), PATIENT)
    expect(calls.at(-1)).toMatchObject({ call: 'read', request: { answers: { kind: 'counter' } } })
  })

  it('goes straight to the result for a file of a known layout, and saves what was confirmed', async () => {
    server.use(
      answers(importProfiles.listImportProfile, [profile]),
      answers(meterImports.commitMeterImport, { ...record, State: 'done', Added: 1 }),
    )
    worker.open = {
      ...view,
      reading: { ...reading, questions: [kindQuestion], series: [{ ...series, uid: null }] },
    }
    worker.read = { ...reading, series: [{ ...series, uid: null }] }
    const { user } = await openFile()
    await user.click(await screen.findByRole('button', { name: /^匯入 1 列/ }))
    await screen.findByText(/已從/)
    expect(calls.find(({ call: name }) => name === 'read')).toMatchObject({
      request: { profile: { kind: 'counter' } },
    })
    await vi.waitFor(
      () =>
        expect(sentTo(importProfiles.saveImportProfile)).toMatchObject([
          {
            Signature: reading.signature,
            Answers: { kind: 'counter' },
            Meters: [{ Name: '度', MeterID: 'm1' }],
          },
        ]),
      PATIENT,
    )
  })

  it('leaves out again what an earlier file of the same layout left out', async () => {
    server.use(answers(importProfiles.listImportProfile, [profile]))
    worker.read = { ...reading, series: [series, { ...series, name: '太陽能', uid: null }] }
    await openFile()
    await screen.findByRole('button', { name: /^匯入 1 列/ })
    expect(calls.find(({ call: name }) => name === 'convert')).toMatchObject({
      request: { uids: ['m1', null] },
    })
  })

  it('reads a file although the earlier imports cannot be fetched, and says so', async () => {
    server.use(rejectCall(importProfiles.listImportProfile, 'UNAVAILABLE'))
    await openFile()
    const check = await screen.findByRole<HTMLButtonElement>('button', { name: /試.?算/ })
    expect(check.disabled).toBe(false)
    expect(screen.getByRole('alert').textContent).not.toBe('')
  })

  it('lists known files with their answers, and forgets one after a confirmation', async () => {
    server.use(
      answers(importProfiles.listImportProfile, [
        profile,
        { ...profile, Signature: 'b'.repeat(64), HomeID: 'h2', Name: 'other.csv', Answers: {}, Meters: [] },
      ]),
      answers(importProfiles.deleteImportProfile, { HomeID: 'h1', Signature: profile.Signature }),
    )
    prepareSession()
    const { user } = openPage(<ImportPage />, '/import/:HomeID', '/import/h1')
    const known = (await screen.findByText('earlier.csv')).closest('li') as HTMLElement
    expect(known.textContent).toMatch(/王小明.*1 個電表.*累計讀數/)
    expect(screen.getByText(/來自其他場域/)).toBeTruthy()
    // Only those of the site itself can be deleted here.
    await user.click(screen.getByRole('button', { name: /刪.?除/ }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /刪.?除/ }))
    await vi.waitFor(
      () =>
        expect(sentTo(importProfiles.deleteImportProfile)).toEqual([
          { HomeID: 'h1', Signature: profile.Signature },
        ]),
      PATIENT,
    )
  })

  it('recognizes a file that was imported before', async () => {
    server.use(
      answers(meterImports.listMeterImport, [
        { ...record, State: 'done', Added: 2, CommittedAt: FROM, FileName: 'first.csv' },
      ]),
    )
    await openFile()
    expect(await screen.findByText(/這個檔案已於 2025\/10\/1 .*匯入過/)).toBeTruthy()
  })

  it('sends how the file was read, and its hash, with the import', async () => {
    await tryOut()
    expect(sentTo(meterImports.createMeterImport)).toMatchObject([
      { FileHash: view.hash, Trace: [{ Fact: 'unit', Value: 'kWh', Source: 'stated' }, { Fact: 'kind' }] },
    ])
  })

  it('leaves out a series that the user does not import', async () => {
    worker.open = {
      ...view,
      reading: { ...reading, series: [series, { ...series, name: '太陽能', uid: null }] },
    }
    const { user } = await openFile()
    const check = await screen.findByRole<HTMLButtonElement>('button', { name: /試.?算/ })
    expect(check.disabled).toBe(true)
    await user.click(screen.getByRole('combobox', { name: '「太陽能」的電表' }))
    await user.click(await screen.findByTitle('不匯入'))
    expect(check.disabled).toBe(false)
    await user.click(check)
    await screen.findByRole('button', { name: /^匯入 1 列/ })
    expect(calls.find(({ call: name }) => name === 'convert')).toMatchObject({
      request: { uids: ['m1', null] },
    })
  })

  it('says why a file cannot be read', async () => {
    worker.open = { ...view, reading: { fault: 'notEnergy', text: 'kvarh' } }
    await openFile()
    expect(await screen.findByText(/不是用電量（.*kvarh.*）/)).toBeTruthy()
  })

  it('names a wrong unit by the ratio to what is stored, and asks to confirm it', async () => {
    const meter = {
      PeripheralUID: 'm1',
      kWh: 24_000,
      From: FROM,
      Through: FROM + 24 * HOUR,
      PerDay: 24_000,
      MeanKw: 1_000,
      MaxKw: 1_200,
      LimitKw: 50,
      Ratio: 1_003,
      Overlaps: 96,
      CostPerMonth: 2_880_000,
    }
    const over = { Row: 1, PeripheralUID: 'm1', Timestamp: FROM + HOUR, kW: 1_200, LimitKw: 50 }
    server.use(
      answers(meterImports.checkMeterImport, {
        ...check,
        Meters: [meter],
        OverLimit: [over],
        OverLimitCount: 1,
      }),
    )
    const { commit } = await tryOut()
    expect((commit as HTMLButtonElement).disabled).toBe(true)
    expect(screen.getByText(/是既有資料的 1,003 倍，單位可能是 Wh/)).toBeTruthy()
    expect(screen.getByText(/第 3 列，.*1,200 kW，超過此電表的上限 50 kW/)).toBeTruthy()
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
    await user.click(screen.getByRole('checkbox', { name: '我已確認這些數字正確' }))
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

  it('keeps an answer and a meter that are chosen while the file is read again', async () => {
    const unitQuestion: Question = {
      fact: 'unit',
      example: '1',
      options: [
        { value: 'kWh', kWh: 1 },
        { value: 'Wh', kWh: 0.001 },
      ],
      suggested: 'kWh',
    }
    worker.open = {
      ...view,
      reading: { ...reading, questions: [kindQuestion, unitQuestion], series: [{ ...series, uid: null }] },
    }
    worker.read = { ...reading, series: [{ ...series, uid: null }] }
    const { user } = await openFile()
    const counter = await screen.findByRole<HTMLInputElement>('radio', { name: /累計讀數/ })
    const wattHours = screen.getByRole<HTMLInputElement>('radio', { name: /^Wh/ })
    let release = () => {}
    workerIsFree = new Promise((resolve) => (release = resolve))
    await user.click(counter)
    expect(counter.checked).toBe(true)
    await user.click(wattHours)
    await user.click(screen.getByRole('combobox', { name: '「度」的電表' }))
    await user.click(await screen.findByTitle('總表'))
    const check = screen.getByRole<HTMLButtonElement>('button', { name: /試.?算/ })
    expect(check.disabled).toBe(true)
    release()
    await vi.waitFor(() => expect(check.disabled).toBe(false), PATIENT)
    expect([counter.checked, wattHours.checked]).toEqual([true, true])
    expect(calls.at(-1)).toMatchObject({
      call: 'read',
      request: { answers: { kind: 'counter', unit: 'Wh' } },
    })
  })

  it('returns to the questions from an answer with which the file cannot be read', async () => {
    worker.open = { ...view, reading: { ...reading, questions: [kindQuestion] } }
    worker.read = { fault: 'irregular', text: '2' }
    const { user } = await openFile()
    await user.click(await screen.findByRole('radio', { name: /區間用電量/ }))
    await screen.findByText(/各列的時間間隔不固定/)
    worker.read = { ...reading, questions: [kindQuestion] }
    await user.click(screen.getByRole('button', { name: '返回修改' }))
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: /區間用電量/ })).checked).toBe(false)
    expect(calls.at(-1)).toMatchObject({ call: 'read', request: { answers: {} } })
  })

  it('continues a failed trial with the rows that were not sent yet', async () => {
    worker.convert = { count: 25_000, problems: [], problemCount: 0, tooMany: false }
    let sent = 0
    server.use(
      answers(meterImports.addMeterImportRows, () => {
        sent++
        if (sent === 2) server.use(rejectCall(meterImports.addMeterImportRows, 'INTERNAL'))
        return { Rows: 10_000 }
      }),
    )
    const { user } = await openFile()
    await user.click(await screen.findByRole('button', { name: /試.?算/ }))
    await screen.findByRole('alert')
    // The failure is next to the button that continues.
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /試.?算/ }))
    server.use(answers(meterImports.addMeterImportRows, { Rows: 25_000 }))
    await user.click(screen.getByRole('button', { name: /試.?算/ }))
    await screen.findByRole('button', { name: /^匯入 1 列/ })
    expect(sentTo(meterImports.createMeterImport)).toHaveLength(1)
    expect(calls.flatMap(({ call: name, request }) => (name === 'batch' ? [request] : []))).toEqual([
      { from: 0, to: 10_000 },
      { from: 10_000, to: 20_000 },
      { from: 20_000, to: 25_000 },
      { from: 20_000, to: 25_000 },
    ])
  })

  it('stops sending on request, and keeps what was entered', async () => {
    worker.open = { ...view, reading: { ...reading, questions: [kindQuestion] } }
    server.use(neverAnswers(meterImports.addMeterImportRows))
    const { user } = await openFile()
    await user.click(await screen.findByRole('radio', { name: /累計讀數/ }))
    const check = screen.getByRole<HTMLButtonElement>('button', { name: /試.?算/ })
    await vi.waitFor(() => expect(check.disabled).toBe(false), PATIENT)
    await user.click(check)
    await user.click(await screen.findByRole('button', { name: /取.?消/ }))
    expect((await screen.findByRole<HTMLInputElement>('radio', { name: /累計讀數/ })).checked).toBe(true)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('sends the rows again if the gateway has deleted the trial', async () => {
    server.use(rejectCall(meterImports.commitMeterImport, 'NOT_FOUND'))
    const { user, commit } = await tryOut()
    await user.click(commit)
    await screen.findByText(/這份試算結果已不再保留/)
    server.use(
      rejectCall(meterImports.checkMeterImport, 'NOT_FOUND'),
      answers(meterImports.createMeterImport, () => {
        server.use(answers(meterImports.checkMeterImport, check))
        return record
      }),
    )
    await user.click(screen.getByRole('button', { name: '返回修改' }))
    await user.click(await screen.findByRole('button', { name: /試.?算/ }))
    await screen.findByRole('button', { name: /^匯入 1 列/ })
    expect(sentTo(meterImports.createMeterImport)).toHaveLength(2)
  })

  it('keeps the confirmation and the result when an import fails, and imports at the next attempt', async () => {
    const doubt = { PeripheralUID: 'm1', Timestamp: FROM, kWh: 43_050, Limit: 4_000 }
    server.use(
      answers(meterImports.checkMeterImport, { ...check, Implausible: [doubt] }),
      rejectCall(meterImports.commitMeterImport, 'INTERNAL'),
    )
    const { user, commit } = await tryOut()
    const sure = screen.getByRole<HTMLInputElement>('checkbox', { name: '我已確認這些數字正確' })
    await user.click(sure)
    await user.click(commit)
    await vi.waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2), PATIENT)
    expect(sure.checked && sure.isConnected).toBe(true)
    expect(document.activeElement).toBe(commit)
    server.use(answers(meterImports.commitMeterImport, { ...record, State: 'done', Added: 1 }))
    await user.click(commit)
    await screen.findByText(/已從/)
  })

  it('repeats an import under the same id while the gateway is unavailable', async () => {
    server.use(rejectCall(meterImports.commitMeterImport, 'UNAVAILABLE'))
    const { user, commit } = await tryOut()
    await user.click(commit)
    await vi.waitFor(() => expect(sentTo(meterImports.commitMeterImport)).toHaveLength(1), PATIENT)
    server.use(answers(meterImports.commitMeterImport, { ...record, State: 'done', Added: 1 }))
    await screen.findByText(/已從/)
    const ids = requests.filter(({ path }) => path === meterImports.commitMeterImport.path)
    expect(ids).toHaveLength(2)
    expect(ids[0]?.requestId).toBe(ids[1]?.requestId)
  })

  it('moves the focus to each step whose button is gone', async () => {
    server.use(answers(meterImports.commitMeterImport, { ...record, State: 'done', Added: 1 }))
    const { user, commit } = await tryOut()
    expect(document.activeElement?.contains(commit)).toBe(true)
    expect(document.activeElement).not.toBe(document.body)
    await user.click(commit)
    const done = await screen.findByText(/已從/)
    expect(document.activeElement?.contains(done)).toBe(true)
    expect(document.activeElement).not.toBe(document.body)
  })
})
