import { type ArchiveEntry, gunzip, listEntries, unpackEntry } from './archive.ts'
import { decodeText } from './decode-text.ts'
import { FileRefused, MAX_FILE_BYTES } from './file-fault.ts'
import { readTable, type OpenedFile } from './grid.ts'
import { faultOfBytes, faultOfText, formatOfText, isGzip, isZip } from './recognize.ts'

/** Sheet to read of a workbook, and delimiter of a text file; detected if absent. */
export interface OpenOptions {
  delimiter?: string | undefined
  sheet?: number | undefined
}

/**
 * Reads the cells of a file, whose format is detected by its content: text with delimiters, a workbook, NEM12, Green Button, JSON, or an
 * archive with one of them. For workers.
 *
 * errors  FileRefused
 */
export const openFile = async (file: Blob, options: OpenOptions = {}): Promise<OpenedFile> =>
  openBytes(new Uint8Array(await file.arrayBuffer()), options, false)

async function openBytes(
  bytes: Uint8Array<ArrayBuffer>,
  options: OpenOptions,
  isUnpacked: boolean,
): Promise<OpenedFile> {
  if (bytes.length === 0) throw new FileRefused('empty')
  const fault = faultOfBytes(bytes)
  if (fault) throw new FileRefused(fault)
  if (isZip(bytes)) {
    const entries = listEntries(bytes)
    if (entries.some(isPartOfWorkbook)) {
      const { readWorkbook } = await import('./workbook.ts')
      return readWorkbook(bytes, options.sheet)
    }
    if (isUnpacked) throw new FileRefused('nestedArchive')
    return openBytes(await unpackEntry(bytes, onlyFile(entries), MAX_FILE_BYTES), options, true)
  }
  if (!isGzip(bytes)) return openText(bytes, options)
  if (isUnpacked) throw new FileRefused('nestedArchive')
  return openBytes(await gunzip(bytes, MAX_FILE_BYTES), options, true)
}

/** Names that only workbooks have: Office, OpenDocument, Numbers. */
const isPartOfWorkbook = ({ name }: ArchiveEntry): boolean =>
  ['[Content_Types].xml', 'META-INF/manifest.xml', 'Index/Document.iwa'].includes(name)

/** The only file of an archive; those that macOS adds do not count. */
function onlyFile(entries: readonly ArchiveEntry[]): ArchiveEntry {
  const [file, ...others] = entries.filter(
    ({ name }) => !name.startsWith('__MACOSX/') && !name.endsWith('.DS_Store'),
  )
  if (!file) throw new FileRefused('empty')
  if (others.length > 0) throw new FileRefused('severalFiles')
  return file
}

async function openText(bytes: Uint8Array, { delimiter }: OpenOptions): Promise<OpenedFile> {
  const decoded = decodeText(bytes)
  const fault = faultOfText(decoded.text)
  if (fault) throw new FileRefused(fault)
  switch (formatOfText(decoded.text)) {
    case 'nem12': {
      const { readNem12 } = await import('./nem12.ts')
      return readNem12(decoded)
    }
    case 'xml': {
      const { readGreenButton } = await import('./green-button.ts')
      return readGreenButton(decoded)
    }
    case 'json': {
      const { readJson } = await import('./json-file.ts')
      return readJson(decoded)
    }
    case 'cells':
      return readTable(decoded, delimiter)
  }
}
