import { BYTE_ORDER_MARK, csvText } from '../../lib/export/text-files.ts'

/** Lines of texts as a CSV that spreadsheets read, and calculate nothing of (RFC 4180, byte-order mark). */
export const csvOfLines = (lines: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + lines.map((line) => `${line.map(csvText).join(',')}\r\n`).join('')
