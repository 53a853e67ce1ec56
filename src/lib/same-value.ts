/** Whether two JSON values are equal; the order of properties is ignored, and undefined equals null. */
export const sameValue = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b)

const textOf = (value: unknown): string => JSON.stringify(value ?? null, inOrder)

const inOrder = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
