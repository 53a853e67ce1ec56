import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { readImageHeader } from './image-header.ts'
import { MAX_POINTS } from './re-encode.ts'
import type { UploadPurpose } from './ticket.ts'

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
    wanted: declaredType,
    sent: contentType,
  }: { kind: UploadPurpose['kind']; wanted: string; sent: string | undefined },
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
