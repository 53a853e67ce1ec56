import { assertReadable } from './fault.ts'
import { FILE_NAME, withNumber, safeFileName, SHEET_NAME, disambiguateNames } from './file-names.ts'
import { type ExportPlan, type Rows, formatIso, wallClock, formatCell } from './table.ts'
import { csvFile, jsonFile } from './text-files.ts'
import { XLSX_TYPE, createSheets, numberCell, textCell, timeCell } from './sheets.ts'
import { createZip, type ZipEntry } from './zip.ts'

/** A finished file for download. */
export interface ExportFile {
  name: string
  blob: Blob
}

/** Writer of rows, one meter after the other. */
export interface ExportWriter {
  /** Adds rows of a meter by its index in the plan; indexes never decrease, and a meter without rows still gets its file. */
  add(meter: number, rows: Rows): Promise<void>
  /** Returns the complete file. Errors: ExportFailed. */
  end(): Promise<ExportFile>
}

const TYPES = { csv: 'text/csv;charset=utf-8', json: 'application/json', xlsx: XLSX_TYPE } as const

/** Writer of a plan: one file for a single meter; for several one workbook, or an archive with a file for each. */
export function createExportWriter(plan: ExportPlan): ExportWriter {
  const { add, end } = writerOf(plan)
  return {
    add,
    async end() {
      const { name, blob } = await end()
      return { name, blob: await assertReadable(blob) }
    },
  }
}

function writerOf(plan: ExportPlan): ExportWriter {
  if (plan.format === 'xlsx' && plan.oneWorkbook && plan.meters.length > 1) return oneWorkbook(plan)
  const fileNames = withNumber(disambiguateNames(plan.meters, FILE_NAME).map(safeFileName))
  const single = plan.meters.length === 1
  const zip = createZip()
  let singleFile: ExportFile | undefined
  let open = openFile(0)
  let current = 0

  function openFile(meter: number): MeterFile {
    const name = `${fileNames[meter]}.${plan.format}`
    const setSingleFile = (blob: Blob) => void (singleFile = { name, blob })
    if (plan.format !== 'xlsx') {
      const type = TYPES[plan.format]
      return textFile(plan, meter, single ? blobSink(type, setSingleFile) : entrySink(zip.entry(name)))
    }
    return workbookFile(plan, meter, single ? setSingleFile : (blob) => copy(blob, zip.entry(name)))
  }

  async function advanceTo(meter: number): Promise<void> {
    if (meter < current) throw new Error('Meters come in order')
    while (current < meter) {
      await open.end()
      open = openFile(++current)
    }
  }

  return {
    async add(meter, rows) {
      await advanceTo(meter)
      await open.rows(rows)
    },
    async end() {
      await advanceTo(plan.meters.length - 1)
      await open.end()
      return singleFile ?? { name: `${safeFileName(plan.name)}.zip`, blob: zip.end('application/zip') }
    },
  }
}

interface MeterFile {
  rows(rows: Rows): Promise<void>
  end(): Promise<void>
}

/** Destination of the text of a file. */
interface TextSink {
  write(text: string): Promise<void> | void
  end(): Promise<void> | void
}

function blobSink(type: string, onBlob: (blob: Blob) => void): TextSink {
  // A blob per chunk: strings would stay in memory.
  const parts: Blob[] = []
  return {
    write: (text) => void parts.push(new Blob([text])),
    end: () => onBlob(new Blob(parts, { type })),
  }
}

function entrySink(entry: ZipEntry): TextSink {
  const encoder = new TextEncoder()
  return { write: (text) => entry.write(encoder.encode(text)), end: () => entry.end() }
}

function textFile(plan: ExportPlan, meter: number, sink: TextSink): MeterFile {
  const format = plan.format === 'csv' ? csvFile(plan) : jsonFile(plan)
  let hasHead = false
  const writeHead = async () => {
    if (!hasHead) await sink.write(format.head(meter))
    hasHead = true
  }
  let first = true
  return {
    rows: async (rows) => {
      if (rows.length === 0) return
      await writeHead()
      await sink.write(format.rows(rows, first))
      first = false
    },
    end: async () => {
      await writeHead()
      await sink.write(format.tail)
      await sink.end()
    },
  }
}

function workbookFile(
  plan: ExportPlan,
  meter: number,
  onBlob: (blob: Blob) => Promise<void> | void,
): MeterFile {
  const workbook = createWorkbook(plan)
  const name = (plan.meters[meter] as (typeof plan.meters)[number]).PeripheralName
  let started: Promise<void> | undefined
  return {
    rows: async (rows) => {
      await (started ??= workbook.begin(name))
      await workbook.rows(rows)
    },
    end: async () => {
      await (started ??= workbook.begin(name))
      await workbook.end()
      await onBlob(await workbook.finish())
    },
  }
}

function oneWorkbook(plan: ExportPlan): ExportWriter {
  const workbook: Workbook = createWorkbook(plan)
  const sheets = disambiguateNames(plan.meters, SHEET_NAME)
  let current = -1
  async function advanceTo(meter: number): Promise<void> {
    if (meter < current) throw new Error('Meters come in order')
    while (current < meter) {
      if (current >= 0) await workbook.end()
      current++
      await workbook.begin(sheets[current] as string)
    }
  }
  return {
    async add(meter, rows) {
      await advanceTo(meter)
      await workbook.rows(rows)
    },
    async end() {
      await advanceTo(plan.meters.length - 1)
      await workbook.end()
      return { name: `${safeFileName(plan.name)}.xlsx`, blob: await workbook.finish() }
    },
  }
}

async function copy(blob: Blob, entry: ZipEntry): Promise<void> {
  const reader = blob.stream().getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return entry.end()
    await entry.write(value as Uint8Array<ArrayBuffer>)
  }
}

/**
 * Writer of an XLSX workbook of energy with a sheet per meter. Numbers are numbers, times are dates of the home's clock; text is never a
 * formula.
 *
 * mostRows  maximum number of rows of a sheet, including the header
 */
export function createWorkbook(plan: ExportPlan, mostRows?: number) {
  const places = plan.columns.map(({ field }) => plan.fields.indexOf(field))
  const stride = plan.fields.length + 1
  const sheets = createSheets(
    [
      { heading: plan.timeHeading, width: 20 },
      { heading: plan.isoHeading, width: 28 },
      ...plan.columns.map(({ heading }) => ({ heading, width: 16 })),
    ],
    mostRows,
  )

  function cells(rows: Rows, at: number, row: number): string {
    const timestamp = rows[at] as number
    let text =
      timeCell(0, row, wallClock(timestamp, plan.zone)) + textCell(1, row, formatIso(timestamp, plan.zone))
    for (const [index, place] of places.entries()) {
      const value = rows[at + 1 + place] as number
      if (Number.isNaN(value)) continue
      const { field, marks } = plan.columns[index] as (typeof plan.columns)[number]
      text += marks
        ? textCell(index + 2, row, marks[value]?.word ?? '')
        : numberCell(index + 2, row, formatCell(value, field, plan.decimals))
    }
    return text
  }

  return {
    begin: sheets.begin,
    end: sheets.end,
    rows: (rows: Rows): Promise<void> =>
      sheets.rows(rows.length / stride, (index, row) => cells(rows, index * stride, row)),
    finish: sheets.finish,
  }
}
type Workbook = ReturnType<typeof createWorkbook>
