import { type ArchiveEntry, listEntries, unpackEntry } from './archive.ts'
import { MAX_LINES } from './grid.ts'
import { type SheetScan, scanSheet } from './sheet-scan.ts'

/** Maximum size of the parts of a workbook that are unpacked. */
const MAX_UNPACKED_BYTES = 400 * 2 ** 20
/** Parts that have no cells. */
const WITHOUT_CELLS =
  /^xl\/(?:media|drawings|charts|embeddings|printersettings|pivottables|pivotcache|externallinks|comments|threadedcomments|ctrlprops|activex|vbaproject)|^(?:pictures|thumbnails)\//
const BOOK = /(?:^|\/)workbook\d*\.xml$/

/** Unpacked parts of a workbook that are needed to read one sheet, or several with the same headings. */
export interface UnpackedWorkbook {
  /** Content by name in lower case. */
  files: ReadonlyMap<string, Uint8Array>
  /** Index of the sheet; undefined in other formats than XLSX, of which every sheet is unpacked. */
  sheet: number | undefined
  /** Indexes of the sheets that are one table: `sheet`, and if none was requested, visible ones with the same first row. */
  joined: readonly number[]
  /** Whether a formula of these sheets has no stored value. */
  hasUncomputed: boolean
}

/** A sheet as the workbook lists it, with the name of its part. */
interface ListedSheet {
  part: string
  isHidden: boolean
}

/**
 * Unpacks what is needed to read a sheet.
 *
 * sheet   index; if absent, the visible sheet with the most filled rows, or of equal ones the first, and those with the same headings
 * errors  FileRefused
 */
export async function unpackWorkbook(
  bytes: Uint8Array<ArrayBuffer>,
  sheet: number | undefined,
): Promise<UnpackedWorkbook> {
  const entries = new Map(listEntries(bytes).map((entry) => [entry.name.toLowerCase(), entry]))
  let bytesLeft = MAX_UNPACKED_BYTES
  const unpack = async (entry: ArchiveEntry): Promise<Uint8Array> => {
    const content = await unpackEntry(bytes, entry, bytesLeft)
    bytesLeft -= content.length
    return content
  }
  const textOf = async (name: string): Promise<string> => {
    const entry = entries.get(name)
    return entry ? new TextDecoder().decode(await unpack(entry)) : ''
  }
  const book = [...entries.keys()].find((name) => BOOK.test(name))
  const sheets = book === undefined ? [] : await listSheets(book, textOf)
  const sheetParts = new Set(sheets.map(({ part }) => part))
  const files = new Map<string, Uint8Array>()
  for (const [name, entry] of entries)
    if (!sheetParts.has(name) && !WITHOUT_CELLS.test(name)) files.set(name, await unpack(entry))
  if (sheets.length === 0) return { files, sheet: undefined, joined: [], hasUncomputed: false }

  const contentOf = async (index: number): Promise<Uint8Array | undefined> => {
    const entry = entries.get(sheets[index]?.part ?? '')
    return entry && unpack(entry)
  }
  const { chosen, others } = await chooseSheet(sheets, sheet, contentOf)
  const joined = [chosen, ...others].toSorted((a, b) => a.sheet - b.sheet)
  for (const { sheet: index, content } of joined) if (content) files.set(sheets[index]?.part ?? '', content)
  return {
    files,
    sheet: chosen.sheet,
    joined: joined.map(({ sheet: index }) => index),
    hasUncomputed: joined.some((each) => each.hasUncomputed),
  }
}

interface SheetChoice extends SheetScan {
  sheet: number
  content: Uint8Array | undefined
}

/** Number of bytes and rows in which the headings of a sheet are looked for. */
const MAX_HEAD_BYTES = 2 ** 16
const MAX_HEAD_ROWS = 10

/** Serial dates are larger; numbers of hours and intervals are smaller. */
const MIN_SERIAL = 20_000

/**
 * Cells of the first row with at least two, as the file stores them: equal in sheets with the same headings. Undefined if they are dates:
 * then the sheets are side by side.
 */
function headingsOf(content: Uint8Array | undefined): readonly string[] | undefined {
  if (!content) return undefined
  const head = new TextDecoder().decode(content.subarray(0, MAX_HEAD_BYTES))
  const rows = head.split(/<\/(?:\w+:)?row>/).slice(0, -1)
  for (const row of rows.slice(0, MAX_HEAD_ROWS)) {
    const cells = row.slice(Math.max(0, row.search(/<(?:\w+:)?row[\s>]/)))
    const texts = Array.from(cells.matchAll(/<(?:\w+:)?[tv](?:\s[^<>]*)?>([^<]*)</g), ([, text = '']) =>
      text.trim().toLowerCase(),
    )
    if (texts.length < 2) continue
    const isText = Array.from(cells.matchAll(/<(?:\w+:)?c\s([^<>]*)>/g), ([, tag = '']) =>
      /\st="(?!n)/.test(` ${tag}`),
    )
    const dates = texts.filter((text, at) => isText[at] === false && Number(text) > MIN_SERIAL)
    return dates.length * 2 > texts.length ? undefined : texts
  }
  return undefined
}

/** Other visible sheets with the headings of the chosen one, or with more or fewer at the end, if all together are not too long. */
function sameTable(chosen: SheetChoice, visible: readonly SheetChoice[]): SheetChoice[] {
  const headings = headingsOf(chosen.content)
  if (headings === undefined) return []
  const isSame = (others: readonly string[] | undefined) =>
    others !== undefined && headings.slice(0, others.length).every((text, at) => text === others[at])
  const others = visible.filter(
    (other) => other !== chosen && other.filledRows > 1 && isSame(headingsOf(other.content)),
  )
  const rows = [chosen, ...others].reduce((sum, { filledRows }) => sum + filledRows, 0)
  return rows > MAX_LINES ? [] : others
}

/** A hidden sheet is chosen only if every visible one is empty. */
async function chooseSheet(
  sheets: readonly ListedSheet[],
  requested: number | undefined,
  contentOf: (index: number) => Promise<Uint8Array | undefined>,
): Promise<{ chosen: SheetChoice; others: readonly SheetChoice[] }> {
  const scan = async (sheet: number): Promise<SheetChoice> => {
    const content = await contentOf(sheet)
    return { sheet, content, ...(content ? scanSheet(content) : { filledRows: 0, hasUncomputed: false }) }
  }
  if (requested !== undefined) return { chosen: await scan(requested), others: [] }
  let best: SheetChoice | undefined
  for (const isHidden of [false, true]) {
    const scanned: SheetChoice[] = []
    for (const [index, sheet] of sheets.entries()) {
      if (sheet.isHidden !== isHidden) continue
      const other = await scan(index)
      scanned.push(other)
      if (!best || other.filledRows > best.filledRows) best = other
    }
    if (best && best.filledRows > 0) return { chosen: best, others: isHidden ? [] : sameTable(best, scanned) }
  }
  return { chosen: best ?? (await scan(0)), others: [] }
}

/** Sheets of a workbook in their order. */
async function listSheets(book: string, textOf: (name: string) => Promise<string>): Promise<ListedSheet[]> {
  const folder = book.slice(0, book.lastIndexOf('/') + 1)
  const relations = await textOf(`${folder}_rels/${book.slice(folder.length)}.rels`)
  const targets = new Map(
    tagsOf(relations, 'Relationship').map((tag) => [tag.get('Id'), tag.get('Target') ?? '']),
  )
  return tagsOf(await textOf(book), 'sheet').map((tag) => {
    const id = [...tag].find(([name]) => name.endsWith(':id'))?.[1]
    return {
      part: partOf(folder, targets.get(id) ?? ''),
      isHidden: (tag.get('state') ?? 'visible') !== 'visible',
    }
  })
}

/** Name of a part by a target that is relative to a folder; empty if the target is invalid. */
function partOf(folder: string, target: string): string {
  try {
    const { pathname } = new URL(target.replaceAll('&amp;', '&'), `http://workbook/${folder}`)
    return decodeURIComponent(pathname.slice(1)).toLowerCase()
  } catch {
    return ''
  }
}

/** Attributes of each tag of this name. The patterns need linear time for any text. */
function tagsOf(xml: string, name: string): Map<string, string>[] {
  const tags = xml.matchAll(new RegExp(`<(?:\\w+:)?${name}\\s([^<>]*)>`, 'g'))
  return Array.from(tags, ([, attributes = '']) => {
    const pairs = attributes.matchAll(/([\w:]{1,40})=(?:"([^"]*)"|'([^']*)')/g)
    return new Map(Array.from(pairs, ([, key = '', double, single]) => [key, double ?? single ?? '']))
  })
}
