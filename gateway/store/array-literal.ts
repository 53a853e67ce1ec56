/**
 * Builds PostgreSQL array literals for the hot path: a whole column as one string, which the driver passes unchanged instead of quoting
 * each value. JSON uses the same quotes, escapes and nulls as an array literal.
 */
const literal = (values: readonly unknown[]): string => `{${JSON.stringify(values).slice(1, -1)}}`

/** Array literal of ids, which need no escaping; null is NULL. */
export const idArray = (ids: readonly (string | null)[]): string => literal(ids)

/** Array literal of finite numbers; undefined is NULL. */
export const numberArray = (numbers: readonly (number | undefined)[]): string => literal(numbers)
