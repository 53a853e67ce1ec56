import { MAX_POWER_KW } from '../../../contract/meters/validate-readings.ts'

/** Energy of a meter in one month, and the number of quarters of an hour for which it is known. */
export interface MeterMonth {
  meterId: number
  /** Months since year 0. */
  month: number
  kwh: number
  known: number
}

/** Maximum ratio of a month's mean power to that of the meter's highest month. */
const TIMES_ITS_LARGEST = 5
/** Minimum number of known quarters of an hour for a comparison: two days. */
const MIN_KNOWN_QUARTERS = 2 * 96
const ROUNDING = 1e-6

/**
 * Months that increase to an implausible energy, for example because Wh were read as kWh, or readings as energy used.
 *
 * mostKw   maximum mean power of a meter in a month (meter-limit.ts), kW
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
    if (one.known >= MIN_KNOWN_QUARTERS && one.kwh > 0)
      largest.set(one.meterId, Math.max(largest.get(one.meterId) ?? 0, kwOf(one)))
  }
  return after.flatMap((one) => {
    const maxKw = largest.get(one.meterId)
    const limitKw = Math.min(
      mostKw(one.meterId, one.month),
      maxKw === undefined ? Infinity : maxKw * TIMES_ITS_LARGEST,
    )
    const isGrown = one.kwh > (was.get(key(one)) ?? 0) + ROUNDING
    return isGrown && kwOf(one) > limitKw ? [{ ...one, limit: (limitKw * one.known) / 4 }] : []
  })
}
