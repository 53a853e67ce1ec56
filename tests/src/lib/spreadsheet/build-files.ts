import { deflateRawSync } from 'node:zlib'
import * as XLSX from 'xlsx'
import { type OpenOptions, openFile } from '../../../../src/lib/spreadsheet/open-file.ts'

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text))

/** Opens a file with this content. */
export const open = (content: Uint8Array<ArrayBuffer> | string, options?: OpenOptions) =>
  openFile(new Blob([content]), options)

/** Bytes of UTF-16 without a byte-order mark. */
export function utf16Of(text: string, order: 'le' | 'be'): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(text, 'utf16le')
  return Uint8Array.from(order === 'le' ? bytes : bytes.swap16())
}

export interface ZippedFile {
  name: string
  content: Uint8Array | string
  /** Stated size, if it differs from the real one. */
  size?: number
  isStored?: boolean
  isEncrypted?: boolean
  /** Whether its sizes and offset are 64 bits, as some libraries write them. */
  isZip64?: boolean
}

/** A zip archive. */
export function zipOf(...files: readonly ZippedFile[]): Uint8Array<ArrayBuffer> {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, content, size, isStored, isEncrypted, isZip64 } of files) {
    const plain = Buffer.from(content)
    const packed = isStored ? plain : deflateRawSync(plain)
    const nameBytes = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x0403_4b50, 0)
    local.writeUInt16LE(nameBytes.length, 26)
    const extra = Buffer.alloc(isZip64 ? 28 : 0)
    const central = Buffer.alloc(46)
    central.writeUInt32LE(0x0201_4b50, 0)
    central.writeUInt16LE(isEncrypted ? 1 : 0, 8)
    central.writeUInt16LE(isStored ? 0 : 8, 10)
    const numbers = { 20: packed.length, 24: size ?? plain.length, 42: offset }
    for (const [at, value] of Object.entries(numbers))
      central.writeUInt32LE(isZip64 ? 0xffff_ffff : value, Number(at))
    if (isZip64) {
      extra.writeUInt16LE(0x0001, 0)
      extra.writeUInt16LE(24, 2)
      for (const [index, value] of [numbers[24], numbers[20], numbers[42]].entries())
        extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
    }
    central.writeUInt16LE(nameBytes.length, 28)
    central.writeUInt16LE(extra.length, 30)
    parts.push(local, nameBytes, packed)
    directory.push(central, nameBytes, extra)
    offset += local.length + nameBytes.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x0605_4b50, 0)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(offset, 16)
  return Uint8Array.from(Buffer.concat([...parts, ...directory, end]))
}

/** A sheet of a workbook: its rows as XML. */
export interface SheetXml {
  name: string
  rows: string
  state?: string
}
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * A workbook with XML that SheetJS would not write.
 *
 * numFmtIds  format of each cell style
 * prefix     prefix of the elements, `x:`
 */
export function xlsxOf(
  sheets: readonly SheetXml[],
  {
    numFmtIds = [0],
    prefix = '',
    more = [],
  }: { numFmtIds?: number[]; prefix?: string; more?: ZippedFile[] } = {},
): Uint8Array<ArrayBuffer> {
  const xmlns = `xmlns${prefix ? `:${prefix.slice(0, -1)}` : ''}="${MAIN}"`
  // Relations in reverse, so that the order of parts is not the order of sheets.
  const relations = sheets
    .map(
      (_, index) =>
        `<Relationship Id="rId${index}" Type="${OFFICE}/worksheet" Target="worksheets/part${index}.xml"/>`,
    )
    .toReversed()
  return zipOf(
    {
      name: '[Content_Types].xml',
      content: `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/>${sheets.map((_, index) => `<Override PartName="/xl/worksheets/part${index}.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/>`).join('')}</Types>`,
    },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets.map(({ name, state }, index) => `<sheet name="${name}" sheetId="${index + 1}" ${state ? `state="${state}" ` : ''}r:id="rId${index}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`,
    },
    {
      name: 'xl/styles.xml',
      content: `<styleSheet xmlns="${MAIN}"><cellXfs count="${numFmtIds.length}">${numFmtIds.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`,
    },
    ...sheets.map(({ rows }, index) => ({
      name: `xl/worksheets/part${index}.xml`,
      content: `<${prefix}worksheet ${xmlns}><${prefix}sheetData>${rows}</${prefix}sheetData></${prefix}worksheet>`,
    })),
    ...more,
  )
}

/** Rows of a sheet with a number each. */
export const numberRows = (count: number, prefix = ''): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `<${prefix}row r="${index + 1}"><${prefix}c r="A${index + 1}"><${prefix}v>${index}</${prefix}v></${prefix}c></${prefix}row>`,
  ).join('')

/** A workbook that SheetJS writes. */
export const writeBook = (book: XLSX.WorkBook, bookType: XLSX.BookType = 'xlsx'): Uint8Array<ArrayBuffer> =>
  new Uint8Array(XLSX.write(book, { type: 'array', bookType, compression: true }) as ArrayBuffer)

/** A workbook with a sheet of these rows, whose cells may be SheetJS cells. */
export function bookOf(rows: readonly (readonly unknown[])[], name = '用電'): XLSX.WorkBook {
  const book = XLSX.utils.book_new()
  const sheet: XLSX.WorkSheet = {}
  let width = 0
  for (const [row, cells] of rows.entries())
    for (const [column, value] of cells.entries()) {
      width = Math.max(width, column)
      const cell =
        typeof value === 'object' && value !== null
          ? value
          : { t: typeof value === 'number' ? 'n' : 's', v: value }
      sheet[XLSX.utils.encode_cell({ r: row, c: column })] = cell as XLSX.CellObject
    }
  sheet['!ref'] = XLSX.utils.encode_range({ r: 0, c: 0 }, { r: Math.max(0, rows.length - 1), c: width })
  XLSX.utils.book_append_sheet(book, sheet, name)
  return book
}

/** A day of NEM12 with the same value in each interval. */
export const nemDay = (date: string, minutes: number, value = '1.5', quality = 'A'): string =>
  [
    '300',
    date,
    ...Array.from({ length: 1440 / minutes }, () => value),
    quality,
    '',
    '',
    '20260602010203',
    '',
  ].join(',')

export const nemMeter = (suffix: string, unit: string, minutes: number): string =>
  `200,NEM1201009,E1B1,1,${suffix},N1,01009,${unit},${minutes},20260610`

export const nemFile = (...records: readonly string[]): string =>
  ['100,NEM12,202606020101,UNITEDDP,NEMMCO', ...records, '900', ''].join('\r\n')

/** An entry of a Green Button feed: links by relation, and content. */
export const atomEntry = (
  title: string,
  links: readonly (readonly [string, string])[],
  content: string,
): string =>
  `<entry><id>urn:uuid:1</id>${links.map(([rel, href]) => `<link rel="${rel}" href="${href}"/>`).join('')}<title>${title}</title><content>${content}</content></entry>\n`

export const feedOf = (...entries: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">\n<title>Feed</title>\n${entries.join('')}</feed>\n`

/** A Green Button file of one meter. `type` has the elements of its reading type. */
export const greenButtonOf = (type: string, readings: string): string =>
  feedOf(
    atomEntry(
      'Main meter',
      [
        ['self', 'U/1'],
        ['related', 'U/1/MeterReading'],
      ],
      '<UsagePoint xmlns="http://naesb.org/espi"><ServiceCategory><kind>0</kind></ServiceCategory></UsagePoint>',
    ),
    atomEntry(
      'Quarter hours',
      [
        ['self', 'U/1/MeterReading/1'],
        ['up', 'U/1/MeterReading'],
        ['related', 'ReadingType/7'],
      ],
      '<MeterReading xmlns="http://naesb.org/espi"/>',
    ),
    atomEntry(
      '',
      [['self', 'ReadingType/7']],
      `<ReadingType xmlns="http://naesb.org/espi">${type}</ReadingType>`,
    ),
    atomEntry(
      '',
      [
        ['self', 'U/1/MeterReading/1/IntervalBlock/1'],
        ['up', 'U/1/MeterReading/1/IntervalBlock'],
      ],
      `<IntervalBlock xmlns="http://naesb.org/espi"><interval><duration>1800</duration><start>1780272000</start></interval>${readings}</IntervalBlock>`,
    ),
  )

/** A reading of a Green Button file. */
export const espiReading = (start: number | string, value: number | string, more = ''): string =>
  `\n<IntervalReading><cost>9</cost><timePeriod><duration>900</duration><start>${start}</start></timePeriod><value>${value}</value>${more}</IntervalReading>`
