import { keepRows } from './row-sums.ts'
import type { RawRows, SeriesSource } from './rows.ts'

/** Minimum share of negative figures and of their energy, and number of different ones, that are energy in the other direction. */
const MIN_NEGATIVE_SHARE = 0.02
const MIN_NEGATIVE_VALUES = 3

/**
 * Takes the sign away from energy in the other direction: from a series of returned energy that is nowhere positive, and from the part
 * of a net series that is returned. A series of both signs that states one direction is not read.
 */
export function splitSigns(raw: RawRows): void {
  const { series, values } = raw
  const signs = raw.sources.map(() => ({
    rows: 0,
    positive: 0,
    negative: 0,
    count: 0,
    values: new Set<number>(),
  }))
  for (let at = 0; at < raw.count; at++) {
    const value = values[at] as number
    const sign = signs[series[at] as number] as (typeof signs)[number]
    sign.rows++
    if (value >= 0) sign.positive += value
    else {
      sign.negative -= value
      sign.count++
      if (sign.values.size < MIN_NEGATIVE_VALUES) sign.values.add(value)
    }
  }
  const targets = new Map<number, number>()
  const rejected = new Set<number>()
  for (const [index, { rows, positive, negative, count, values: different }] of signs.entries()) {
    const source = raw.sources[index] as SeriesSource
    const isOther = count >= MIN_NEGATIVE_SHARE * rows && negative >= MIN_NEGATIVE_SHARE * positive
    if (different.size < MIN_NEGATIVE_VALUES || !isOther) continue
    if (source.direction === 'export' && positive === 0) targets.set(index, index)
    else if (positive > 0 && source.direction === undefined && !isGeneration(source)) {
      raw.sources[index] = { ...source, direction: 'import', sign: '+' }
      targets.set(index, raw.sources.push({ ...source, direction: 'export', sign: '−' }) - 1)
    } else if (positive > 0) rejected.add(index)
  }
  if (targets.size > 0)
    for (let at = 0; at < raw.count; at++) {
      const target = (values[at] as number) < 0 ? targets.get(series[at] as number) : undefined
      if (target === undefined) continue
      series[at] = target
      values[at] = -(values[at] as number)
    }
  if (rejected.size === 0) return
  raw.bothSigns = [...rejected].map((index) => sourceName(raw.sources[index] as SeriesSource))
  keepRows(raw, (at) => !rejected.has(series[at] as number))
}

/** Whether a series is what a plant generates, thus neither taken from the grid nor returned to it. */
export const isGeneration = ({ heading, meterText }: SeriesSource): boolean =>
  GENERATION.test(`${heading} ${meterText}`.replaceAll('_', ' '))
const GENERATION =
  /發電|发电|発電|光電|太陽|(?<![a-z])(?:generat\w*|produc\w*|produzi\w*|erzeug\w*|generaci\w*|geração|opwek\w*|yield|ertrag\w*|pv|solar\w*|photovolt\w*|inverter)(?![a-z])/i

/** Name of a series in messages. */
export const sourceName = (
  { meterText, directionText, heading, sign }: SeriesSource,
  isHeadingNeeded = true,
): string =>
  [meterText, directionText, isHeadingNeeded || meterText === '' ? heading : '', sign ?? '']
    .filter((text) => text !== '')
    .join(' · ')
