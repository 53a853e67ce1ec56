import { describe, expect, it } from 'vitest'
import { chosenColor, meterColors } from '../../../src/ui/energy-colors.ts'
import { series } from '../../../src/ui/theme.ts'

const meter = (PeripheralUID: string, IndexColor: string | null = null) => ({ PeripheralUID, IndexColor })

describe("meters' colours", () => {
  it('are the same whatever order the meters come in', () => {
    const meters = ['c', 'a', 'b'].map((id) => meter(id))
    const colors = meterColors(meters)
    expect(meterColors(meters.toReversed())).toEqual(new Map([...colors].toReversed()))
    expect(colors.get('a')).toEqual({ light: series.light[0], dark: series.dark[0] })
  })
  it('are what a person chose, and no other meter is given it', () => {
    const chosen = series.light[0] as string
    const colors = meterColors([meter('a'), meter('b', chosen)])
    expect(colors.get('b')).toEqual({ light: chosen, dark: series.dark[0] })
    expect(colors.get('a')?.light).toBe(series.light[1])
  })
  it('of an own colour are the same in both modes', () => {
    expect(chosenColor('#123456')).toEqual({ light: '#123456', dark: '#123456' })
  })
})
