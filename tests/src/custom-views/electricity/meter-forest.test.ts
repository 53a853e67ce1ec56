import { describe, expect, it } from 'vitest'
import { meterFlow } from '../../../../src/custom-views/electricity/flow-view.tsx'
import {
  homeOf,
  leavesOf,
  meterForest,
  type MeterNode,
  silentParts,
} from '../../../../src/custom-views/electricity/meter-forest.ts'
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
  const flow = (main: number, of = meters) => meterFlow(meterForest(of, series(main)), 'kwh')

  it('gives each node as much energy as it passes on', () => {
    const { nodes, links } = flow(10) as NonNullable<ReturnType<typeof flow>>
    const valueOf = (key: string) => nodes.find((node) => node.key === key)?.value
    const sumFrom = (source: string) =>
      links.filter((link) => link.source === source).reduce((sum, { value }) => sum + value, 0)
    expect(links).toHaveLength(5)
    expect([valueOf(''), sumFrom('')]).toEqual([12, 12])
    expect([valueOf('main'), sumFrom('main')]).toEqual([10, 10])
  })

  it('begins with the single root meter, unless it has no children', () => {
    const one = meters.filter(({ PeripheralUID }) => PeripheralUID !== 'alone')
    expect(flow(10, one)?.nodes.map(({ key, kind }) => [key, kind])).toEqual([
      ['main', 'meter'],
      ['big', 'meter'],
      ['small', 'meter'],
      ['main/untracked', 'remainder'],
    ])
    expect(flow(10, [meter('alone')])?.nodes.map(({ key }) => key)).toEqual(['', 'alone'])
  })

  it('has no node for zero, and does not exist without energy', () => {
    expect(flow(5)?.nodes.map(({ key }) => key)).not.toContain('main/untracked')
    expect(meterFlow([], 'kwh')).toBeUndefined()
  })

  it('counts its columns and the nodes without children, from which the size of the chart follows', () => {
    expect(flow(10)).toMatchObject({ columns: 3, leafCount: 4 })
    expect(flow(10, [meter('alone')])).toMatchObject({ columns: 2, leafCount: 1 })
  })

  it('keeps children that exceed their parent', () => {
    expect(
      flow(0.01)
        ?.links.filter(({ source }) => source === 'main')
        .map(({ value }) => value),
    ).toEqual([6, 1])
  })
})
