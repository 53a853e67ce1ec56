/** Reads files in a worker, so that a file that needs too much time or memory cannot harm the page. */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { MAX_IMPORT_BATCH } from '../../../../contract/meters/import-calls.ts'
import type { ReadingAnswers } from '../../../../contract/meters/import-reading.ts'
import { dayOf, QUARTER_MS } from '../../../../contract/time/periods.ts'
import { FileRefused } from '../../../lib/spreadsheet/file-fault.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import { openFile } from '../../../lib/spreadsheet/open-file.ts'
import { type ReadRows, toImportRows } from './import-rows.ts'
import type { ReadingContext } from './facts.ts'
import { type Reading, readMeaning, type ScanCache } from './infer.ts'
import type { TableLayout } from './layout.ts'
import type {
  ColumnRole,
  FileLine,
  FromReader,
  ImportedDay,
  ReaderCall,
  ReaderCalls,
  ReadingRefusal,
  ReadingView,
  RowBatch,
  ToReader,
} from './messages.ts'
import { cellText } from './time.ts'

const page = globalThis as unknown as {
  postMessage(message: FromReader, transfer: Transferable[]): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToReader>) => void): void
}
/** Number of lines in the preview, and of one day. */
const MAX_PREVIEW_LINES = 12
const MAX_SHOWN_LINES = 200
/** Maximum characters of a cell that is shown. */
const MAX_SHOWN_CHARACTERS = 200

interface Opened {
  file: OpenedFile
  context: ReadingContext
  cache: ScanCache
  reading?: Reading | undefined
  rows?: ReadRows | undefined
}
let opened: Opened | undefined

const current = (): Opened => {
  if (!opened) throw new FileRefused('notRead')
  return opened
}
const currentReading = (): Reading => {
  const { reading } = current()
  if (!reading) throw new FileRefused('notRead')
  return reading
}
const currentRows = (): ReadRows => {
  const { rows } = current()
  if (!rows) throw new FileRefused('notRead')
  return rows
}

const handlers: {
  [Name in ReaderCall]: (
    request: ReaderCalls[Name]['request'],
  ) => ReaderCalls[Name]['result'] | Promise<ReaderCalls[Name]['result']>
} = {
  async open({ file: blob, context, ...how }) {
    const file = await openFile(blob, how)
    opened = { file, context, cache: new Map() }
    const { grid, delimiter, sheets, sheet, joined } = file
    return {
      lines: shownLines(grid.slice(0, MAX_PREVIEW_LINES)),
      lineCount: grid.length,
      width: grid.slice(0, 1_000).reduce((widest, line) => Math.max(widest, line.length), 0),
      delimiter,
      sheets,
      sheet,
      joinedCount: joined ? new Set(joined.sheetOf).size : 0,
      sheetColumn: joined?.column,
      hash: hashOf(new Uint8Array(await blob.arrayBuffer())),
      reading: read({}),
    }
  },
  read({ answers, profile }) {
    const state = current()
    state.context = { ...state.context, profile }
    return read(answers)
  },
  convert({ uids, now }) {
    const state = current()
    state.rows = toImportRows(currentReading(), uids, now)
    const { values, problems, problemCount, tooMany } = state.rows
    return { count: values.length, problems, problemCount, tooMany }
  },
  batch: ({ from, to }) => batchOf(currentRows(), from, Math.min(to, from + MAX_IMPORT_BATCH)),
  places({ rows: indexes }) {
    const { lines, columns, values } = currentRows()
    const { placeOf } = currentReading()
    return indexes.map((at) => ({ ...placeOf(lines[at] ?? 0, columns[at] ?? 0), value: values[at] ?? 0 }))
  },
  days: ({ uid, zone }) => daysOf(currentRows(), uid, zone),
  lines: ({ uid, zone, day }) => linesOf(uid, zone, day),
}

function read(answers: ReadingAnswers): ReadingView | ReadingRefusal {
  const state = current()
  const reading = readMeaning(state.file, state.context, answers, state.cache)
  state.rows = undefined
  if ('refused' in reading) {
    state.reading = undefined
    return { fault: reading.refused, text: reading.text }
  }
  state.reading = reading
  const { layout, raw, series, facts, questions, kind, zone, placeOf } = reading
  return {
    signature: signatureOf(layout, state.file.container),
    kind,
    zone,
    headLines: layout.first,
    roles: rolesOf(layout),
    series,
    facts,
    questions,
    problems: [
      ...reading.skipped,
      ...raw.problems.listed.map((problem) => ({ ...problem, ...placeOf(problem.line, problem.column) })),
    ],
    problemCount: raw.problems.count + reading.skipped.length,
  }
}

function rolesOf(layout: TableLayout): Record<number, ColumnRole> {
  const roles: Record<number, ColumnRole> = {}
  const set = (column: number | null, role: ColumnRole) => {
    if (column !== null) roles[column] = role
  }
  const { time, matrix, meterColumn, meterParts, unitColumn, directionColumn, values, ignored } = layout
  for (const each of ignored) set(each.column, 'ignored')
  for (const each of matrix?.columns ?? values) set(each.column, 'value')
  for (const column of [time.column, time.clockColumn, time.endColumn, time.endClockColumn])
    set(column, 'time')
  for (const column of [meterColumn, ...meterParts]) set(column, 'meter')
  set(unitColumn, 'unit')
  set(directionColumn, 'direction')
  return roles
}

/** Roles that do not depend on the answer whether headings are names. */
const openRoles = ({ openNames }: TableLayout): Record<number, ColumnRole> =>
  Object.fromEntries(openNames.map(({ column }) => [column, 'ignored']))

/** Hash of what files of the same kind share: container, columns and headings. */
const signatureOf = (layout: TableLayout, container: string): string =>
  hashOf(
    new TextEncoder().encode(
      JSON.stringify([
        container,
        layout.headings,
        Object.entries({ ...rolesOf(layout), ...openRoles(layout) }),
        layout.matrix?.columns.length,
      ]),
    ),
  )

/** Hash in hexadecimal; browsers have one of their own only on pages with HTTPS. */
const hashOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes))

function batchOf(rows: ReadRows, from: number, to: number): RowBatch {
  const places = new Map<number, number>()
  const Meter = rows.meters.slice(from, to).map((meter) => {
    const place = places.get(meter) ?? places.size
    places.set(meter, place)
    return place
  })
  return {
    Meters: [...places.keys()].map((meter) => rows.uids[meter] as string),
    Rows: {
      Row: Meter.map((_, index) => from + index),
      Meter,
      Timestamp: rows.timestamps.slice(from, to),
      Quarters: rows.quarters.slice(from, to),
      Value: rows.values.slice(from, to),
    },
  }
}

/** Rows of a meter by time. */
function rowsOf(rows: ReadRows, uid: string): number[] {
  const meter = rows.uids.indexOf(uid)
  return rows.meters
    .flatMap((each, at) => (each === meter ? [at] : []))
    .toSorted((a, b) => (rows.timestamps[a] as number) - (rows.timestamps[b] as number))
}

function daysOf(rows: ReadRows, uid: string, zone: string): ImportedDay[] {
  const isCounter = current().reading?.kind === 'counter'
  const days = new Map<number, ImportedDay>()
  let previous: number | undefined
  for (const at of rowsOf(rows, uid)) {
    const [timestamp, quarters, value] = [rows.timestamps[at], rows.quarters[at], rows.values[at]] as [
      number,
      number,
      number,
    ]
    const kWh = isCounter ? Math.max(0, value - (previous ?? value)) : value
    previous = value
    for (const [day, share] of sharesByDay(timestamp, isCounter ? 0 : quarters, zone)) {
      const entry = days.get(day) ?? { day, kWh: 0, maxKw: isCounter ? null : 0 }
      entry.kWh += kWh * share
      if (entry.maxKw !== null) entry.maxKw = Math.max(entry.maxKw, (value * 4) / quarters)
      days.set(day, entry)
    }
  }
  return [...days.values()].toSorted((a, b) => a.day - b.day)
}

/** Shares of an interval in its local days. */
function sharesByDay(from: number, quarters: number, zone: string): [day: number, share: number][] {
  const first = dayOf(from, zone)
  if (quarters <= 1 || dayOf(from + quarters * QUARTER_MS - 1, zone) === first) return [[first, 1]]
  const counts = new Map<number, number>()
  for (let quarter = 0; quarter < quarters; quarter++) {
    const day = dayOf(from + quarter * QUARTER_MS, zone)
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return [...counts].map(([day, count]) => [day, count / quarters])
}

function linesOf(uid: string, zone: string, day: number): FileLine[] {
  const rows = currentRows()
  const { grid, placeOf } = currentReading()
  const lines = new Set(
    rowsOf(rows, uid)
      .filter((at) =>
        sharesByDay(rows.timestamps[at] as number, rows.quarters[at] as number, zone).some(
          ([each]) => each === day,
        ),
      )
      .map((at) => rows.lines[at] as number),
  )
  return [...lines].slice(0, MAX_SHOWN_LINES).map((line) => {
    const { line: fileLine, sheet } = placeOf(line, 0)
    return {
      line: fileLine,
      ...(sheet !== undefined && { sheet }),
      cells: shownLines([grid[line] ?? []])[0] ?? [],
    }
  })
}

const shownLines = (lines: OpenedFile['grid']): string[][] =>
  lines.map((line) => line.map((cell) => cellText(cell).slice(0, MAX_SHOWN_CHARACTERS)))

async function answer<Name extends ReaderCall>(
  call: Name,
  request: ReaderCalls[Name]['request'],
): Promise<FromReader> {
  return { result: await handlers[call](request) }
}

page.addEventListener('message', ({ data: { call, request } }) => {
  answer(call, request as never).then(
    (reply) => page.postMessage(reply, []),
    (error: unknown) =>
      page.postMessage({ refused: error instanceof FileRefused ? error.fault : 'notRead' }, []),
  )
})
