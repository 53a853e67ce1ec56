import type { Texture } from './energy-colors.ts'

/** Lengths of dashes and gaps of a line with each texture, px. */
export const DASHES: Readonly<Record<Texture, readonly number[]>> = {
  dashed: [8, 4],
  dotted: [2, 3],
  dashDotted: [9, 3, 2, 3],
}

/** Edge of the tile that a bar's texture repeats, px. */
export const TILE = 6

/** Marks are less prominent than the colours below them. */
export const MARK_OPACITY = 0.65

/** Mark within a tile, px: horizontal stripes, dots, vertical stripes. Slanting lines mark estimates. */
export const MARKS: Readonly<Record<Texture, { x: number; y: number; width: number; height: number }>> = {
  dashed: { x: 0, y: 2, width: TILE, height: 1.5 },
  dotted: { x: 2, y: 2, width: 2, height: 2 },
  dashDotted: { x: 2, y: 0, width: 1.5, height: TILE },
}
