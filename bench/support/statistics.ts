/** The value that `share` (0..1) of the values do not exceed; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

/** The median; the mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/**
 * Measures two things in turn, A B A B …, so that other load of the machine affects both equally.
 *
 * returns  the median of each, after one warm-up round that does not count
 */
export async function alternate(
  rounds: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<{ a: number; b: number }> {
  const seen: { a: number[]; b: number[] } = { a: [], b: [] }
  await a()
  await b()
  for (let round = 0; round < rounds; round++) {
    seen.a.push(await a())
    seen.b.push(await b())
  }
  return { a: median(seen.a), b: median(seen.b) }
}
