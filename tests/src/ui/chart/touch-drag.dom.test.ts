import { beforeEach, expect, it } from 'vitest'
import { touchDrag } from '../../../../src/ui/chart/touch-drag.ts'

type Box = { left: number; width: number }

let element: HTMLElement
let drawn: Box[]
let done: Box[]
let cancelled: number
let end: () => void

beforeEach(() => {
  element = document.createElement('div')
  element.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect
  drawn = []
  done = []
  cancelled = 0
  end = touchDrag(element, {
    minWidth: 8,
    onDraw: (box) => void drawn.push(box),
    onDrawn: (box) => void done.push(box),
    onCancel: () => void cancelled++,
  })
})

const point = (type: string, clientX: number, more: PointerEventInit = {}) =>
  element.dispatchEvent(
    new PointerEvent(type, { pointerType: 'touch', pointerId: 1, isPrimary: true, clientX, ...more }),
  )

it('draws a box from the touch start in either direction, within the element', () => {
  point('pointerdown', 250)
  point('pointermove', 245)
  expect(drawn).toEqual([])
  point('pointermove', 150)
  point('pointermove', 90)
  point('pointerup', 90)
  expect(drawn).toEqual([
    { left: 50, width: 100 },
    { left: 0, width: 150 },
  ])
  expect([done, cancelled]).toEqual([[{ left: 0, width: 150 }], 0])
})

it('draws nothing for a tap, a mouse, or a finger that returns to its start', () => {
  point('pointerdown', 150)
  point('pointerup', 151)
  point('pointerdown', 150, { pointerType: 'mouse' })
  point('pointermove', 250, { pointerType: 'mouse' })
  point('pointerup', 250, { pointerType: 'mouse' })
  point('pointerdown', 150)
  point('pointermove', 180)
  point('pointermove', 152)
  point('pointerup', 152)
  expect([done, cancelled]).toEqual([[], 1])
})

it('cancels for a second finger, and when the page scrolls', () => {
  point('pointerdown', 150)
  point('pointermove', 200)
  point('pointerdown', 220, { pointerId: 2, isPrimary: false })
  point('pointermove', 240)
  point('pointerup', 240)
  expect([drawn.length, done, cancelled]).toEqual([1, [], 1])
  point('pointerdown', 150)
  point('pointermove', 200)
  point('pointercancel', 200)
  point('pointerup', 200)
  expect([done, cancelled]).toEqual([[], 2])
})

it('removes its listeners at the end', () => {
  end()
  point('pointerdown', 150)
  point('pointermove', 200)
  expect(drawn).toEqual([])
})
