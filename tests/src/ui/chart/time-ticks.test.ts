import { describe, expect, it } from 'vitest'
import { barTicks, formatPeriod, formatTick, timeTicks } from '../../../../src/ui/chart/time-ticks.ts'
import { at, HOUR } from './support.ts'

const zone = 'Europe/Berlin'
const words = (view: { from: number; to: number }, most: number, where = zone) => {
  const { at, grain } = timeTicks(view, where, most)
  return at.map((tick) => formatTick(tick, grain, where, 'en-US'))
}

describe('time ticks', () => {
  it('stay at the same times of day when the clocks go back', () => {
    const view = { from: at('2025-10-26T00:00:00+02:00'), to: at('2025-10-27T00:00:00+01:00') }
    expect((view.to - view.from) / HOUR).toBe(25)
    expect(words(view, 9)).toEqual(['10/26', '03:00', '06:00', '09:00', '12:00', '15:00', '18:00', '21:00'])
  })

  it('stay at the same times of day when the clocks go forward', () => {
    const view = { from: at('2025-03-30T00:00:00+01:00'), to: at('2025-03-31T00:00:00+02:00') }
    expect((view.to - view.from) / HOUR).toBe(23)
    expect(words(view, 4)).toEqual(['3/30', '06:00', '12:00', '18:00'])
  })

  it("follow the home's clock, not the browser's", () => {
    const view = { from: at('2025-10-01T00:00:00+08:00'), to: at('2025-10-01T01:00:00+08:00') }
    expect(words(view, 4, 'Asia/Taipei')).toEqual(['10/1', '00:15', '00:30', '00:45'])
    expect(words(view, 4, 'Asia/Kolkata')).toEqual(['21:30', '21:45', '22:00', '22:15'])
  })

  it('are days, months and years as the range grows', () => {
    const view = (to: string) => ({ from: at('2025-01-01T00:00:00+01:00'), to: at(to) })
    expect(words(view('2025-01-06T00:00:00+01:00'), 6)).toEqual(['1/1', '1/2', '1/3', '1/4', '1/5'])
    expect(words(view('2025-05-01T00:00:00+02:00'), 4)).toEqual(['2025', 'Feb', 'Mar', 'Apr'])
    expect(words(view('2029-01-01T00:00:00+01:00'), 4)).toEqual(['2025', '2026', '2027', '2028'])
  })
})

describe('the labels of bars', () => {
  const day = { from: at('2025-10-26T00:00:00+02:00'), to: at('2025-10-27T00:00:00+01:00') }
  it('are for every bar, or every second or third without enough space', () => {
    expect(barTicks(day, 'hour', zone, 30).at).toHaveLength(25)
    expect(barTicks(day, 'hour', zone, 9).at.length).toBeLessThanOrEqual(9)
    const month = { from: at('2025-10-01T00:00:00+02:00'), to: at('2025-11-01T00:00:00+01:00') }
    expect(barTicks(month, 'day', zone, 40).at).toHaveLength(31)
    expect(barTicks(month, 'day', zone, 16).at).toHaveLength(16)
  })

  it('are for Mondays with many days, and for months with more', () => {
    const named = (to: string, most: number) => {
      const { at: ticks, grain } = barTicks(
        { from: at('2025-09-15T00:00:00+02:00'), to: at(to) },
        'day',
        zone,
        most,
      )
      return ticks.map((tick) => formatTick(tick, grain, zone, 'en-US'))
    }
    expect(named('2025-10-15T00:00:00+02:00', 4)).toEqual(['9/15', '9/22', '9/29', '10/6', '10/13'])
    expect(named('2026-02-15T00:00:00+01:00', 8)).toEqual(['Oct', 'Nov', 'Dec', '2026', 'Feb'])
  })
})

describe('a period in words', () => {
  it('distinguishes two equal hours', () => {
    const first = formatPeriod(at('2025-10-26T02:00:00+02:00'), 'hour', zone, 'en-US')
    const second = formatPeriod(at('2025-10-26T02:00:00+01:00'), 'hour', zone, 'en-US')
    expect(first).toBe('Sun, Oct 26, 2025 02:00 – 02:00 GMT+2')
    expect(second).toBe('Sun, Oct 26, 2025 02:00 – 03:00 GMT+1')
  })
  it('is as long as its bar', () => {
    const start = at('2025-10-01T00:00:00+02:00')
    expect(formatPeriod(start, 'hour', zone, 'en-US')).toBe('Wed, Oct 1, 2025 00:00 – 01:00')
    expect(formatPeriod(start, 'day', zone, 'en-US')).toBe('Wed, Oct 1, 2025')
    expect(formatPeriod(start, 'month', zone, 'zh-TW')).toBe('2025年10月')
  })
})
