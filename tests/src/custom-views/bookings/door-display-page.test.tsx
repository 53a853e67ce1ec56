import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RoomDoor } from '../../../../contract/bookings/door-display.ts'
import DoorDisplayPage from '../../../../src/custom-views/bookings/door-display-page.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'

/** The original fetch, for other addresses. */
const wire = globalThis.fetch

const NOW = Date.UTC(2026, 0, 5, 1)
const door: RoomDoor = {
  ConferenceRoomName: '玉山',
  Capacity: 8,
  TimeZone: 'Asia/Taipei',
  Now: NOW,
  Bookings: [
    {
      RecordID: 'r1',
      StartTimestamp: NOW - 600_000,
      EndTimestamp: NOW + 3_000_000,
      Subject: '週會',
      Host: '',
      CheckedInAt: NOW,
    },
  ],
}
const fetch = vi.fn<typeof globalThis.fetch>(() =>
  Promise.resolve(Response.json({ status: { code: 0 }, results: door })),
)

beforeEach(async () => {
  await loadNamespaces(['bookings'])
  vi.stubGlobal('fetch', fetch)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.stubGlobal('fetch', wire)
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const released = () => fetch.mock.calls.filter(([, init]) => init?.method === 'POST').length

it('ends a meeting with two consecutive presses, but not if the second press comes later', async () => {
  render(<DoorDisplayPage />)
  await pass(0)
  fireEvent.click(screen.getByRole('button', { name: '提前結束' }))
  expect(screen.getByRole('button', { name: '再按一次以結束會議' })).toBeTruthy()
  await pass(10_000)
  fireEvent.click(screen.getByRole('button', { name: '提前結束' }))
  expect(released()).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: '再按一次以結束會議' }))
  expect(released()).toBe(1)
})
