/** Number of remaining characters from which a field shows its counter. */
const NEAR = 10

/** Counter of a text field, e.g. "60 / 64"; empty until the text is near its maximum length. */
export const COUNT_NEAR_LIMIT = {
  formatter: ({ count, maxLength }: { count: number; maxLength?: number }): string =>
    maxLength !== undefined && count >= maxLength - NEAR ? `${count} / ${maxLength}` : '',
}
