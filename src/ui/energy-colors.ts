import type { Band } from '../../contract/rules/tariff.ts'
import { colors, series, type Mode } from './theme.ts'

/** A colour of a chart in both modes: told apart with the usual colour deficiencies, and never all that tells. */
export type SeriesColor = Readonly<Record<Mode, string>>

const pair = (i: number): SeriesColor => ({
  light: series.light[i % series.light.length] as string,
  dark: series.dark[i % series.dark.length] as string,
})

/** The colours given out, in order; after the last the first comes again. */
export const seriesColor = pair

/** What stands for the rest, the unknown, or the period that is compared with. */
export const REST_COLOR: SeriesColor = { light: colors.light.lineStrong, dark: colors.dark.lineStrong }

/** The bands of a tariff, the same on every page. */
export const bandColors: Readonly<Record<Band, SeriesColor>> = {
  peak: pair(1),
  semiPeak: pair(4),
  saturdaySemiPeak: pair(3),
  offPeak: pair(0),
  flat: pair(2),
}

/** A colour that a person chose: one of ours has its twin for the dark. */
export function chosenColor(hex: string): SeriesColor {
  const i = series.light.findIndex((color) => color.toLowerCase() === hex.toLowerCase())
  return i < 0 ? { light: hex, dark: hex } : pair(i)
}

interface Coloured {
  PeripheralUID: string
  IndexColor: string | null
}

/**
 * The colour of each meter, the same on every page: its own where a person gave it one, else the next that nobody chose, in the
 * order of the ids, so that neither names nor sorting move it.
 */
export function meterColors(meters: readonly Coloured[]): Map<string, SeriesColor> {
  const chosen = new Set(meters.flatMap(({ IndexColor }) => IndexColor?.toLowerCase() ?? []))
  const free = series.light.flatMap((color, i) => (chosen.has(color.toLowerCase()) ? [] : [i]))
  const given = free.length > 0 ? free : series.light.map((_, i) => i)
  let next = 0
  const byId = [...meters].sort((a, b) => (a.PeripheralUID < b.PeripheralUID ? -1 : 1))
  return new Map(
    byId.map(({ PeripheralUID, IndexColor }) => [
      PeripheralUID,
      IndexColor === null ? pair(given[next++ % given.length] as number) : chosenColor(IndexColor),
    ]),
  )
}
