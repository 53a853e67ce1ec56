const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/

/** Number in a cell, or undefined. Formulas are text and give undefined. */
export function parseNumber(text: string): number | undefined {
  const clean = text.normalize('NFKC').trim()
  if (PLAIN.test(clean)) return Number(clean)
  return GROUPED.test(clean) ? Number(clean.replaceAll(',', '')) : undefined
}
