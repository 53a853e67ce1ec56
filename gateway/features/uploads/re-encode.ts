import sharp, { type Sharp } from 'sharp'
import type { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import { GatewayError } from '../../kernel/errors.ts'

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
interface DrawnPlan {
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

/** Limit of concurrent work, by key. */
interface ConcurrencyLimit {
  /** Undefined if work may begin now, otherwise a promise of its turn; throws LIMIT_EXCEEDED if too many are queued. */
  acquire(key: string): Promise<void> | undefined
  release(key: string): void
}

/** Maximum number of a company's queued pictures, in addition to the one in progress. */
const MAX_WAITING = 8
/** Key of the queue that all companies share. */
const ALL_COMPANIES = ''

/** Re-encodes a picture of a company in its turn. */
export type RunDrawing = <T>(tenant: string, draw: () => Promise<T>) => Promise<T>

/**
 * Processes pictures one at a time, alternating between companies: a small file can unpack to hundreds of megabytes, and several at
 * once would occupy the threads that everything else needs.
 *
 * errors  INVALID `{ file: 'imageType' }` if the bytes cannot be decoded; LIMIT_EXCEEDED if the company has too many queued
 */
export function createDrawing(
  createLimit: (limits: { running: number; waiting: number }) => ConcurrencyLimit,
): RunDrawing {
  const ofCompany = createLimit({ running: 1, waiting: MAX_WAITING })
  const ofAll = createLimit({ running: 1, waiting: Infinity })

  async function drawAlone<T>(draw: () => Promise<T>): Promise<T> {
    await ofAll.acquire(ALL_COMPANIES)
    try {
      return await draw()
    } catch {
      throw new GatewayError('INVALID', 'The picture cannot be drawn', { file: 'imageType' })
    } finally {
      ofAll.release(ALL_COMPANIES)
    }
  }

  return async (tenant, draw) => {
    await ofCompany.acquire(tenant)
    try {
      return await drawAlone(draw)
    } finally {
      ofCompany.release(tenant)
    }
  }
}
