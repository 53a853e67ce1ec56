import { BYTE_ORDER_MARK, csvText } from '../../lib/export/text-files.ts'

/** Lines of text as CSV (RFC 4180, with byte-order mark); spreadsheets do not evaluate its cells as formulas. */
export const csvOfLines = (lines: readonly (readonly string[])[]): string =>
  BYTE_ORDER_MARK + lines.map((line) => `${line.map(csvText).join(',')}\r\n`).join('')
