/** THOROUGH=1: every test at its full length, before a release (CONTRIBUTING.md). */
export const isThorough = process.env['THOROUGH'] === '1'

/** Number of cases of a property test; the short run uses the first ones of the full run. */
export const cases = (quick: number, full: number): number => (isThorough ? full : quick)
