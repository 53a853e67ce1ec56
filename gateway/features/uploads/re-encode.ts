import sharp, { type Sharp } from 'sharp'
import type { IMAGE_TYPES } from '../../../contract/procedures/uploads.ts'

/** Longest side that is kept, px: no screen draws more of a device, a face or a logo. */
const LONGEST = 2_048
/** A picture of more points is not opened: a small file can unpack to gigabytes. */
export const MAX_POINTS = 50_000_000

const ENCODERS = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: 85 }),
  'image/png': (image: Sharp) => image.png(),
  'image/webp': (image: Sharp) => image.webp({ quality: 85 }),
} as const satisfies Record<(typeof IMAGE_TYPES)[number], (image: Sharp) => Sharp>

/**
 * The picture re-encoded in its own format: upright, at most 2,048 px long, without where and by what it was taken, and
 * without whatever else the file carried.
 *
 * errors  rejects when the bytes cannot be drawn
 */
export async function reEncode(
  bytes: Uint8Array,
  contentType: (typeof IMAGE_TYPES)[number],
): Promise<Uint8Array> {
  const image = sharp(bytes, { limitInputPixels: MAX_POINTS, failOn: 'error' })
    .rotate()
    .resize({ width: LONGEST, height: LONGEST, fit: 'inside', withoutEnlargement: true })
  return ENCODERS[contentType](image).toBuffer()
}
