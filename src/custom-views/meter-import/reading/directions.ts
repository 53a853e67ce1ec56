import { type Direction, directionOf, directionOfSuffix } from './headings.ts'
import type { MeterName } from './facts.ts'
import { isNameBehind, isSameName } from './load-names.ts'
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
  const read = (isInName: (text: string) => boolean) =>
    sources.map((source, at) => {
      const { directionText, meterText, unitText, heading } = source
      const ofTexts = [directionText, unitText, meterText, heading]
        .filter((text) => text !== '' && !names.has(normalizeName(text)) && !isInName(text))
        .map(directionOf)
        .find((direction) => direction !== undefined)
      const direction = directionOfSuffix(directionText) ?? ofTexts ?? counterpart(keys[at] as string)
      return { ...source, direction }
    })
  const directed = read(() => false)
  // An export office is one among other loads; the export of a building is one beside its import, or in a file of directions.
  if (directed.every(({ direction }) => direction !== undefined)) return directed
  const texts = sources.flatMap(({ meterText, heading }) => [meterText, heading])
  return read((text) => {
    const rest = nameBehindDirection(text)
    return rest !== undefined && !texts.some((each) => each !== text && isSameName(rest, restOf(each)))
  })
}

/** Words of directions that are also the first part of names, such as excess baggage, sold-out theatre and 送電室. */
const NAME_WORD = /(?<![a-z])(?:import|export|excess|surplus|sold|ret|backward)(?![a-z])|送電/i

const restOf = (text: string): string => text.replace(NAME_WORD, ' ')

/** Text without its only word of a direction, if a name follows that word: Export Office. */
function nameBehindDirection(text: string): string | undefined {
  const match = NAME_WORD.exec(text)
  const rest = restOf(text)
  if (!match || directionOf(rest) !== undefined) return undefined
  return isNameBehind(text, match.index + match[0].length) ? rest : undefined
}

/** Texts of a series as words between blanks. */
const keyOf = ({ directionText, meterText, unitText, heading }: SeriesSource): string =>
  ` ${[directionText, meterText, unitText, heading].join(' | ')} `
    .toLowerCase()
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/([()[\]_/+-])/g, ' $1 ')
    .replaceAll(/\s+/g, ' ')
