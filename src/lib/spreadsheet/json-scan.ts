import { FileRefused } from './file-fault.ts'
import { MAX_LINES } from './grid.ts'

/** Maximum depth of lists and objects. */
const MAX_DEPTH = 16
/** Maximum number of lists and objects: rows may contain some. */
const MAX_NODES = 4 * MAX_LINES

const [QUOTE, COMMA, COLON, LINE_FEED, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x0a, 0x5c]
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Position of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH && first - 1 > start) first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}

/**
 * Bounds what a parser would build, before it does.
 *
 * returns  whether there is more after the first value, as in a file with a value per line
 * errors   FileRefused: `unknownJson` if it is too deep, `tooManyRows` if it has too many lists and objects
 */
export function isSeveralValues(text: string): boolean {
  let [depth, nodes, firstEnd] = [0, 0, text.length]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === LIST_START || code === OBJECT_START) {
      if (++depth > MAX_DEPTH) throw new FileRefused('unknownJson')
      if (++nodes > MAX_NODES) throw new FileRefused('tooManyRows')
    } else if ((code === LIST_END || code === OBJECT_END) && --depth === 0)
      firstEnd = Math.min(firstEnd, at + 1)
  }
  return text.slice(firstEnd).trim() !== ''
}

/** Maximum number of keys and indexes in the path of a list of rows. */
export const MAX_LIST_DEPTH = 3

/** Path of a value from the root: keys of objects and indexes of lists. */
export type JsonPath = readonly (string | number)[]
export const keyOfPath = (path: JsonPath): string => JSON.stringify(path)

/** Lines of the values of a JSON text, from 1, by `keyOfPath`. */
export interface JsonLines {
  /** For each list at the examined depth, lines of its elements. */
  elements: ReadonlyMap<string, readonly number[]>
  /** Lines of the members of objects outside of these lists. */
  members: ReadonlyMap<string, number>
}

/**
 * Lines at which the elements of lists begin; of a key that is repeated, the last counts, as for a parser.
 *
 * text   valid JSON
 * depth  number of keys and indexes in the path of the lists
 */
export function findLines(text: string, depth: number): JsonLines {
  const elements = new Map<string, number[]>()
  const members = new Map<string, number>()
  /** Key or index of the current value in each list and object around it. */
  const path: (string | number)[] = []
  let line = 1
  let list: number[] | undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LINE_FEED) line++
    else if (code === QUOTE) {
      const end = endOfString(text, at)
      if (!list && path.length <= MAX_LIST_DEPTH && typeof path.at(-1) === 'string' && isKey(text, end)) {
        path[path.length - 1] = JSON.parse(text.slice(at, end + 1)) as string
        members.set(keyOfPath(path), line)
      }
      at = end
    } else if (code === LIST_START || code === OBJECT_START) {
      if (list && path.length === depth + 1) list.push(line)
      if (code === LIST_START && path.length === depth) elements.set(keyOfPath(path), (list = []))
      path.push(code === LIST_START ? 0 : '')
    } else if (code === LIST_END || code === OBJECT_END) {
      path.pop()
      if (path.length === depth) list = undefined
    } else if (code === COMMA) {
      const last = path.at(-1)
      if (typeof last === 'number') path[path.length - 1] = last + 1
    }
  }
  return { elements, members }
}

/** Whether a string is the key of a member. */
function isKey(text: string, end: number): boolean {
  let at = end + 1
  while (/\s/.test(text.charAt(at))) at++
  return text.charCodeAt(at) === COLON
}
