/** The value of a JSON text; undefined, which no schema accepts, when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
