import type { Texture } from './energy-colors.ts'

/** Px drawn and left out in turn along a line of each texture. */
export const DASHES: Readonly<Record<Texture, readonly number[]>> = {
  dashed: [8, 4],
  dotted: [2, 3],
  dashDotted: [9, 3, 2, 3],
}

/** Edge of the tile that a bar's texture is made of, px. */
export const TILE = 6

/** Marks are quieter than the colours they lie on. */
export const MARK_OPACITY = 0.65

/** What of a tile is left to the ground, px: stripes that lie, points, stripes that stand. What slants is an estimate. */
export const MARKS: Readonly<Record<Texture, { x: number; y: number; width: number; height: number }>> = {
  dashed: { x: 0, y: 2, width: TILE, height: 1.5 },
  dotted: { x: 2, y: 2, width: 2, height: 2 },
  dashDotted: { x: 2, y: 0, width: 1.5, height: TILE },
}
