import sharp, { type Sharp } from 'sharp'
import type { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'

/** Longest side that is kept, px: no screen draws more of a device, a face or a logo. */
const LONGEST = 2_048
/** A picture of more points is not opened: a small file can unpack to gigabytes. */
export const MAX_POINTS = 50_000_000
/** Longest sides of a plan, px: for a look at it, and for a wall or a closer look. */
const PLAN_SMALL = 1_024
const PLAN_LARGE = 3_072

const ENCODERS = {
  'image/jpeg': (image: Sharp) => image.jpeg({ quality: 85 }),
  'image/png': (image: Sharp) => image.png(),
  'image/webp': (image: Sharp) => image.webp({ quality: 85 }),
} as const satisfies Record<(typeof IMAGE_TYPES)[number], (image: Sharp) => Sharp>

/** A picture, upright and at most so many px long; without where and by what it was taken, and whatever else the file carried. */
const open = (bytes: Uint8Array, longest: number): Sharp =>
  sharp(bytes, { limitInputPixels: MAX_POINTS, failOn: 'error' })
    .rotate()
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })

/**
 * The picture re-encoded in its own format.
 *
 * errors  rejects when the bytes cannot be drawn
 */
export const reEncode = (bytes: Uint8Array, contentType: (typeof IMAGE_TYPES)[number]): Promise<Uint8Array> =>
  ENCODERS[contentType](open(bytes, LONGEST)).toBuffer()

/** A plan drawn again as WebP, twice. */
export interface DrawnPlan {
  large: Uint8Array
  small: Uint8Array
  /** Of the large one, px. */
  width: number
  height: number
}

/**
 * A plan as WebP of at most 3,072 px, and of at most 1,024 px.
 *
 * errors  rejects when the bytes cannot be drawn
 */
export async function drawPlan(bytes: Uint8Array): Promise<DrawnPlan> {
  const { data: large, info } = await open(bytes, PLAN_LARGE)
    .webp({ quality: 85 })
    .toBuffer({ resolveWithObject: true })
  const small = await open(large, PLAN_SMALL).webp({ quality: 80 }).toBuffer()
  return { large, small, width: info.width, height: info.height }
}
