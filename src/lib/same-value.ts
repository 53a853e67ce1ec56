/** Whether two values that JSON can hold say the same; the order of an object's fields says nothing, and nothing is null. */
export const sameValue = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)

const textOf = (value: unknown): string => JSON.stringify(value ?? null, inOrder)

const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
