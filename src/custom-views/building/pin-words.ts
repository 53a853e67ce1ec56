import type { FloorShape } from '../../../contract/homes/floor.ts'
import type { Point } from '../../../contract/homes/shapes.ts'
import { labelBox, toPixels, type Box, type Size } from '../../domain/floor/plan-geometry.ts'
import { widthOfText } from '../../lib/fit-text.ts'

/** Text sizes on a plan in screen px, independent of the plan's size. */
export const SMALL = { name: 13, fact: 12, line: 16, inset: 6 }
/** Sizes in rooms of at least this width and height, px. */
const LARGE = { name: 15, fact: 14, line: 20, inset: 10, width: 200, height: 130 }
export const fontIn = ({ width, height }: Box) =>
  width >= LARGE.width && height >= LARGE.height ? LARGE : SMALL

/** Radius of a pin, px. */
export const PIN = 13
export const PIN_TARGET = 22
/** Maximum width of a pin's label, and distance of its nearest line from the pin's center. */
export const PIN_WORDS = { width: 120, away: PIN + 10, font: { size: SMALL.name, bold: true } }
const PIN_LINES = 2
/** Typical number of text lines at the top of a room. */
const ROOM_LINES = 3

/** Side of a pin's label; undefined if it would cover other labels. */
export type PinWords = 'below' | 'above' | undefined

/** Position of a pin on the screen, kept inside the plan. */
export function pinAt(at: Point, size: Size): Point {
  const [x, y] = toPixels(at, size)
  return [
    Math.min(Math.max(x, PIN + 2), size.width - PIN - 2),
    Math.min(Math.max(y, PIN + 2), size.height - PIN - 2),
  ]
}

/** Label side of each pin, so that labels neither leave the plan nor cover those of rooms and other pins. */
export function placePinWords(
  shapes: readonly FloorShape[],
  names: ReadonlyMap<number, string>,
  size: Size,
): ReadonlyMap<number, PinWords> {
  const taken: Box[] = shapes.flatMap((shape) => {
    if (!('Points' in shape)) return []
    const box = labelBox(shape.Points.map((point) => toPixels(point, size)))
    const { line, inset } = fontIn(box)
    return [{ ...box, height: Math.min(box.height, inset + ROOM_LINES * line) }]
  })
  const placed = new Map<number, PinWords>()
  for (const shape of shapes) {
    if (!('At' in shape)) continue
    const [x, y] = pinAt(shape.At, size)
    const width = Math.min(PIN_WORDS.width, widthOfText(names.get(shape.RoomID) ?? '', PIN_WORDS.font))
    const height = PIN_LINES * SMALL.line
    const left = x - width / 2
    const sides = [
      ['below', { x: left, y: y + PIN, width, height }],
      ['above', { x: left, y: y - PIN - height, width, height }],
    ] as const
    const free = sides.find(
      ([, box]) =>
        box.y >= 0 && box.y + box.height <= size.height && !taken.some((other) => areOver(box, other)),
    )
    if (free) taken.push(free[1])
    placed.set(shape.RoomID, free?.[0])
  }
  return placed
}

const areOver = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
