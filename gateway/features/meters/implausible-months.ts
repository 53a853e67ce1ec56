import { MAX_POWER_KW } from '../../../contract/meters/validate-readings.ts'

/** Energy of a meter in one month, and of how many quarters of an hour it is known. */
export interface MeterMonth {
  meterId: number
  /** Months since year 0. */
  month: number
  kwh: number
  known: number
}

/** A month may pass so many times what the meter's highest month did, by the hour. */
const TIMES_ITS_LARGEST = 5
/** A month of which less is known says little of what the meter passes: two days. */
const LEAST_KNOWN = 2 * 96
const ROUNDING = 1e-6

/**
 * Months that grow to more than is likely: Wh taken for kWh, or readings taken for energy used.
 *
 * mostKw   what a meter may pass in a month (meter-limit.ts), in kW
 * returns  with the limit in kWh, over as many quarters as are known
 */
export function implausibleMonths(
  before: readonly MeterMonth[],
  after: readonly MeterMonth[],
  mostKw: (meterId: number, month: number) => number = () => MAX_POWER_KW,
): (MeterMonth & { limit: number })[] {
  const kwOf = ({ kwh, known }: MeterMonth) => kwh / (known / 4)
  const key = ({ meterId, month }: MeterMonth) => `${meterId} ${month}`
  const [was, largest] = [new Map<string, number>(), new Map<number, number>()]
  for (const one of before) {
    was.set(key(one), one.kwh)
    if (one.known >= LEAST_KNOWN && one.kwh > 0)
      largest.set(one.meterId, Math.max(largest.get(one.meterId) ?? 0, kwOf(one)))
  }
  return after.flatMap((one) => {
    const most = largest.get(one.meterId)
    const limitKw = Math.min(
      mostKw(one.meterId, one.month),
      most === undefined ? Infinity : most * TIMES_ITS_LARGEST,
    )
    const isGrown = one.kwh > (was.get(key(one)) ?? 0) + ROUNDING
    return isGrown && kwOf(one) > limitKw ? [{ ...one, limit: (limitKw * one.known) / 4 }] : []
  })
}
