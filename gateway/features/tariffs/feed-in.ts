import type { Bill, BillLine } from '../../../contract/tariffs/bill.ts'

/** Energy sold on a day, and its price. */
export interface SoldDay {
  kWh: number
  /** NT$ per kWh; null if unknown. */
  FeedIn: number | null
  /** Start date of the agreement with that price, `2025-10-01`. */
  ValidFrom: string
}

/** Rounds to cents, halves away from 0, as bills do. */
const cents = (value: number): number => {
  const epsilon = Math.sign(value) * Math.max(1e-9, Math.abs(value) * 4 * Number.EPSILON)
  return Math.round((value + epsilon) * 100) / 100
}

/** Bill lines of the sold energy, one per price: quantities to the hundredth, amounts to the cent, negative as a credit. */
export function feedInLines(days: readonly SoldDay[]): BillLine[] {
  const sums = new Map<string, { kWh: number; price: number; ValidFrom: string }>()
  for (const { kWh, FeedIn, ValidFrom } of days) {
    if (FeedIn === null || kWh === 0) continue
    const key = `${ValidFrom} ${FeedIn}`
    const sum = sums.get(key)
    if (sum) sum.kWh += kWh
    else sums.set(key, { kWh, price: FeedIn, ValidFrom })
  }
  return [...sums.values()].map(({ kWh, price, ValidFrom }) => {
    const Quantity = cents(kWh)
    return {
      Item: 'feedIn',
      Detail: '',
      Season: null,
      ValidFrom,
      Quantity,
      Unit: 'kWh',
      Price: price,
      Factor: -1,
      Amount: cents(Quantity * price * -1),
    }
  })
}

/** Bill with the credit for sold energy. */
export function withFeedIn(bill: Bill, days: readonly SoldDay[]): Bill {
  const lines = feedInLines(days)
  if (lines.length === 0) return bill
  const credit = lines.reduce((sum, { Amount }) => sum + Amount, 0)
  return { ...bill, Lines: [...bill.Lines, ...lines], Total: cents(bill.Total + credit) }
}

/** Income of a plant that sells all its energy, NT$; null if a day with energy has no price. */
export function incomeOf(days: readonly SoldDay[]): number | null {
  if (days.some(({ kWh, FeedIn }) => kWh > 0 && FeedIn === null)) return null
  return cents(feedInLines(days).reduce((sum, { Amount }) => sum - Amount, 0))
}
