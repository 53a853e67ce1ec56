/** Value of a JSON text; undefined, which no schema accepts, if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names of numbers that JSON does not allow, as printf and several languages write them. */
const NO_NUMBER = /nan|inf/i
/** A JSON string, closed or not, which is left unchanged; or such a name. Linear time: each position is read once. */
const NO_NUMBER_TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[+-]?(?:nan|inf(?:inity)?)(?![\w"])/gi

/**
 * Value of a JSON text that may contain NaN and Infinity as numbers. Each becomes a string, which no number schema accepts, so that
 * only its own field is invalid. Pass only texts whose depth and size are bounded.
 */
export function parseTolerantJson(text: string): unknown {
  const value = parseJson(text)
  if (value !== undefined || !NO_NUMBER.test(text)) return value
  return parseJson(text.replace(NO_NUMBER_TOKEN, (token) => (token.startsWith('"') ? token : `"${token}"`)))
}

/**
 * Whether a parsed number is exactly the number in the text: from 2^53 on, doubles skip integers (9007199254740993 is read as
 * …992). Inexact values are rejected, because a rounded counter looks like a correct one.
 */
export const isExact = (number: number): boolean => Math.abs(number) <= Number.MAX_SAFE_INTEGER

/** Sixteen consecutive digits that are not a fraction: numbers above 2^53 without an exponent contain them. */
const LONG = /(?:^|[^.\d])\d{16}/
/** A JSON string, which is left unchanged, or a number. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Parses like `parseJson`, but keeps inexact numbers as strings of their digits. */
export function parseExactJson(text: string): unknown {
  if (!LONG.test(text) || parseJson(text) === undefined) return parseJson(text)
  return parseJson(
    text.replace(TOKEN, (token) => (token.startsWith('"') || isExact(Number(token)) ? token : `"${token}"`)),
  )
}
