/** The value of a JSON text; undefined, which no schema accepts, when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names of numbers that JSON does not have, as printf and several languages write them. */
const NO_NUMBER = /nan|inf/i
/** A text, closed or not, which is left alone; or such a name. One pass: each position is read once. */
const NO_NUMBER_TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[+-]?(?:nan|inf(?:inity)?)(?![\w"])/gi

/**
 * The value of a JSON text in which NaN and Infinity may stand for numbers: each becomes the text that was written, which no
 * number accepts, so that it costs its own field only. Pass only texts whose depth and size are bounded.
 */
export function parseTolerantJson(text: string): unknown {
  const value = parseJson(text)
  if (value !== undefined || !NO_NUMBER.test(text)) return value
  return parseJson(text.replace(NO_NUMBER_TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

/**
 * Whether a number is the one that was written: from 2^53 on a double skips whole numbers, so 9007199254740993 is read as
 * …992. What is not exact is refused, for a counter that was rounded looks like one that was not.
 */
export const isExact = (number: number): boolean => Math.abs(number) <= Number.MAX_SAFE_INTEGER

/** Sixteen digits in a row that are no fraction: only then can a number be beyond 2^53 that is written without exponent. */
const LONG = /(?:^|[^.\d])\d{16}/
/** A text, which is left alone, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** As `parseJson`, with numbers that are not exact kept as the texts they are written as. */
export function parseExactJson(text: string): unknown {
  if (!LONG.test(text) || parseJson(text) === undefined) return parseJson(text)
  return parseJson(
    text.replace(TOKEN, (token) => (token.startsWith('"') || isExact(Number(token)) ? token : `"${token}"`)),
  )
}
