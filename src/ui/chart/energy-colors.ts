import type { Source, Use } from '../../../contract/energy/balance.ts'
import type { Band } from '../../../contract/tariffs/tariff-terms.ts'
import { colors, extraSeries, series, type Mode } from '../theme/theme.ts'

/** Dashes of a line, or pattern of a bar, for series that colour alone does not distinguish. */
export const TEXTURES = ['dashed', 'dotted', 'dashDotted'] as const
export type Texture = (typeof TEXTURES)[number]

/** Colour of a series in both modes: distinguishable with common colour vision deficiencies, and never the only distinction. */
export interface SeriesColor extends Readonly<Record<Mode, string>> {
  /** Absent for plain lines and bars. */
  readonly texture?: Texture
}

/** Number of colours that are distinguishable without a texture. */
const COLOR_COUNT = series.light.length

/** Colour of the i-th series: eight plain colours, then other shades with each texture. Repeats after 32. */
export function seriesColor(i: number): SeriesColor {
  const round = Math.floor(i / COLOR_COUNT) % (TEXTURES.length + 1)
  const texture = TEXTURES[round - 1]
  const shades = round % 2 === 0 ? series : extraSeries
  return {
    light: shades.light[i % COLOR_COUNT] as string,
    dark: shades.dark[i % COLOR_COUNT] as string,
    ...(texture && { texture }),
  }
}

/** Colour of the remainder, of unknown energy, and of the compared period. */
export const REST_COLOR: SeriesColor = { light: colors.light.lineStrong, dark: colors.dark.lineStrong }

/** Colour of the summed smallest series; not one of `seriesColor`, any of which may be next to it. */
export const OTHERS_COLOR: SeriesColor = {
  light: colors.light.muted,
  dark: colors.dark.muted,
  texture: 'dashDotted',
}

/** Energy that main meters counted but no submeter did; its stripes distinguish it from the remainder. */
export const UNTRACKED_COLOR: SeriesColor = { ...REST_COLOR, texture: 'dashed' }

/** Colours of tariff bands, the same on every page. */
export const bandColors: Readonly<Record<Band, SeriesColor>> = {
  peak: seriesColor(1),
  semiPeak: seriesColor(4),
  saturdaySemiPeak: seriesColor(3),
  offPeak: seriesColor(0),
  flat: seriesColor(2),
}

/** Colours of energy sources, the same on every page. */
export const SOURCE_COLORS: Readonly<Record<Source, SeriesColor>> = {
  import: seriesColor(0),
  generation: seriesColor(4),
  discharge: seriesColor(2),
}

/** Colours of energy uses, the same on every page. */
export const USE_COLORS: Readonly<Record<Use, SeriesColor>> = {
  consumption: seriesColor(6),
  export: seriesColor(1),
  charge: seriesColor(3),
}

/** Colour that a user chose; a colour of the palette has a counterpart for dark mode. */
export function chosenColor(hex: string): SeriesColor {
  const i = series.light.findIndex((color) => color.toLowerCase() === hex.toLowerCase())
  return i < 0 ? { light: hex, dark: hex } : seriesColor(i)
}

interface Coloured {
  PeripheralUID: string
  IndexColor: string | null
}

/**
 * Colour of each meter, the same on every page: the configured one, else the next free colour in the order of ids, so that neither
 * names nor sorting change it.
 *
 * special  the ninth and later meters, and all meters once the plain colours are used up, have a texture
 */
export function meterColors(meters: readonly Coloured[]): Map<string, SeriesColor> {
  const usedColors = new Set(meters.flatMap(({ IndexColor }) => IndexColor?.toLowerCase() ?? []))
  let next = 0
  const nextFreeColor = (): SeriesColor => {
    while (next < COLOR_COUNT && usedColors.has(seriesColor(next).light.toLowerCase())) next++
    return seriesColor(next++)
  }
  const byId = [...meters].sort((a, b) => (a.PeripheralUID < b.PeripheralUID ? -1 : 1))
  return new Map(
    byId.map(({ PeripheralUID, IndexColor }) => [
      PeripheralUID,
      IndexColor === null ? nextFreeColor() : chosenColor(IndexColor),
    ]),
  )
}
