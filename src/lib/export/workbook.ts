import { sheetNames } from './file-names.ts'
import { formatIso, wallClock, written, type ExportPlan, type Rows } from './table.ts'
import { createZip, type ZipEntry } from './zip.ts'

export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
/** Rows that Excel shows of a sheet, the head among them; a longer table goes on in the next sheet. */
export const MOST_SHEET_ROWS = 1_048_576
const DAY = 86_400_000
/** 1970-01-01 in days of Excel's calendar. */
const EPOCH = 25_569
/** Styles by their place in the style sheet. */
const STYLE = { plain: 0, head: 1, time: 2 } as const

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_XML = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * An XLSX workbook (ECMA-376) written row by row, so that a year of many meters needs no more memory than a page of them.
 * Numbers are numbers and times are dates of the home's clock; texts are texts, never formulas.
 *
 * mostRows  of a sheet, its head among them
 */
export function createWorkbook(plan: ExportPlan, mostRows = MOST_SHEET_ROWS) {
  const zip = createZip()
  const encoder = new TextEncoder()
  const places = plan.columns.map(({ field }) => plan.fields.indexOf(field))
  const letters = Array.from({ length: places.length + 2 }, (_, index) => String.fromCharCode(65 + index))
  const stride = plan.fields.length + 1
  const names: string[] = []
  let sheet: ZipEntry | undefined
  let row = 0

  const put = (text: string) => (sheet as ZipEntry).write(encoder.encode(text))

  async function begin(name: string): Promise<void> {
    names.push(name)
    sheet = zip.entry(`xl/worksheets/sheet${names.length}.xml`)
    const headings = [plan.timeHeading, plan.isoHeading, ...plan.columns.map(({ heading }) => heading)]
    row = 1
    await put(
      `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
        `<cols><col min="1" max="1" width="20" customWidth="1"/><col min="2" max="2" width="28" customWidth="1"/>` +
        `<col min="3" max="${Math.max(3, headings.length)}" width="16" customWidth="1"/></cols><sheetData><row r="1">` +
        headings.map((text, index) => textCell(`${letters[index]}1`, text, STYLE.head)).join('') +
        '</row>',
    )
  }

  async function end(): Promise<void> {
    await put('</sheetData></worksheet>')
    await sheet?.end()
    sheet = undefined
  }

  function rowXml(rows: Rows, at: number): string {
    const timestamp = rows[at] as number
    const serial = wallClock(timestamp, plan.zone) / DAY + EPOCH
    let text = `<row r="${row}"><c r="A${row}" s="${STYLE.time}"><v>${serial}</v></c>`
    text += textCell(`B${row}`, formatIso(timestamp, plan.zone), STYLE.plain)
    for (const [index, place] of places.entries()) {
      const value = rows[at + 1 + place] as number
      if (Number.isNaN(value)) continue
      const { field } = plan.columns[index] as (typeof plan.columns)[number]
      text += `<c r="${letters[index + 2]}${row}"><v>${written(value, field, plan.decimals)}</v></c>`
    }
    return `${text}</row>`
  }

  return {
    begin,
    end,
    async rows(rows: Rows): Promise<void> {
      let text = ''
      for (let at = 0; at < rows.length; at += stride) {
        if (row >= mostRows) {
          const name = names.at(-1) as string
          await put(text)
          text = ''
          await end()
          await begin(name)
        }
        row++
        text += rowXml(rows, at)
      }
      if (text !== '') await put(text)
    },
    /** The finished file. */
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
export type Workbook = ReturnType<typeof createWorkbook>

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// oxlint-disable-next-line no-control-regex -- what XML 1.0 cannot hold
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
const escape = (text: string): string =>
  text.replace(NOT_XML, '').replace(/[&<>"]/g, (character) => ESCAPES[character] as string)

const textCell = (place: string, text: string, style: number): string =>
  `<c r="${place}"${style ? ` s="${style}"` : ''} t="inlineStr"><is><t xml:space="preserve">${escape(text)}</t></is></c>`

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
