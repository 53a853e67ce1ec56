import { sheetNames } from './file-names.ts'
import { createZip, type ZipEntry } from './zip.ts'

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Maximum number of rows of an Excel sheet, including the header; a longer table continues in the next sheet. */
const MAX_SHEET_ROWS = 1_048_576
/** Maximum number of characters in an Excel cell. */
const MAX_CELL_CHARACTERS = 32_767
const DAY = 86_400_000
/** 1970-01-01 as an Excel serial date. */
const EPOCH = 25_569
/** Indexes of cell styles in the style sheet. */
const STYLE = { plain: 0, head: 1, time: 2 } as const

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_XML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A column of a sheet: heading, and width in characters. */
export interface SheetColumn {
  heading: string
  width: number
}

/**
 * Writer of an XLSX workbook (ECMA-376) row by row, so that a long table needs no more memory than a page of it.
 *
 * columns   of every sheet that has none of its own
 * mostRows  maximum number of rows of a sheet, including the header
 */
export function createSheets(columns: readonly SheetColumn[], mostRows = MAX_SHEET_ROWS) {
  const zip = createZip()
  const encoder = new TextEncoder()
  const names: string[] = []
  let sheet: ZipEntry | undefined
  let row = 0
  /** Columns of the current sheet. */
  let sheetColumns = columns

  const writeText = (text: string) => (sheet as ZipEntry).write(encoder.encode(text))

  async function beginSheet(name: string, ownColumns: readonly SheetColumn[] = columns): Promise<void> {
    names.push(name)
    sheetColumns = ownColumns
    sheet = zip.entry(`xl/worksheets/sheet${names.length}.xml`)
    row = 1
    await writeText(
      `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
        ownColumns
          .map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
          .join('') +
        `</cols><sheetData><row r="1">${ownColumns.map(({ heading }, i) => textCell(i, 1, heading, STYLE.head)).join('')}</row>`,
    )
  }

  async function end(): Promise<void> {
    await writeText('</sheetData></worksheet>')
    await sheet?.end()
    sheet = undefined
  }

  return {
    /** Begins a sheet, optionally with columns of its own; the previous sheet must have ended. Equal names are numbered. */
    begin: beginSheet,
    end,
    /** Writes `count` rows; `cells` returns the cells of each, by index in this call and row in the sheet. */
    async rows(count: number, cells: (index: number, row: number) => string): Promise<void> {
      let text = ''
      for (let index = 0; index < count; index++) {
        if (row >= mostRows) {
          await writeText(text)
          text = ''
          await end()
          await beginSheet(names.at(-1) as string, sheetColumns)
        }
        row++
        text += `<row r="${row}">${cells(index, row)}</row>`
      }
      if (text !== '') await writeText(text)
    },
    async finish(): Promise<Blob> {
      const sheets = sheetNames(names)
      const parts: [string, string][] = [
        ['[Content_Types].xml', contentTypes(sheets.length)],
        ['_rels/.rels', relationships([['rId1', `${OFFICE}/officeDocument`, 'xl/workbook.xml']])],
        ['xl/workbook.xml', workbookXml(sheets)],
        [
          'xl/_rels/workbook.xml.rels',
          relationships([
            ...sheets.map(
              (_, index) =>
                [`rId${index + 1}`, `${OFFICE}/worksheet`, `worksheets/sheet${index + 1}.xml`] as const,
            ),
            [`rId${sheets.length + 1}`, `${OFFICE}/styles`, 'styles.xml'],
          ]),
        ],
        ['xl/styles.xml', STYLES],
      ]
      for (const [name, text] of parts) {
        const entry = zip.entry(name)
        await entry.write(encoder.encode(text))
        await entry.end()
      }
      return zip.end(XLSX_TYPE)
    },
  }
}
export type Sheets = ReturnType<typeof createSheets>

/** Letters of a column by index, 0 is A: A, B … Z, AA. */
const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

export const numberCell = (column: number, row: number, value: number): string =>
  `<c r="${letters(column)}${row}"><v>${value}</v></c>`

/** Cell with a date and time; `wall` is the epoch ms at which a UTC clock shows the same. */
export const timeCell = (column: number, row: number, wall: number): string =>
  `<c r="${letters(column)}${row}" s="${STYLE.time}"><v>${wall / DAY + EPOCH}</v></c>`

/** Cell with text, never a formula; truncated to Excel's maximum. */
export const textCell = (column: number, row: number, text: string, style: number = STYLE.plain): string =>
  `<c r="${letters(column)}${row}"${style ? ` s="${style}"` : ''} t="inlineStr"><is><t xml:space="preserve">${escape(text.slice(0, MAX_CELL_CHARACTERS))}</t></is></c>`

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// oxlint-disable-next-line no-control-regex -- matches characters that XML 1.0 does not allow
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
/** Text that Excel would decode as an escaped character. */
const NUMBERED = /_(?=x[0-9a-f]{4}_)/gi
const escape = (text: string): string =>
  text
    .replace(NOT_XML, '')
    .replace(NUMBERED, '_x005F_')
    .replace(/[&<>"]/g, (character) => ESCAPES[character] as string)

const contentTypes = (sheets: number): string =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
  `ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
  `<Override PartName="/xl/workbook.xml" ContentType="${SHEET_XML}.sheet.main+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${SHEET_XML}.styles+xml"/>` +
  Array.from(
    { length: sheets },
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${SHEET_XML}.worksheet+xml"/>`,
  ).join('') +
  '</Types>'

const relationships = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const workbookXml = (sheets: readonly string[]): string =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets
    .map((name, index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets></workbook>`

const STYLES =
  `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>'
