/**
 * PostgreSQL array literals for the hot path: a whole column as one string, which the driver passes on untouched
 * instead of quoting it value by value. JSON writes the same quotes, escapes and nulls that an array literal reads.
 */
const literal = (values: readonly unknown[]): string => `{${JSON.stringify(values).slice(1, -1)}}`

/** Ids, which hold nothing that needs escaping; null is NULL. */
export const idArray = (ids: readonly (string | null)[]): string => literal(ids)

/** Finite numbers; undefined is NULL. */
export const numberArray = (numbers: readonly (number | undefined)[]): string => literal(numbers)
