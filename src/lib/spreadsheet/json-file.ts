import type { DecodedText } from './decode-text.ts'
import { FileRefused } from './file-fault.ts'
import { createRecordRows, openedRecords, type OpenedFile, skipRecord } from './grid.ts'
import { createRowBuilder, type RowBuilder } from './json-rows.ts'
import { findLines, isSeveralValues, keyOfPath } from './json-scan.ts'
import { columnsOfElements, findTable, type JsonTable } from './json-table.ts'

/**
 * Reads a JSON file with a list of objects or of pairs into rows, with the names of its fields as heading: our own export, ThingsBoard,
 * Home Assistant, emoncms, and a value per line.
 *
 * errors  FileRefused: `unknownJson` for another structure
 */
export function readJson({ text, encoding }: DecodedText): OpenedFile {
  const rows = createRecordRows([])
  const builder = createRowBuilder(rows)
  if (isSeveralValues(text)) readLines(text, builder)
  else readValue(text, builder)
  if (rows.grid.length === 1) throw new FileRefused('unknownJson')
  return openedRecords(rows, 'json', encoding)
}

/** Reads a file with a value per line. A line that is no row is skipped. */
function readLines(text: string, builder: RowBuilder): void {
  let columnsOf: JsonTable['columnsOf'] | undefined
  let start = 0
  for (let line = 1; start < text.length; line++) {
    const feed = text.indexOf('\n', start)
    const end = feed < 0 ? text.length : feed
    const json = text.slice(start, end).trim()
    start = end + 1
    if (json === '') continue
    const value = parse(json)
    if (value === undefined) {
      skipRecord(builder.rows, line, 'notJson', json)
      continue
    }
    columnsOf ??= columnsOfElements([value])
    builder.add(line, columnsOf(value), value)
  }
}

function readValue(text: string, builder: RowBuilder): void {
  const value = parse(text)
  const table = value === undefined ? undefined : findTable(value)
  if (!table) throw new FileRefused('unknownJson')
  const { elements: lines, members } = findLines(text, table.lists[0]?.path.length ?? 0)
  for (const { path, value: other } of table.others) {
    const line = members.get(keyOfPath(path)) ?? 1
    skipRecord(builder.rows, line, 'outsideRows', `${path.join('.')}: ${JSON.stringify(other)}`)
  }
  for (const { path, elements, constants } of table.lists) {
    const linesOfList = lines.get(keyOfPath(path))
    for (const [index, element] of elements.entries())
      builder.add(linesOfList?.[index] ?? 1, table.columnsOf(element), element, constants)
  }
}

/** Value of a JSON text, or undefined. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}
