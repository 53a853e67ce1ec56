import type { FileFault } from './file-fault.ts'

/** Number of bytes or characters at the beginning of a file that are examined. */
const EXAMINED = 4_096

const startsWith = (bytes: Uint8Array, ...signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte)
const asciiAt = (bytes: Uint8Array, start: number, text: string): boolean =>
  [...text].every((character, index) => bytes[start + index] === character.charCodeAt(0))

export const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x1f, 0x8b, 0x08)
/** Whether a file is a zip archive; the last signature is that of an empty one. */
export const isZip = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x50, 0x4b, 0x03, 0x04) || startsWith(bytes, 0x50, 0x4b, 0x05, 0x06)

/** Reason to reject a file that its first bytes show, or undefined. */
export function faultOfBytes(bytes: Uint8Array): FileFault | undefined {
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    return hasEncryptedPackage(bytes) ? 'passwordProtected' : 'oldExcel'
  if (isOldWorksheet(bytes)) return 'oldExcel'
  if (asciiAt(bytes, 0, '%PDF-')) return 'pdf'
  return isPicture(bytes) ? 'picture' : undefined
}

/** Whether a file is a worksheet of Excel 2, 3 or 4. */
const isOldWorksheet = (bytes: Uint8Array): boolean =>
  startsWith(bytes, 0x09, 0x00, 0x04, 0x00) ||
  startsWith(bytes, 0x09, 0x02, 0x06, 0x00) ||
  startsWith(bytes, 0x09, 0x04, 0x06, 0x00)

/** Whether an OLE file contains an encrypted workbook: names of its streams are UTF-16. */
const hasEncryptedPackage = (bytes: Uint8Array): boolean =>
  new TextDecoder('utf-16le').decode(bytes).includes('EncryptedPackage')

const isPicture = (bytes: Uint8Array): boolean =>
  asciiAt(bytes, 1, 'PNG\r\n') ||
  startsWith(bytes, 0xff, 0xd8, 0xff) ||
  asciiAt(bytes, 0, 'GIF8') ||
  (asciiAt(bytes, 0, 'BM') && [6, 7, 8, 9].every((at) => bytes[at] === 0)) ||
  startsWith(bytes, 0x49, 0x49, 0x2a, 0x00) ||
  startsWith(bytes, 0x4d, 0x4d, 0x00, 0x2a) ||
  (asciiAt(bytes, 0, 'RIFF') && asciiAt(bytes, 8, 'WEBP')) ||
  ['heic', 'heix', 'mif1', 'msf1', 'avif'].some((brand) => asciiAt(bytes, 4, `ftyp${brand}`))

/** Format of a text. */
export type TextFormat = 'cells' | 'nem12' | 'xml' | 'json'

/** Tables that web applications save as `.xls`. */
const HTML = /^(?:<\?xml[^>]*\?>\s*)?<(?:!doctype\s+html|html|head|body|meta|table|style)\b/i
const MIME_HTML = /^mime-version:[^]*text\/html/i
/** UNA states the separators of EDIFACT, UNB begins an interchange, UNH a message. */
const EDIFACT = /^(?:UNA[^\r\n]{6}\s*)?UN[BH]\+/

/** Reason to reject a text that its beginning shows, or undefined. */
export function faultOfText(text: string): FileFault | undefined {
  const head = text.slice(0, EXAMINED).trimStart()
  if (HTML.test(head) || MIME_HTML.test(head)) return 'html'
  return EDIFACT.test(head) ? 'edifact' : undefined
}

/** Header of a file for Australia's market operator; some sellers leave it out, and begin with the meter. */
const NEM12 = /^\s*"?100"?,\s*"?NEM1[23]\b|^\s*200,\w{10,11},[^\r\n]*\s+300,\d{8},/
const XML = /^\s*<(?:\?xml\b|(?:[A-Za-z_][\w.-]*:)?(?:feed|entry)[\s>])/
const XML_TAG = /^\s*<(?:!--|!DOCTYPE|[A-Za-z_][\w.:-]*[\s/>])/
/** An array of anything else than objects or arrays, as `[kWh]`, is no table. */
const JSON_START = /^\s*(?:\{\s*["}]|\[\s*[[{\]])/

/** Format of a text by its beginning. */
export function formatOfText(text: string): TextFormat {
  const head = text.slice(0, EXAMINED)
  if (NEM12.test(head)) return 'nem12'
  // `<DATE>,<TIME>` is the heading of a table.
  if (XML.test(head) || (XML_TAG.test(head) && text.slice(-EXAMINED).trimEnd().endsWith('>'))) return 'xml'
  return JSON_START.test(head) ? 'json' : 'cells'
}
