import { FileRefused } from './file-fault.ts'
import { readText, type OpenedFile } from './grid.ts'

/** Sheet to read of a workbook, and delimiter of a text file; detected if absent. */
export interface OpenOptions {
  delimiter?: string | undefined
  sheet?: number | undefined
}

/** Reads the cells of a CSV file or a workbook, detected by its first bytes. For workers. Errors: FileRefused. */
export async function openFile(file: Blob, { delimiter, sheet }: OpenOptions = {}): Promise<OpenedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes.length === 0) throw new FileRefused('empty')
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new FileRefused('oldExcel')
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return readText(bytes, delimiter)
  const { readWorkbook } = await import('./workbook.ts')
  return readWorkbook(bytes, sheet)
}
