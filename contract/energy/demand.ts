import { QUARTER_MS } from '../time/periods.ts'

/** Value of a counter in kWh at a timestamp, epoch ms. */
export interface CounterSample {
  Timestamp: number
  kWh: number
}

/** Mean power in kW of an energy in kWh within 15 minutes. */
export const demandOf = (kWh: number): number => kWh * 4

/**
 * Interpolates a counter linearly between two samples.
 *
 * samples  ascending
 * returns  null before the first and after the last sample
 */
export function counterAt(samples: readonly CounterSample[], at: number): number | null {
  const next = samples.findIndex(({ Timestamp }) => Timestamp >= at)
  if (next === -1) return null
  const after = samples[next] as CounterSample
  if (after.Timestamp === at) return after.kWh
  const before = samples[next - 1]
  if (!before) return null
  const share = (at - before.Timestamp) / (after.Timestamp - before.Timestamp)
  return before.kWh + (after.kWh - before.kWh) * share
}

/** Demand of a home, and how many of its meters report. */
interface HomeDemand {
  Rolling: number | null
  Forecast: number | null
  Limit: number | null
  Reporting: number
  Meters: number
}

/** Whether every meter of the home's total reports; otherwise the demand is a lower bound. */
export const isWholeDemand = ({ Reporting, Meters }: Pick<HomeDemand, 'Reporting' | 'Meters'>): boolean =>
  Meters > 0 && Reporting >= Meters

/**
 * Demand of a home as a share of its contract, 0..1 and above.
 *
 * returns  undefined without a contract, for an unknown demand, and for a lower bound
 */
export function contractShareOf(demand: HomeDemand | undefined): number | undefined {
  if (!demand?.Limit || !isWholeDemand(demand)) return undefined
  const kW = demand.Forecast ?? demand.Rolling
  return kW === null ? undefined : kW / demand.Limit
}

/** Demand of a meter's running interval, kW. */
export interface RunningDemand {
  /** Mean of the 15 minutes that end with the last sample; null if unknown. */
  Rolling: number | null
  /** Demand at the end of the running interval if the power stays constant; null if unknown. */
  Forecast: number | null
}

/**
 * Computes the rolling demand of one meter and the forecast of the running 15-minute interval.
 *
 * samples  ascending, starting at least 15 minutes before the last; a counter that fell makes both unknown
 * power    W at the last sample; null uses the mean power of the rolling 15 minutes
 */
export function runningDemand(
  samples: readonly CounterSample[],
  power: number | null,
  now: number,
): RunningDemand {
  const last = samples.at(-1)
  const unknown = { Rolling: null, Forecast: null }
  if (!last || now - last.Timestamp > QUARTER_MS) return unknown
  if (samples.some(({ kWh }, i) => i > 0 && kWh < (samples[i - 1] as CounterSample).kWh)) return unknown
  const earlier = counterAt(samples, last.Timestamp - QUARTER_MS)
  const Rolling = earlier === null ? null : demandOf(last.kWh - earlier)
  const kw = power === null ? Rolling : power / 1000
  if (kw === null) return unknown
  const begin = Math.floor(now / QUARTER_MS) * QUARTER_MS
  // No sample within the interval yet: only the power is known.
  if (last.Timestamp <= begin) return { Rolling, Forecast: kw }
  const atBegin = counterAt(samples, begin)
  if (atBegin === null) return { Rolling, Forecast: kw }
  const remainingHours = (begin + QUARTER_MS - last.Timestamp) / 3_600_000
  return { Rolling, Forecast: demandOf(last.kWh - atBegin + kw * remainingHours) }
}
