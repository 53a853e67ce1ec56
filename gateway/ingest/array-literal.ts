/**
 * PostgreSQL array literals for the hot path: a whole column as one string, which the driver passes on untouched
 * instead of quoting it value by value.
 */

/** Ids, which hold nothing that needs escaping; quoted because one of them may read NULL. */
export const idArray = (ids: readonly string[]): string => (ids.length ? `{"${ids.join('","')}"}` : '{}')

/** Numbers, undefined as NULL. */
export const numberArray = (numbers: readonly (number | undefined)[]): string =>
  `{${numbers.map((number) => number ?? 'NULL').join(',')}}`

/** JSON documents. The outer stringify writes just the escapes that an array element wants. */
export const jsonArray = (documents: readonly object[]): string =>
  `{${documents.map((document) => JSON.stringify(JSON.stringify(document))).join(',')}}`
