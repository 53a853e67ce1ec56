import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { MAX_POINTS } from './re-encode.ts'
import type { UploadPurpose } from './addresses.ts'

/** Format and size in pixels from a picture's first bytes, regardless of its name. */
interface ImageHeader {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp'
  width: number
  height: number
}

/**
 * Reads the header of a JPEG, PNG or WebP; undefined for anything else, including SVG, and for a broken header.
 *
 * source    PNG (ISO/IEC 15948) 11.2.2; JPEG (ITU-T T.81) B.2.2; WebP container specification (RFC 9649)
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    const header = png(view) ?? jpeg(view) ?? webp(view)
    return header && header.width > 0 && header.height > 0 ? header : undefined
  } catch (error) {
    // Reading past the end: the header is truncated.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function png(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined
  if (view.getUint32(12) !== 0x49484452) return undefined
  return { contentType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function jpeg(view: DataView): ImageHeader | undefined {
  if (view.getUint16(0) !== 0xffd8) return undefined
  let at = 2
  for (;;) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) at++
    else if (isFrame(marker))
      return { contentType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    else if (marker === 0xda || marker === 0xd9) return undefined
    else at += 2 + view.getUint16(at + 2)
  }
}

/** Start of frame: C0 to CF without DHT (C4), JPG (C8) and DAC (CC). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function webp(view: DataView): ImageHeader | undefined {
  if (view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return undefined
  const contentType = 'image/webp'
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  switch (view.getUint32(12)) {
    case 0x56503820: // "VP8 "
      if (uint24(23) !== 0x2a019d) return undefined
      return {
        contentType,
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      }
    case 0x5650384c: {
      // "VP8L"
      if (view.getUint8(20) !== 0x2f) return undefined
      const bits = view.getUint32(21, true)
      return { contentType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 0x56503858: // "VP8X"
      return { contentType, width: uint24(24) + 1, height: uint24(27) + 1 }
    default:
      return undefined
  }
}

const MEBIBYTE = 1024 * 1024
/** Maximum width and height that browsers can draw. */
const MAX_SIDE = 16_384

interface Rule {
  maxBytes: number
  /** Maximum total number of pixels. */
  maxPoints: number
  /** Minimum length of the shorter side, px. */
  minSide: number
  /** Whether a picture has to be square or wider than tall, as a logo (§5). */
  isWide: boolean
}
const PLAIN: Rule = { maxBytes: 5 * MEBIBYTE, maxPoints: MAX_POINTS, minSide: 1, isWide: false }
const RULES: Record<UploadPurpose['kind'], Rule> = {
  peripheral: PLAIN,
  employee: PLAIN,
  logo: { ...PLAIN, isWide: true },
  // With fewer pixels, rooms are not recognizable.
  floorPlan: { maxBytes: 10 * MEBIBYTE, maxPoints: 40_000_000, minSide: 100, isWide: false },
}

/** Maximum size of a picture in bytes, by purpose. */
export const maxBytesOf = (kind: UploadPurpose['kind']): number => RULES[kind].maxBytes
/** Maximum over all purposes. */
export const MAX_PICTURE_BYTES = Math.max(...Object.values(RULES).map(({ maxBytes }) => maxBytes))

/**
 * Checks that bytes are a picture of the announced type and of an allowed size.
 *
 * declaredType  announced content type; `contentType` came with the bytes
 * errors  INVALID with tooBig, tooSmall, imageType or logoShape at `file`
 */
export function checkPicture(
  bytes: Uint8Array,
  {
    kind,
    declaredType,
    contentType,
  }: { kind: UploadPurpose['kind']; declaredType: string; contentType: string | undefined },
): void {
  const invalid = (text: string, reason: FieldReason) => new GatewayError('INVALID', text, { file: reason })
  const { maxBytes, maxPoints, minSide, isWide } = RULES[kind]
  if (bytes.length > maxBytes)
    throw invalid(`The picture is larger than ${maxBytes / MEBIBYTE} MiB`, 'tooBig')
  const header = readImageHeader(bytes)
  if (!header || header.contentType !== declaredType || contentType !== declaredType)
    throw invalid('The picture is not the JPG, PNG or webp that was announced', 'imageType')
  const { width, height } = header
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > maxPoints)
    throw invalid('The picture has too many pixels', 'tooBig')
  if (Math.min(width, height) < minSide)
    throw invalid(`The picture is less than ${minSide} pixels wide or high`, 'tooSmall')
  if (isWide && height > width) throw invalid('A logo must be square or wider than tall', 'logoShape')
}
