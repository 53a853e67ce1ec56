import { createListFile, type ListCell, type ListFormat } from '../../lib/export/list-file.ts'
import { formatWall } from '../../lib/export/table.ts'
import { saveBlob } from '../../lib/save-file.ts'
import { t } from '../../lib/i18n/i18n.ts'
import type { RowsPage } from '../../data/records.ts'
import type { ListColumn, ExportedRows } from './columns.ts'

/** Number of rows written at a time, to keep the page responsive. */
const PAGE_SIZE = 500

interface SaveListOptions<Row> {
  format: ListFormat
  name: string
  /** Time zone of the exported times. */
  zone: string
  columns: readonly ListColumn<Row>[]
  rows: ExportedRows<Row>
  signal: AbortSignal
  /** Called with the number of written rows and their total. */
  onProgress: (doneCount: number, total: number) => void
}

/**
 * Writes a whole list to a file and starts its download.
 *
 * returns  number of rows; undefined if aborted, without a file
 * errors   those of fetching a page
 */
export async function saveList<Row>(options: SaveListOptions<Row>): Promise<number | undefined> {
  const { zone, columns, signal } = options
  const file = createListFile({
    format: options.format,
    name: `${options.name} ${formatWall(Date.now(), zone).slice(0, 10)}`,
    zone,
    headings: columns.map((column) =>
      'at' in column ? t('lists:export.onClock', { title: column.title, zone }) : column.title,
    ),
  })
  let doneCount = 0
  for await (const { Rows, Total } of pagesOf(options.rows, signal)) {
    if (signal.aborted) return undefined
    await file.add(Rows.map((row) => columns.map((column) => cellOf(column, row))))
    doneCount += Rows.length
    options.onProgress(doneCount, Math.max(doneCount, Total))
  }
  const { name, blob } = await file.end()
  if (signal.aborted) return undefined
  saveBlob(name, blob)
  return doneCount
}

function cellOf<Row>(column: ListColumn<Row>, row: Row): ListCell {
  if ('of' in column) return column.of(row)
  const at = column.at(row)
  return at === null ? null : { at }
}

async function* pagesOf<Row>(
  rows: ExportedRows<Row>,
  signal: AbortSignal,
): AsyncGenerator<Pick<RowsPage<Row>, 'Rows' | 'Total'>> {
  if (typeof rows !== 'function') {
    for (let at = 0; at < rows.length; at += PAGE_SIZE)
      yield { Rows: rows.slice(at, at + PAGE_SIZE), Total: rows.length }
    return
  }
  let cursor: string | undefined
  do {
    const page = await rows(cursor, signal)
    yield page
    cursor = page.NextCursor ?? undefined
  } while (cursor !== undefined)
}
