import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { CEILING_KW, MAX_POWER_KW } from '../../../contract/meters/validate-readings.ts'
import { linePower } from './line-power.ts'
import { type DatedValue, valueOn } from '../../../contract/meters/meter-facts.ts'
import type { MeterRole } from '../../../contract/devices/meter-roles.ts'

/** What is known of the most that a meter may pass; histories ascending, in kW. */
export interface KnownLimits {
  /** What a person says; null leaves it to the rest. */
  limit?: readonly DatedValue<number | null>[] | undefined
  /** What its device is rated for; null leaves it to the rest. */
  rated?: readonly DatedValue<number | null>[] | undefined
  /** What its readings say. */
  learnt?: readonly DatedValue<number>[] | undefined
  role?: readonly DatedValue<MeterRole>[] | undefined
  /** What the home has agreed with its supplier on a day, in kW; null where nothing is agreed. */
  contractOn?: ((day: number) => number | null) | undefined
}

/** A meter at the grid may pass so many times what is agreed. */
const TIMES_CONTRACT = 3

/**
 * The most that a meter may pass on a day, in kW: more is no energy but a fault, such as Wh taken for kWh. A person's word
 * comes first, then what the device is rated for, then the larger of what was learnt and the contract; the last resort is 10,000 kW.
 * The contract alone limits only a meter at the grid: others, such as a plant that sells all its energy, may pass more than is bought.
 */
export function limitOf({ limit, rated, learnt, role, contractOn }: KnownLimits, day: number): number {
  const said = (limit && valueOn(limit, day)) ?? (rated && valueOn(rated, day))
  if (said !== null && said !== undefined) return Math.min(CEILING_KW, said)
  const counted = (learnt && valueOn(learnt, day)) ?? 0
  const isAtGrid = role !== undefined && valueOn(role, day) === 'gridImport'
  const contract = counted > 0 || isAtGrid ? (contractOn?.(day) ?? 0) : 0
  const known = Math.max(counted, contract * (isAtGrid ? TIMES_CONTRACT : 1))
  return Math.min(CEILING_KW, known === 0 ? MAX_POWER_KW : known)
}

/** A device may pass a little more than it is rated for. */
const TIMES_RATED = 1.2
/** The line that lets a device pass most, where nobody has said on which it sits. */
const UNKNOWN_LINE = { Voltage: 400, PhaseElectricPower: 3 } as const

/** What a meter of some A may pass on its line, in kW; null where its current is not known. */
export const ratedLimit = ({
  RatedCurrent,
  Voltage,
  PhaseElectricPower,
}: Pick<Peripheral, 'RatedCurrent' | 'Voltage' | 'PhaseElectricPower'>): number | null =>
  RatedCurrent === null
    ? null
    : (linePower(RatedCurrent, {
        Voltage: Voltage ?? UNKNOWN_LINE.Voltage,
        PhaseElectricPower: PhaseElectricPower ?? UNKNOWN_LINE.PhaseElectricPower,
      }) *
        TIMES_RATED) /
      1000

/** What is learnt from: so many days back. */
export const LEARNT_FROM_DAYS = 90
/** Less than so many days, or intervals with a reading of their own, say nothing of a meter. */
export const MIN_TRAINING_DATA = { days: 7, intervals: 100 } as const
/** Within a minute a counter with coarse steps moves as in its highest quarter of an hour: 15 times its power. */
const TIMES_HIGHEST = 20
const LEAST_KW = 50
/** More is learnt when it is so many times what was. */
const GROWTH = 1.25

/**
 * What the highest interval of 15 minutes that counted says of a meter.
 *
 * highest  kWh
 * known    what was learnt before, in kW
 * returns  kW; undefined where it says nothing new
 */
export function learnLimit(highest: number, known: number | undefined): number | undefined {
  const kw = Math.min(CEILING_KW, Math.max(LEAST_KW, highest * 4 * TIMES_HIGHEST))
  return known === undefined || kw >= known * GROWTH ? kw : undefined
}
