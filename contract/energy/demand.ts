import { QUARTER_MS } from '../time/periods.ts'

/** A counter's value in kWh at a moment, epoch ms. */
export interface CounterSample {
  Timestamp: number
  kWh: number
}

/** kW that so many kWh in 15 minutes are. */
export const demandOf = (kWh: number): number => kWh * 4

/**
 * A counter's value at a moment, between two samples in proportion to time.
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

/** Demand of a home, and how many of the meters that make it report. */
interface HomeDemand {
  Rolling: number | null
  Forecast: number | null
  Limit: number | null
  Reporting: number
  Meters: number
}

/** Whether every meter that makes the total of a home reports; else its demand is a lower bound. */
export const isWholeDemand = ({ Reporting, Meters }: Pick<HomeDemand, 'Reporting' | 'Meters'>): boolean =>
  Meters > 0 && Reporting >= Meters

/**
 * Demand of a home as a share of its contract, 0..1 and above.
 *
 * returns  undefined without a contract, for an unknown demand, and for a lower bound: a part of the meters has no share
 */
export function contractShareOf(demand: HomeDemand | undefined): number | undefined {
  if (!demand?.Limit || !isWholeDemand(demand)) return undefined
  const kW = demand.Forecast ?? demand.Rolling
  return kW === null ? undefined : kW / demand.Limit
}

/** What a meter's running interval comes to. Demands in kW. */
export interface RunningDemand {
  /** Of the 15 minutes that end with the last sample; null when they are not known. */
  Rolling: number | null
  /** At the end of the running interval, if the power stays as it is; null when it is not known. */
  Forecast: number | null
}

/**
 * The rolling demand of one meter, and what the running interval (whole quarters of an hour) will come to.
 *
 * samples  ascending, from at least 15 minutes before the last; a counter that fell makes both unknown
 * power    W at the last sample; null takes the mean power of the rolling 15 minutes
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
  // A last sample from before the interval says nothing of it yet: the power is all there is.
  if (last.Timestamp <= begin) return { Rolling, Forecast: kw }
  const atBegin = counterAt(samples, begin)
  if (atBegin === null) return { Rolling, Forecast: kw }
  const rest = (begin + QUARTER_MS - last.Timestamp) / 3_600_000
  return { Rolling, Forecast: demandOf(last.kWh - atBegin + kw * rest) }
}
