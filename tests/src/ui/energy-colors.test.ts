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

describe("series' colours", () => {
  it('of thirty-two look different in either mode, by colour or by texture', () => {
    const all = Array.from({ length: 32 }, (_, i) => looks(seriesColor(i)))
    expect(new Set(all.map(({ light }) => light)).size).toBe(32)
    expect(new Set(all.map(({ dark }) => dark)).size).toBe(32)
  })
  it('need no texture while they are eight, and have one of their own in each round after', () => {
    const rounds = [0, 8, 16, 24, 32].map((i) => seriesColor(i).texture)
    expect(rounds).toEqual([undefined, ...TEXTURES, undefined])
    expect(seriesColor(7).texture).toBeUndefined()
  })
})

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
  it('never come twice, however many colours were chosen', () => {
    const chosen = series.light.slice(0, 6).map((color, i) => meter(`a${i}`, color))
    const others = Array.from({ length: 12 }, (_, i) => meter(`b${String(i).padStart(2, '0')}`))
    const colors = [...meterColors([...chosen, ...others]).values()]
    expect(new Set(colors.map((color) => looks(color).light)).size).toBe(18)
    expect(colors[6]).toEqual(seriesColor(6))
    expect(colors[8]).toEqual(seriesColor(8))
  })
  it('of an own colour are the same in both modes', () => {
    expect(chosenColor('#123456')).toEqual({ light: '#123456', dark: '#123456' })
  })
})
