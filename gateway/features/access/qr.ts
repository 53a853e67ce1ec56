import { encode } from 'uqr'

/**
 * A text as a QR code (ISO/IEC 18004, level M: a seventh of the code may be dirty): rows of modules, true is dark, without
 * the quiet zone.
 *
 * errors  RangeError for more than a code can hold, 2,331 bytes
 */
export const qrCode = (text: string): boolean[][] =>
  encode(text, { ecc: 'M', boostEcc: false, border: 0 }).data
