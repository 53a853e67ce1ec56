import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ConferenceRoomWithClock } from '../../../../contract/bookings/conference-room.ts'
import type { Period } from '../../../../contract/time/booking.ts'
import { toEpoch } from '../../../../contract/time/periods.ts'
import { parseDay } from '../../../../contract/time/periods.ts'
import { createKeyboardSelection } from '../../../../src/custom-views/bookings/grid-geometry.ts'
import { Track } from '../../../../src/custom-views/bookings/track.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'

const ZONE = 'Asia/Taipei'
const DAY = parseDay('2026-01-06')
const HOUR = 80
const room = { ConferenceRoomID: 'c1', ConferenceRoomName: 'A', TimeZone: ZONE } as ConferenceRoomWithClock
const hours = (from: number, to: number): Period => ({
  StartTimestamp: toEpoch(DAY, from * 60, ZONE),
  EndTimestamp: toEpoch(DAY, to * 60, ZONE),
})

beforeAll(async () => {
  await loadNamespaces(['bookings'])
  // jsdom does not capture pointers.
  Element.prototype.setPointerCapture = () => {}
})
beforeEach(() =>
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 5, 1), toFake: ['setTimeout', 'clearTimeout', 'Date'] }),
)
afterEach(() => vi.useRealTimers())

function draw() {
  const book = vi.fn<(room: ConferenceRoomWithClock, period: Period) => void>()
  render(
    <Track
      room={room}
      day={DAY}
      bookings={[]}
      axis="x"
      hours={{ from: 0, to: 24 * 60 }}
      label="A"
      mayBook
      carrier={createKeyboardSelection()}
      book={book}
      open={() => {}}
      announce={() => {}}
    />,
  )
  const ground = screen.getByRole('button', { name: 'A' })
  // jsdom has no layout.
  ground.getBoundingClientRect = () => new DOMRect(0, 0, 24 * HOUR, 60)
  const pointer = (type: string, at: number, pointerType: string) =>
    fireEvent(
      ground,
      new PointerEvent(type, {
        bubbles: true,
        cancelable: true,
        clientX: at * HOUR,
        pointerType,
        pointerId: 1,
      }),
    )
  return { book, ground, pointer }
}

it('books the range that a mouse drags over', () => {
  const { book, pointer } = draw()
  pointer('pointerdown', 10, 'mouse')
  pointer('pointermove', 12, 'mouse')
  pointer('pointerup', 12, 'mouse')
  expect(book).toHaveBeenCalledExactlyOnceWith(room, hours(10, 12))
})

it('books an hour on a tap', () => {
  const { book, pointer } = draw()
  pointer('pointerdown', 10, 'touch')
  pointer('pointerup', 10, 'touch')
  pointer('click', 10, 'touch')
  expect(book).toHaveBeenCalledExactlyOnceWith(room, hours(10, 11))
})

it('books the dragged range once after a long press, without scrolling', () => {
  const { book, ground, pointer } = draw()
  const touchMoves = () => fireEvent(ground, new Event('touchmove', { bubbles: true, cancelable: true }))
  pointer('pointerdown', 10, 'touch')
  expect(touchMoves()).toBe(true)
  act(() => vi.advanceTimersByTime(500))
  pointer('pointermove', 11.5, 'touch')
  expect(touchMoves()).toBe(false)
  pointer('pointerup', 11.5, 'touch')
  pointer('click', 11.5, 'touch')
  expect(book).toHaveBeenCalledExactlyOnceWith(room, hours(10, 11.5))
})

it('books nothing if a finger scrolls', () => {
  const { book, pointer } = draw()
  pointer('pointerdown', 10, 'touch')
  pointer('pointermove', 11, 'touch')
  act(() => vi.advanceTimersByTime(500))
  pointer('pointercancel', 11, 'touch')
  expect(book).not.toHaveBeenCalled()
})
