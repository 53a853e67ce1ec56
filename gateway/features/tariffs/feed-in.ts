import type { Bill, BillLine } from '../../../contract/tariffs/bill.ts'

/** What was sold on a day, and at which price. */
export interface SoldDay {
  kWh: number
  /** NT$ per kWh; null where no price is known. */
  FeedIn: number | null
  /** Of the agreement that says so, `2025-10-01`. */
  ValidFrom: string
}

/** To the cent, halves away from 0, as bills count. */
const cents = (value: number): number => {
  const away = Math.sign(value) * Math.max(1e-9, Math.abs(value) * 4 * Number.EPSILON)
  return Math.round((value + away) * 100) / 100
}

/** The lines of what was sold, one for each price: quantities to the hundredth, amounts to the cent, below 0 as a credit. */
export function feedInLines(days: readonly SoldDay[]): BillLine[] {
  const sums = new Map<string, { kWh: number; price: number; ValidFrom: string }>()
  for (const { kWh, FeedIn, ValidFrom } of days) {
    if (FeedIn === null || kWh === 0) continue
    const key = `${ValidFrom} ${FeedIn}`
    const known = sums.get(key)
    if (known) known.kWh += kWh
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

/** A bill with the credit for what was sold. */
export function withFeedIn(bill: Bill, days: readonly SoldDay[]): Bill {
  const lines = feedInLines(days)
  if (lines.length === 0) return bill
  const credit = lines.reduce((sum, { Amount }) => sum + Amount, 0)
  return { ...bill, Lines: [...bill.Lines, ...lines], Total: cents(bill.Total + credit) }
}

/** What a plant earned all of whose energy is sold, NT$; null where a day with energy has no price. */
export function incomeOf(days: readonly SoldDay[]): number | null {
  if (days.some(({ kWh, FeedIn }) => kWh > 0 && FeedIn === null)) return null
  return cents(feedInLines(days).reduce((sum, { Amount }) => sum - Amount, 0))
}
