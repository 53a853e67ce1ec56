import { useState } from 'react'
import { MAX_CORNERS, type FloorShape } from '../../../contract/homes/floor.ts'
import type { Point } from '../../../contract/homes/shapes.ts'
import { toPixels, toUnits, type Size } from '../../domain/floor/plan-geometry.ts'
import { SNAP } from '../../domain/floor/snap.ts'

/** The first corner is easier to meet than others: it closes the area. px. */
const CLOSING = SNAP + 4

const NONE: readonly Point[] = []

interface Options {
  size: Size
  chosen: number | undefined
  /** An outline is dropped when another tool is taken, or another room is drawn. */
  tool: string
  place: (shape: FloorShape) => void
}

/** The corners of an area that is clicked one by one. */
export function useOutline({ size, chosen, tool, place }: Options) {
  const of = `${tool} ${chosen}`
  const [begun, setBegun] = useState<{ of: string; corners: readonly Point[] }>({ of, corners: NONE })
  const outline = begun.of === of ? begun.corners : NONE
  const setOutline = (corners: readonly Point[]) => setBegun({ of, corners })
  const last = outline.at(-1)

  function close(corners: readonly Point[]) {
    setOutline([])
    if (chosen !== undefined && corners.length >= 3)
      place({ RoomID: chosen, Points: corners.map(([x, y]) => [x, y]) })
  }

  return {
    /** Units. */
    outline,
    /** The last corner, px. */
    last: last && toPixels(last, size),
    /** A press at a spot, px; `snapped` is where it is meant to be. */
    press([x, y]: Point, snapped: Point) {
      const first = outline[0] && toPixels(outline[0], size)
      if (first && outline.length >= 3 && Math.hypot(first[0] - x, first[1] - y) <= CLOSING)
        return close(outline)
      const next = [...outline, toUnits(snapped, size)]
      return next.length === MAX_CORNERS ? close(next) : setOutline(next)
    },
    close: () => close(outline),
    back: () => setOutline(outline.slice(0, -1)),
    drop: () => setOutline([]),
  }
}
