import { describe, expect, it } from 'vitest'
import {
  chosenColor,
  meterColors,
  seriesColor,
  TEXTURES,
  type SeriesColor,
} from '../../../src/ui/chart/energy-colors.ts'
import { series } from '../../../src/ui/theme/theme.ts'

const meter = (PeripheralUID: string, IndexColor: string | null = null) => ({ PeripheralUID, IndexColor })

const looks = ({ light, dark, texture }: SeriesColor) => ({
  light: `${light} ${texture}`,
  dark: `${dark} ${texture}`,
})

describe('colors of series', () => {
  it('are distinguishable for thirty-two in either mode, by color or texture', () => {
    const all = Array.from({ length: 32 }, (_, i) => looks(seriesColor(i)))
    expect(new Set(all.map(({ light }) => light)).size).toBe(32)
    expect(new Set(all.map(({ dark }) => dark)).size).toBe(32)
  })
  it('need no texture up to eight, and have a different one in each round after', () => {
    const rounds = [0, 8, 16, 24, 32].map((i) => seriesColor(i).texture)
    expect(rounds).toEqual([undefined, ...TEXTURES, undefined])
    expect(seriesColor(7).texture).toBeUndefined()
  })
})

describe('colors of meters', () => {
  it('are the same in any order of the meters', () => {
    const meters = ['c', 'a', 'b'].map((id) => meter(id))
    const colors = meterColors(meters)
    expect(meterColors(meters.toReversed())).toEqual(new Map([...colors].toReversed()))
    expect(colors.get('a')).toEqual({ light: series.light[0], dark: series.dark[0] })
  })
  it("are the user's choice, which no other meter gets", () => {
    const chosen = series.light[0] as string
    const colors = meterColors([meter('a'), meter('b', chosen)])
    expect(colors.get('b')).toEqual({ light: chosen, dark: series.dark[0] })
    expect(colors.get('a')?.light).toBe(series.light[1])
  })
  it('are unique, with any number of custom colors', () => {
    const chosen = series.light.slice(0, 6).map((color, i) => meter(`a${i}`, color))
    const others = Array.from({ length: 12 }, (_, i) => meter(`b${String(i).padStart(2, '0')}`))
    const colors = [...meterColors([...chosen, ...others]).values()]
    expect(new Set(colors.map((color) => looks(color).light)).size).toBe(18)
    expect(colors[6]).toEqual(seriesColor(6))
    expect(colors[8]).toEqual(seriesColor(8))
  })
  it('are the same in both modes for a custom color', () => {
    expect(chosenColor('#123456')).toEqual({ light: '#123456', dark: '#123456' })
  })
})
