import type { Source, Use } from '../../../contract/energy/balance.ts'
import type { Band } from '../../../contract/tariffs/tariff-terms.ts'
import { colors, laterSeries, series, type Mode } from '../theme/theme.ts'

/** How a line is broken, or a bar is patterned, where colours alone do not suffice. */
export const TEXTURES = ['dashed', 'dotted', 'dashDotted'] as const
export type Texture = (typeof TEXTURES)[number]

/** A colour of a chart in both modes: told apart with the usual colour deficiencies, and never all that tells. */
export interface SeriesColor extends Readonly<Record<Mode, string>> {
  /** Left out for what is drawn plainly. */
  readonly texture?: Texture
}

/** Colours of one round: so many are told apart without a texture. */
const ROUND = series.light.length

/**
 * The colours given out, in order: eight plain ones, then as many of other shades with each texture. After the thirty-second the
 * first comes again.
 */
export function seriesColor(i: number): SeriesColor {
  const round = Math.floor(i / ROUND) % (TEXTURES.length + 1)
  const texture = TEXTURES[round - 1]
  const shades = round % 2 === 0 ? series : laterSeries
  return {
    light: shades.light[i % ROUND] as string,
    dark: shades.dark[i % ROUND] as string,
    ...(texture && { texture }),
  }
}

/** What stands for the rest, the unknown, or the period that is compared with. */
export const REST_COLOR: SeriesColor = { light: colors.light.lineStrong, dark: colors.dark.lineStrong }

/** The smallest of many added up: no colour of the order above, of which any may stand beside it. */
export const OTHERS_COLOR: SeriesColor = {
  light: colors.light.muted,
  dark: colors.dark.muted,
  texture: 'dashDotted',
}

/** What main meters counted and no meter below them, told from the rest beside it by its stripes. */
export const UNTRACKED_COLOR: SeriesColor = { ...REST_COLOR, texture: 'dashed' }

/** The bands of a tariff, the same on every page. */
export const bandColors: Readonly<Record<Band, SeriesColor>> = {
  peak: seriesColor(1),
  semiPeak: seriesColor(4),
  saturdaySemiPeak: seriesColor(3),
  offPeak: seriesColor(0),
  flat: seriesColor(2),
}

/** Where energy comes from, the same on every page. */
export const SOURCE_COLORS: Readonly<Record<Source, SeriesColor>> = {
  import: seriesColor(0),
  generation: seriesColor(4),
  discharge: seriesColor(2),
}

/** Where energy goes. */
export const USE_COLORS: Readonly<Record<Use, SeriesColor>> = {
  consumption: seriesColor(6),
  export: seriesColor(1),
  charge: seriesColor(3),
}

/** A colour that a person chose: one of ours has its twin for the dark. */
export function chosenColor(hex: string): SeriesColor {
  const i = series.light.findIndex((color) => color.toLowerCase() === hex.toLowerCase())
  return i < 0 ? { light: hex, dark: hex } : seriesColor(i)
}

interface Coloured {
  PeripheralUID: string
  IndexColor: string | null
}

/**
 * The colour of each meter, the same on every page: its own where a person gave it one, else the next that nobody chose, in the
 * order of the ids, so that neither names nor sorting move it.
 *
 * special  the ninth and later ones, and all once the plain colours are taken, have a texture
 */
export function meterColors(meters: readonly Coloured[]): Map<string, SeriesColor> {
  const chosen = new Set(meters.flatMap(({ IndexColor }) => IndexColor?.toLowerCase() ?? []))
  let next = 0
  const free = (): SeriesColor => {
    while (next < ROUND && chosen.has(seriesColor(next).light.toLowerCase())) next++
    return seriesColor(next++)
  }
  const byId = [...meters].sort((a, b) => (a.PeripheralUID < b.PeripheralUID ? -1 : 1))
  return new Map(
    byId.map(({ PeripheralUID, IndexColor }) => [
      PeripheralUID,
      IndexColor === null ? free() : chosenColor(IndexColor),
    ]),
  )
}
