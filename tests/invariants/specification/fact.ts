/** What a line of the specification says, what the code has in its place, and the decision that makes it something else. */
export interface Fact {
  says: string
  /** As the specification has it, or as the decision has it. */
  expected: unknown
  actual: () => unknown
  /** A file of docs/decisions that says why the code differs. */
  adr?: string
}

export const fact = (says: string, expected: unknown, actual: () => unknown): Fact => ({
  says,
  expected,
  actual,
})

/** A line that the product answers otherwise: `expected` is what the decision has in its place. */
export const differing = (adr: string, ...described: Parameters<typeof fact>): Fact => ({
  ...fact(...described),
  adr,
})
