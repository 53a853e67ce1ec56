import type { FloorShape } from '../../../contract/homes/floor.ts'
import type { Point } from '../../../contract/homes/shapes.ts'
import { labelBox, toPixels, type Box, type Size } from '../../domain/floor/plan-geometry.ts'
import { widthOfText } from '../../lib/fit-text.ts'

/** Sizes of words on a plan, px on the screen, whatever the plan's own size. */
export const SMALL = { name: 13, fact: 12, line: 16, inset: 6 }
/** In rooms of so many px and more. */
const LARGE = { name: 15, fact: 14, line: 20, inset: 10, width: 200, height: 130 }
export const fontIn = ({ width, height }: Box) =>
  width >= LARGE.width && height >= LARGE.height ? LARGE : SMALL

/** A pin's radius, and that of what a finger hits. */
export const PIN = 13
export const PIN_TARGET = 22
/** Its words: how wide at most, and how far their nearest line is from its middle. */
export const PIN_WORDS = { width: 120, away: PIN + 10, font: { size: SMALL.name, bold: true } }
const PIN_LINES = 2
/** Lines at the top of a room that its words take, mostly. */
const ROOM_LINES = 3

/** On which side of a pin its words stand; undefined where they would lie over others. */
export type PinWords = 'below' | 'above' | undefined

/** Where a pin stands on the screen: whole, also at the edge of a plan. */
export function pinAt(at: Point, size: Size): Point {
  const [x, y] = toPixels(at, size)
  return [
    Math.min(Math.max(x, PIN + 2), size.width - PIN - 2),
    Math.min(Math.max(y, PIN + 2), size.height - PIN - 2),
  ]
}

/** Where the words of each pin stand, so that they neither leave the plan nor lie over those of rooms and of other pins. */
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
