/** THOROUGH=1: every test at its full length, before a release (CONTRIBUTING.md). */
export const isThorough = process.env['THOROUGH'] === '1'

/** How many cases a search tries: the short one tries the first of the full one. */
export const cases = (short: number, full: number): number => (isThorough ? full : short)
