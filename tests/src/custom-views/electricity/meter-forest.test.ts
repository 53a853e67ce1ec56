import { describe, expect, it } from 'vitest'
import { flowLayout } from '../../../../src/custom-views/electricity/flow-layout.ts'
import {
  homeOf,
  leavesOf,
  meterForest,
  type MeterNode,
} from '../../../../src/custom-views/electricity/meter-forest.ts'
import { silentParts } from '../../../../src/custom-views/electricity/silent-parts.ts'
import { line } from '../../domain/energy/points.ts'

const meter = (PeripheralUID: string, ParentMeter: string | null = null) => ({ PeripheralUID, ParentMeter })
const meters = [meter('small', 'main'), meter('main'), meter('big', 'main'), meter('alone', 'gone')]
const series = (main: number) => [
  line('main', 0, [main]),
  line('big', 0, [6]),
  line('small', 0, [1]),
  line('alone', 0, [2]),
]

describe('the tree of meters', () => {
  it('shows the remainder that no sub-meter measures; an unknown parent counts as none', () => {
    const forest = meterForest(meters, series(10))
    expect(
      forest.map(({ key, children }) => [key, children?.map((child) => [child.key, child.total.kWh])]),
    ).toEqual([
      [
        'main',
        [
          ['big', 6],
          ['small', 1],
          ['main/untracked', 3],
        ],
      ],
      ['alone', undefined],
    ])
    expect(leavesOf(forest).map(({ key }) => key)).toEqual(['big', 'alone', 'small'])
    expect(homeOf(forest, 'kwh')).toBe(12)
  })

  it('shows a negative remainder if sub-meters exceed their meter', () => {
    const [main] = meterForest(meters, series(5))
    expect(main?.children?.at(-1)).toMatchObject({ kind: 'remainder', total: { kWh: -2 } })
  })

  it('rates a remainder by the data quality of everything it is computed from', () => {
    const silent = [line('main', 0, [10]), line('big', 0, [6]), line('small', 0, [null])]
    const [main] = meterForest(meters, silent)
    expect(main?.total.Coverage).toMatchObject({ Measured: 4, Missing: 0 })
    const rest = main?.children?.at(-1) as MeterNode
    expect(rest.total).toMatchObject({ kWh: 4, Coverage: { Measured: 8, Missing: 4 } })
    const hour = { from: 0, to: 3_600_000 }
    expect(silentParts(rest, hour, hour.to)).toBe(1)
    // In the first minutes of the current interval, readings need not have arrived yet.
    expect(silentParts(rest, hour, 60_000)).toBe(0)
    expect(silentParts(main as MeterNode, hour, hour.to)).toBe(0)
  })

  it('keeps every meter of a loop, which is cut at its first', () => {
    const forest = meterForest([meter('a', 'b'), meter('b', 'a'), meter('c')], [line('c', 0, [1])])
    expect(forest.map(({ key, children }) => [key, children?.map((child) => child.key)])).toEqual([
      ['c', undefined],
      ['a', ['b', 'a/untracked']],
    ])
  })

  it('has no remainder for a meter without data', () => {
    const [, main] = meterForest([meter('main'), meter('a', 'main'), meter('b')], [line('b', 0, [1])])
    expect(main?.children?.at(-1)?.total.kWh).toBeNull()
  })
})

describe('the flow', () => {
  it('keeps the width of each box from input to output, and loses nothing', () => {
    const flow = flowLayout(meterForest(meters, series(10)), 'kwh', 800)
    const tall = (key: string) => flow?.boxes.find((box) => box.key === key)?.height ?? 0
    expect(tall('main') + tall('alone')).toBeCloseTo(tall(''))
    expect(tall('big') + tall('small') + tall('main/untracked')).toBeCloseTo(tall('main'))
    expect(flow?.bands).toHaveLength(5)
  })

  it('begins with the single root meter, unless it has no children', () => {
    const one = meters.filter(({ PeripheralUID }) => PeripheralUID !== 'alone')
    const flow = flowLayout(meterForest(one, series(10)), 'kwh', 334)
    expect(flow?.boxes.filter(({ x }) => x === 0).map(({ key, kind }) => [key, kind])).toEqual([
      ['main', 'meter'],
    ])
    expect(flow?.bands.map(({ key }) => key)).toEqual(['big', 'small', 'main/untracked'])
    expect(flow?.width).toBe(334)
    const alone = flowLayout(meterForest([meter('alone')], series(10)), 'kwh', 800)
    expect(alone?.boxes.map(({ key }) => key)).toEqual(['', 'alone'])
  })

  it('keeps its height even if children exceed their parent many times', () => {
    const height = (main: number) => flowLayout(meterForest(meters, series(main)), 'kwh', 800)?.height ?? 0
    expect(height(0.01)).toBeLessThanOrEqual(height(10))
  })

  it('has no box for zero', () => {
    expect(flowLayout(meterForest(meters, series(5)), 'kwh', 800)?.boxes.map(({ key }) => key)).not.toContain(
      'main/untracked',
    )
    expect(flowLayout([], 'kwh', 800)).toBeUndefined()
  })

  it('never overlaps boxes of a column', () => {
    const boxes = flowLayout(meterForest(meters, series(10)), 'kwh', 800)?.boxes ?? []
    const apart = boxes.every((a) =>
      boxes.every((b) => a === b || a.x !== b.x || a.y + a.height <= b.y || b.y + b.height <= a.y),
    )
    expect([boxes.length, apart]).toEqual([6, true])
  })

  it('has room for labels on a phone: two name lines, one value line, and wide enough columns', () => {
    const forest = meterForest(meters, series(10))
    const [narrow, wide] = [flowLayout(forest, 'kwh', 240), flowLayout(forest, 'kwh', 800)]
    expect([narrow?.stacked, wide?.stacked]).toEqual([true, false])
    expect(narrow?.words).toBeGreaterThanOrEqual(130)
    expect(narrow?.width).toBeGreaterThan(240)
    expect(wide?.width).toBeCloseTo(800)
    const rows = narrow?.boxes.filter(({ x }) => x === Math.max(...(narrow?.boxes ?? []).map((box) => box.x)))
    const tops = rows?.map(({ y }) => y).sort((a, b) => a - b) ?? []
    expect(tops.slice(1).every((y, i) => y - (tops[i] as number) >= 54)).toBe(true)
  })
})
