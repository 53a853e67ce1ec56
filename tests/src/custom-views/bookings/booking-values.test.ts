import dayjs from 'dayjs'
import { expect, it } from 'vitest'
import { leftOut, periodOf, valuesFor } from '../../../../src/custom-views/bookings/booking-values.ts'

const ZONE = 'America/New_York'
const at = (time: string) => dayjs(`2000-01-01T${time}`)

it('knows a time that clocks leave out when they go forward, and no other', () => {
  const period = { StartTimestamp: 0, EndTimestamp: 3_600_000 }
  const form = valuesFor(undefined, period, ZONE, undefined, { email: '', name: '' })
  const on = (date: string, start: string) => {
    const values = { ...form, date: dayjs(date), start: at(start), end: at('05:00') }
    return leftOut(values.start, periodOf(values, ZONE).StartTimestamp, ZONE)
  }
  expect(on('2027-03-14', '02:30')).toBe(true)
  expect(on('2027-03-14', '01:30')).toBe(false)
  expect(on('2027-03-14', '03:30')).toBe(false)
  expect(on('2027-03-15', '02:30')).toBe(false)
  expect(on('2026-11-01', '01:30')).toBe(false)
})
