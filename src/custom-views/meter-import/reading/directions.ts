import {
  type Direction,
  directionOf,
  directionOfSuffix,
  hasOtherQuantity,
  mayBeName,
  OWN_USE,
} from './headings.ts'
import { exampleOf, type Facts, type MeterName, oneOfValues } from './facts.ts'
import { hasNameWords, isNameBehind, isSameName } from './load-names.ts'
import type { OpenDirections, SeriesSource } from './rows.ts'
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

/** Answers to the question whether words of directions in names are directions: all of them, none, or some. */
export const DIRECTION_ANSWERS = ['words', 'names', 'some'] as const
export type DirectionAnswer = (typeof DIRECTION_ANSWERS)[number]

/** Text by which a series has a direction; it may be a name instead. */
interface DirectionText {
  direction: Direction
  text: string
  isOpen: boolean
}

/**
 * Directions of all series. A heading or a text that is the name of a meter gives none, and one that may be another name does as the user
 * answers, or else as the other headings suggest.
 */
export function withDirections(
  sources: readonly SeriesSource[],
  meters: readonly MeterName[],
  answer: DirectionAnswer | undefined,
): { sources: SeriesSource[]; open: OpenDirections | undefined } {
  const names = new Set(meters.flatMap(({ uid, name }) => [normalizeName(uid), normalizeName(name)]))
  const texts = sources.flatMap(({ meterText, heading }) => [meterText, heading])
  const counterpart = createCounterpart(sources)
  const found = sources.map((source): DirectionText | undefined => {
    const { directionText, meterText, unitText, heading } = source
    const ofSuffix = directionOfSuffix(directionText)
    if (ofSuffix) return { direction: ofSuffix, text: directionText, isOpen: false }
    const stated = [directionText, unitText, meterText, heading].filter(
      (text) => text !== '' && !names.has(normalizeName(text)),
    )
    const ofWords = stated.flatMap((text) => {
      const direction = directionOf(text)
      return direction ? [{ direction, text, isOpen: mayBeName(text) && !hasOtherQuantity(text, texts) }] : []
    })
    return ofWords.find(({ isOpen }) => !isOpen) ?? ofWords[0] ?? counterpart(source, stated)
  })
  // An export office is one among other loads; the export of a building is one beside its import, or in a file of directions.
  const areAllDirected = found.every((each) => each !== undefined)
  const isLikely = ({ text }: DirectionText) => {
    const rest = areAllDirected ? undefined : nameBehindDirection(text)
    return rest === undefined || texts.some((each) => each !== text && isSameName(rest, restOf(each)))
  }
  const isDirection = (each: DirectionText) => {
    if (answer === 'words' || !each.isOpen) return true
    return answer !== 'names' && isLikely(each)
  }
  const open = found.filter((each) => each?.isOpen && each.direction === 'export') as DirectionText[]
  return {
    sources: sources.map((source, at) => {
      const each = found[at]
      return { ...source, direction: each && isDirection(each) ? each.direction : undefined }
    }),
    open: open.length === 0 ? undefined : { texts: textsOf(open), likely: textsOf(open.filter(isLikely)) },
  }
}

const textsOf = (found: readonly DirectionText[]): string[] => [...new Set(found.map(({ text }) => text))]

/** Finds the direction of a series that differs from another one only in a word of a pair. */
function createCounterpart(sources: readonly SeriesSource[]) {
  const known = new Set(sources.map(keyOf))
  return (source: SeriesSource, stated: readonly string[]): DirectionText | undefined => {
    const key = keyOf(source)
    const found = (word: string, direction: Direction, from: string): DirectionText | undefined => {
      const text = stated.find((each) => ` ${wordsOf(each)} `.includes(word))
      const words = new RegExp(
        word
          .replace('+', String.raw`\+`)
          .replace(/^ /, '(?<= )')
          .replace(/ $/, '(?= )'),
        'g',
      )
      return text === undefined
        ? undefined
        : { direction, text, isOpen: !OWN_USE.test(from) && hasNameWords(` ${wordsOf(text)} `, words) }
    }
    for (const [from, to] of [...PAIRS, ...CHINESE_PAIRS]) {
      if (key.includes(to) && known.has(key.replace(to, from))) return found(to, 'export', from)
      if (key.includes(from) && known.has(key.replace(from, to))) return found(from, 'import', from)
    }
    return undefined
  }
}

/** Asks whether words in names are directions, unless the user has answered it. */
export function confirmDirections({ texts, likely }: OpenDirections, facts: Facts): void {
  if (facts.answer('direction', directionAnswer) ?? facts.profile('direction', directionAnswer)) return
  const isMixed = likely.length > 0 && likely.length < texts.length
  const values = isMixed ? DIRECTION_ANSWERS : DIRECTION_ANSWERS.slice(0, 2)
  facts.ask({
    fact: 'direction',
    example: exampleOf(texts),
    options: values.map((value) => ({
      value,
      kWh: null,
      ...(value === 'some' && { text: exampleOf(likely) }),
    })),
    suggested: isMixed ? 'some' : likely.length > 0 ? 'words' : 'names',
  })
}

/** Parser of an answer to the question. */
export const directionAnswer = oneOfValues<DirectionAnswer>(...DIRECTION_ANSWERS)

/** Words of directions that are also the first part of names, such as excess baggage, sold-out theatre and 送電室. */
const NAME_WORD = /(?<![a-z])(?:import|export|excess|surplus|sold|ret|backward|feed[- ]?in)(?![a-z])|送電/i

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
  ` ${wordsOf([directionText, meterText, unitText, heading].join(' | '))} `

const wordsOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[−–]/g, '-')
    .replaceAll(/([()[\]_/+-])/g, ' $1 ')
    .replaceAll(/\s+/g, ' ')
