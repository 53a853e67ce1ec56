import { type ArchiveEntry, listEntries, unpackEntry } from './archive.ts'
import { type SheetScan, scanSheet } from './sheet-scan.ts'

/** Maximum size of the parts of a workbook that are unpacked. */
const MAX_UNPACKED_BYTES = 400 * 2 ** 20
/** Parts that have no cells. */
const WITHOUT_CELLS =
  /^xl\/(?:media|drawings|charts|embeddings|printersettings|pivottables|pivotcache|externallinks|comments|threadedcomments|ctrlprops|activex|vbaproject)|^(?:pictures|thumbnails)\//
const BOOK = /(?:^|\/)workbook\d*\.xml$/

/** Unpacked parts of a workbook that are needed to read one sheet. */
export interface UnpackedWorkbook {
  /** Content by name in lower case. */
  files: ReadonlyMap<string, Uint8Array>
  /** Index of the sheet; undefined in other formats than XLSX, of which every sheet is unpacked. */
  sheet: number | undefined
  /** Whether the sheet has formulas without a stored value. */
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
 * sheet   index; if absent, the visible sheet with the most filled rows, or of equal ones the first
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
  if (sheets.length === 0) return { files, sheet: undefined, hasUncomputed: false }

  const contentOf = async (index: number): Promise<Uint8Array | undefined> => {
    const entry = entries.get(sheets[index]?.part ?? '')
    return entry && unpack(entry)
  }
  const chosen = await chooseSheet(sheets, sheet, contentOf)
  if (chosen.content) files.set(sheets[chosen.sheet]?.part ?? '', chosen.content)
  return { files, sheet: chosen.sheet, hasUncomputed: chosen.hasUncomputed }
}

interface SheetChoice extends SheetScan {
  sheet: number
  content: Uint8Array | undefined
}

/** A hidden sheet is chosen only if every visible one is empty. */
async function chooseSheet(
  sheets: readonly ListedSheet[],
  requested: number | undefined,
  contentOf: (index: number) => Promise<Uint8Array | undefined>,
): Promise<SheetChoice> {
  const scan = async (sheet: number): Promise<SheetChoice> => {
    const content = await contentOf(sheet)
    return { sheet, content, ...(content ? scanSheet(content) : { filledRows: 0, hasUncomputed: false }) }
  }
  if (requested !== undefined) return scan(requested)
  let best: SheetChoice | undefined
  for (const isHidden of [false, true]) {
    for (const [index, sheet] of sheets.entries()) {
      if (sheet.isHidden !== isHidden) continue
      const other = await scan(index)
      if (!best || other.filledRows > best.filledRows) best = other
    }
    if (best && best.filledRows > 0) break
  }
  return best ?? scan(0)
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
