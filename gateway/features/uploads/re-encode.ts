import sharp, { type Sharp } from 'sharp'
import type { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'

/** Maximum side length of stored pictures, px: no screen shows a device, a face or a logo larger. */
const MAX_SIDE_PX = 2_048
/** Maximum number of pixels that is decoded: a small file can unpack to gigabytes. */
export const MAX_POINTS = 50_000_000
/** Maximum side lengths of a plan, px: for an overview, and for a wall or a closer look. */
const PLAN_SMALL = 1_024
const PLAN_LARGE = 3_072

const ENCODERS = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: 85 }),
  'image/png': (image: Sharp) => image.png(),
  'image/webp': (image: Sharp) => image.webp({ quality: 85 }),
} as const satisfies Record<(typeof IMAGE_TYPES)[number], (image: Sharp) => Sharp>

/** Upright picture with a maximum side length, without metadata such as location and camera. */
const open = (bytes: Uint8Array, maxSide: number): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_POINTS, failOn: 'error' })
    .rotate()
    .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })

/**
 * Re-encodes a picture in its own format.
 *
 * errors  rejects if the bytes cannot be decoded
 */
export const reEncode = (bytes: Uint8Array, contentType: (typeof IMAGE_TYPES)[number]): Promise<Uint8Array> =>
  ENCODERS[contentType](open(bytes, MAX_SIDE_PX)).toBuffer()

/** A plan as WebP in two sizes. */
export interface DrawnPlan {
  large: Uint8Array
  small: Uint8Array
  /** Size of the large one, px. */
  width: number
  height: number
}

/**
 * Re-encodes a plan as WebP of at most 3,072 px, and of at most 1,024 px.
 *
 * errors  rejects if the bytes cannot be decoded
 */
export async function drawPlan(bytes: Uint8Array): Promise<DrawnPlan> {
  const { data: large, info } = await open(bytes, PLAN_LARGE)
    .webp({ quality: 85 })
    .toBuffer({ resolveWithObject: true })
  const small = await open(large, PLAN_SMALL).webp({ quality: 80 }).toBuffer()
  return { large, small, width: info.width, height: info.height }
}
