import { type Direction, directionOf, directionOfSuffix } from './headings.ts'
import type { MeterName } from './facts.ts'
import type { SeriesSource } from './rows.ts'
import { normalizeName } from './series.ts'

/** Words of the two directions, from the grid and to it, that mean them only where both are in a file. */
const PAIRS: readonly (readonly [from: string, to: string])[] = [
  ['delivered', 'received'],
  ['del', 'rec'],
  ['del', 'rcvd'],
  ['dlv', 'rcv'],
  ['imp', 'exp'],
  ['in', 'out'],
  ['import', 'return'],
  ['forward', 'reverse'],
  ['consumption', 'injection'],
  ['soutirage', 'injection'],
  ['usage', 'return'],
  ['consommation', 'injection'],
  ['puissance moyenne', 'injection'],
  ['buy', 'sell'],
  ['inflow', 'outflow'],
  ['e1', 'b1'],
  ['bezug', 'lieferung'],
  ['bezug', 'abgabe'],
  ['+', '-'],
].map(([from, to]) => [` ${from} `, ` ${to} `] as const)
/** The same in Chinese, which has no blanks. */
const CHINESE_PAIRS = [
  ['輸入', '輸出'],
  ['正向', '逆向'],
  ['受電', '送電'],
] as const

/**
 * Directions of all series. A heading or a text that is the name of a meter gives none.
 *
 * returns  the same sources with their directions
 */
export function withDirections(
  sources: readonly SeriesSource[],
  meters: readonly MeterName[],
): SeriesSource[] {
  const names = new Set(meters.flatMap(({ uid, name }) => [normalizeName(uid), normalizeName(name)]))
  const keys = sources.map(keyOf)
  const known = new Set(keys)
  const counterpart = (key: string): Direction | undefined => {
    for (const [from, to] of [...PAIRS, ...CHINESE_PAIRS]) {
      if (key.includes(to) && known.has(key.replace(to, from))) return 'export'
      if (key.includes(from) && known.has(key.replace(from, to))) return 'import'
    }
    return undefined
  }
  return sources.map((source, at) => {
    const { directionText, meterText, unitText, heading } = source
    const ofTexts = [directionText, unitText, meterText, heading]
      .filter((text) => text !== '' && !names.has(normalizeName(text)))
      .map(directionOf)
      .find((direction) => direction !== undefined)
    const direction = directionOfSuffix(directionText) ?? ofTexts ?? counterpart(keys[at] as string)
    return { ...source, direction }
  })
}

/** Texts of a series as words between blanks. */
const keyOf = ({ directionText, meterText, unitText, heading }: SeriesSource): string =>
  ` ${[directionText, meterText, unitText, heading].join(' | ')} `
    .toLowerCase()
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/([()[\]_/+-])/g, ' $1 ')
    .replaceAll(/\s+/g, ' ')
