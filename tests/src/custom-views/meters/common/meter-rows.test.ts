import { describe, expect, it } from 'vitest'
import { meterRows } from '../../../../../src/custom-views/meters/common/use-meters.ts'

const total = (
  PeripheralUID: string,
  DailyKwh: number | null,
  MonthlyKwh: number | null,
  LastUpdateTimestamp: number | null = 1,
) => ({ PeripheralUID, DailyKwh, MonthlyKwh, LastUpdateTimestamp })
const under = (PeripheralUID: string, ParentMeter: string | null = null) => ({ PeripheralUID, ParentMeter })

describe('the tree of meters', () => {
  it('puts each meter below its parent, with the remainder that none of them measures', () => {
    const rows = meterRows(
      [under('a', 'main'), under('b', 'main'), under('main')],
      [total('main', 10, 100), total('a', 3, 30), total('b', 4, 40)],
    )
    expect(rows.map(({ key, depth, today, month }) => [key, depth, today, month])).toEqual([
      ['main', 0, 10, 100],
      ['a', 1, 3, 30],
      ['b', 1, 4, 40],
      ['main/rest', 1, 3, 30],
    ])
  })

  it('places a virtual meter among others, and subtracts it like any other', () => {
    const rows = meterRows(
      [under('main'), under('tenants', 'main'), under('a', 'tenants')],
      [total('main', 10, 100), total('tenants', 7, 70), total('a', 3, 30)],
    )
    expect(rows.map(({ key, depth, month }) => [key, depth, month])).toEqual([
      ['main', 0, 100],
      ['tenants', 1, 70],
      ['a', 2, 30],
      ['tenants/rest', 2, 40],
      ['main/rest', 1, 30],
    ])
  })

  it('has no remainder while a child meter with earlier readings is silent', () => {
    const meters = [under('main'), under('a', 'main'), under('new', 'main')]
    const silent = [total('main', 10, 100), total('a', null, 30), total('new', null, null, null)]
    expect(meterRows(meters, silent).at(-1)).toMatchObject({ kind: 'remainder', today: null, month: 70 })
  })

  it('shows a negative remainder, and none if the parent is unknown', () => {
    const meters = [under('main'), under('a', 'main')]
    expect(meterRows(meters, [total('main', 1, null), total('a', 3, 5)]).at(-1)).toMatchObject({
      kind: 'remainder',
      today: -2,
      month: null,
    })
  })

  it('keeps every meter of a loop, and one whose parent was deleted', () => {
    const rows = meterRows([under('a', 'b'), under('b', 'a'), under('c', 'gone')], [])
    expect(new Set(rows.filter(({ kind }) => kind === 'meter').map(({ key }) => key))).toEqual(
      new Set(['a', 'b', 'c']),
    )
  })
})
