import { describe, expect, it } from 'vitest'
import { OpeningHours, placeFacts } from '../../../contract/homes/place-facts-calls.ts'
import { parseDay } from '../../../contract/time/periods.ts'
import {
  areaOn,
  type FactsOfPlace,
  hoursOn,
  meanArea,
  type OpeningWindow,
  openQuarters,
} from '../../../contract/homes/place-facts.ts'

const WEEK = [0, 1, 2, 3, 4, 5, 6]
const window = (From: number, To: number, more: Partial<OpeningWindow> = {}): OpeningWindow => ({
  Weekdays: WEEK,
  From: From * 60,
  To: To * 60,
  Days: 'all',
  ...more,
})
const TAIPEI = { zone: 'Asia/Taipei', offPeak: new Set<number>() }
/** Monday. */
const MONDAY = parseDay('2026-01-05')
const of = (home: FactsOfPlace, room?: FactsOfPlace) =>
  new Map<number | null, FactsOfPlace>([[null, home], ...(room ? [[1, room] as const] : [])])
/** Hours of a day that are completely open, as `9-17 20-24`. */
function hoursOf(open: Uint8Array | undefined): string | undefined {
  if (!open) return undefined
  const spans: string[] = []
  for (let i = 0; i < open.length; i++) {
    if (!open[i] || open[i - 1]) continue
    let end = i
    while (open[end]) end++
    spans.push(`${i / 4}-${end / 4}`)
  }
  return spans.join(' ')
}

describe('the area of a place', () => {
  const facts = of({
    area: [
      { from: 100, value: 1_000 },
      { from: 110, value: 2_000 },
    ],
  })

  it('is known from its start day on', () => {
    expect([99, 100, 109, 110].map((day) => areaOn(facts, null, day))).toEqual([
      undefined,
      1_000,
      1_000,
      2_000,
    ])
  })

  it('is the mean by days over a time, and unknown if one of them is', () => {
    expect(meanArea(facts, null, 105, 115)).toBe(1_500)
    expect(meanArea(facts, null, 120, 121)).toBe(2_000)
    expect(meanArea(facts, null, 99, 115)).toBeUndefined()
    expect(meanArea(facts, 1, 105, 115)).toBeUndefined()
    expect(meanArea(facts, null, 105, 105)).toBeUndefined()
  })

  it('is more than 0', () => {
    const faults = (Value: unknown) =>
      placeFacts.setPlaceFact.input.safeParse({ HomeID: 'h', RoomID: null, Fact: 'area', Value, From: null })
        .success
    expect([0, -5, 0.5, null, []].map(faults)).toEqual([false, false, true, false, false])
  })
})

describe('opening hours', () => {
  it('are those of the home if the room has none', () => {
    const home = [window(9, 18)]
    const room = [window(8, 12)]
    const facts = of(
      { hours: [{ from: 0, value: home }] },
      {
        hours: [
          { from: 50, value: room },
          { from: 60, value: null },
        ],
      },
    )
    expect([49, 50, 60].map((day) => hoursOn(facts, 1, day))).toEqual([home, room, home])
    expect(hoursOn(of({}), null, 49)).toBeUndefined()
    expect(openQuarters(of({}), null, MONDAY, TAIPEI)).toBeUndefined()
  })

  it('can be empty', () => {
    expect(hoursOf(openQuarters(of({ hours: [{ from: 0, value: [] }] }), null, MONDAY, TAIPEI))).toBe('')
  })

  it('apply to weekdays, by whole days, and count a partially open quarter', () => {
    const facts = of({
      hours: [
        {
          from: 0,
          value: [
            { ...window(9, 12), Weekdays: [1], To: 12 * 60 + 5 },
            { ...window(13, 18), Weekdays: [1, 2] },
          ],
        },
      ],
    })
    expect(hoursOf(openQuarters(facts, null, MONDAY, TAIPEI))).toBe('9-12.25 13-18')
    expect(hoursOf(openQuarters(facts, null, MONDAY + 1, TAIPEI))).toBe('13-18')
    expect(hoursOf(openQuarters(facts, null, MONDAY + 2, TAIPEI))).toBe('')
  })

  it('exclude holidays among workdays, and include them if configured', () => {
    const offPeak = new Set([MONDAY])
    const on = (Days: OpeningWindow['Days']) =>
      hoursOf(
        openQuarters(of({ hours: [{ from: 0, value: [window(9, 18, { Days })] }] }), null, MONDAY, {
          ...TAIPEI,
          offPeak,
        }),
      )
    expect([on('all'), on('workdays'), on('offPeakDays')]).toEqual(['9-18', '', '9-18'])
  })

  it('cross midnight, as configured for the day on which they began', () => {
    const facts = of({
      hours: [
        { from: 0, value: [window(22, 6)] },
        { from: MONDAY, value: [window(9, 18)] },
      ],
    })
    expect(hoursOf(openQuarters(facts, null, MONDAY - 1, TAIPEI))).toBe('0-6 22-24')
    expect(hoursOf(openQuarters(facts, null, MONDAY, TAIPEI))).toBe('0-6 9-18')
    expect(hoursOf(openQuarters(facts, null, MONDAY + 1, TAIPEI))).toBe('9-18')
  })

  it('are all day if start and end are equal', () => {
    const facts = of({ hours: [{ from: 0, value: [window(0, 0)] }] })
    expect(hoursOf(openQuarters(facts, null, MONDAY, TAIPEI))).toBe('0-24')
  })

  it('follow local time on days of 23 and 25 hours', () => {
    const facts = of({ hours: [{ from: 0, value: [window(9, 18)] }] })
    const berlin = { zone: 'Europe/Berlin', offPeak: new Set<number>() }
    const open = (date: string) => openQuarters(facts, null, parseDay(date), berlin)
    expect([open('2026-03-29')?.length, hoursOf(open('2026-03-29'))]).toEqual([92, '8-17'])
    expect([open('2026-10-25')?.length, hoursOf(open('2026-10-25'))]).toEqual([100, '10-19'])
  })

  it('contain each weekday once, and minutes of a day', () => {
    const ok = (one: object) =>
      OpeningHours.safeParse([{ Weekdays: [1], From: 0, To: 60, Days: 'all', ...one }]).success
    expect([{}, { Weekdays: [] }, { Weekdays: [1, 1] }, { To: 1440 }, { Days: 'never' }].map(ok)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
