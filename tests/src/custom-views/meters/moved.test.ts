import { describe, expect, it } from 'vitest'
import {
  monthOfDate,
  monthsMoved,
  historyAfterMove,
  valuesOfMonth,
} from '../../../../src/custom-views/meters/move/history-after-move.ts'

const history = [
  { From: null, Value: 'a' },
  { From: '2026-02-10', Value: 'b' },
]
const month = (date: string) => monthOfDate(`${date}-01`)

describe('a history with a new entry', () => {
  it('is sorted by date, replaces an entry of the same day, and is alone if it always applied', () => {
    expect(historyAfterMove(history, { From: '2026-01-05', Value: 'c' }).map(({ Value }) => Value)).toEqual([
      'a',
      'c',
      'b',
    ])
    expect(historyAfterMove(history, { From: '2026-02-10', Value: 'c' })).toEqual([
      history[0],
      { From: '2026-02-10', Value: 'c' },
    ])
    expect(historyAfterMove(history, { From: null, Value: 'c' })).toEqual([{ From: null, Value: 'c' }])
  })

  it('gives the values within a month, in order if it changed', () => {
    const of = (date: string) => valuesOfMonth(history, month(date))
    expect([of('2026-01'), of('2026-02'), of('2026-03')]).toEqual([['a'], ['a', 'b'], ['b']])
    expect(valuesOfMonth([{ From: '2026-02-01', Value: 'c' }], month('2026-01'))).toEqual([])
  })

  it('differs in the months from its date on, shown with the previous value', () => {
    const range = { first: month('2025-01'), last: month('2026-03') }
    const moved = (From: string | null) =>
      monthsMoved(history, historyAfterMove(history, { From, Value: 'c' }), range)
    expect(moved('2026-03-05')).toEqual([month('2026-03'), month('2026-02')])
    expect(moved('2026-01-15')).toEqual([month('2026-02'), month('2026-01'), month('2025-12')])
    expect(moved(null)).toHaveLength(15)
    expect(monthsMoved(history, history, range)).toEqual([])
  })
})
