/** One line of the specification, the corresponding value of the code, and the decision for a difference. */
export interface Fact {
  says: string
  /** Value of the specification, or of the decision. */
  expected: unknown
  actual: () => unknown
  /** File of docs/decisions with the reason for the difference. */
  adr?: string
}

export const fact = (says: string, expected: unknown, actual: () => unknown): Fact => ({
  says,
  expected,
  actual,
})

/** Line that the product implements differently: `expected` is the decision's value. */
export const differing = (adr: string, ...described: Parameters<typeof fact>): Fact => ({
  ...fact(...described),
  adr,
})
