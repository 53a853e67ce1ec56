import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { CEILING_KW, MAX_POWER_KW } from '../../../contract/meters/validate-readings.ts'
import { type DatedValue, valueOn } from '../../../contract/meters/meter-facts.ts'
import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import type { SignedIn } from '../../kernel/context.ts'
import { sql } from '../../kernel/db.ts'
import { upsertFact } from './meter-facts.ts'

/**
 * Power in W through a meter that measures only current, on a line with a configured voltage.
 *
 * amperes  mean current of the phases
 * line     Voltage in V, between the conductors on three phases; PhaseElectricPower 1 or 3, null counts as one
 * special  apparent power: the phase shift is unknown and not considered
 * source   §3 Voltage, PhaseElectricPower
 */
export const linePower = (
  amperes: number,
  line: { Voltage: number; PhaseElectricPower: 1 | 3 | null },
): number => amperes * line.Voltage * (line.PhaseElectricPower === 3 ? Math.sqrt(3) : 1)

/** Known limits of a meter's power; histories ascending, in kW. */
export interface KnownLimits {
  /** Entered by a person; null defers to the others. */
  limit?: readonly DatedValue<number | null>[] | undefined
  /** Rating of its device; null defers to the others. */
  rated?: readonly DatedValue<number | null>[] | undefined
  /** Derived from its readings. */
  learnt?: readonly DatedValue<number>[] | undefined
  role?: readonly DatedValue<MeterRole>[] | undefined
  /** Contract capacity of the home on a day, in kW; null if none is agreed. */
  contractOn?: ((day: number) => number | null) | undefined
  /** Days on which `contractOn` may change. */
  contractDays?: readonly number[] | undefined
}

/** Maximum power of a grid meter as a multiple of the contract. */
const TIMES_CONTRACT = 3

/**
 * Maximum power of a meter on a day, in kW: more is a fault, such as Wh taken for kWh. A value entered by a person takes precedence, then
 * the device's rating, then the larger of the learnt limit and the contract; the default is 10,000 kW. The contract alone limits only a
 * grid meter: others, such as a plant that sells all its energy, may exceed the purchased power.
 */
export function limitOf({ limit, rated, learnt, role, contractOn }: KnownLimits, day: number): number {
  const stated = (limit && valueOn(limit, day)) ?? (rated && valueOn(rated, day))
  if (stated !== null && stated !== undefined) return Math.min(CEILING_KW, stated)
  const counted = (learnt && valueOn(learnt, day)) ?? 0
  const isAtGrid = role !== undefined && valueOn(role, day) === 'gridImport'
  const contract = counted > 0 || isAtGrid ? (contractOn?.(day) ?? 0) : 0
  const known = Math.max(counted, contract * (isAtGrid ? TIMES_CONTRACT : 1))
  return Math.min(CEILING_KW, known === 0 ? MAX_POWER_KW : known)
}

/** Limits of a meter on the days from `first` through `last`, as `limitOf` computes them: that of the first day, and each change. */
export function limitsBetween(known: KnownLimits, first: number, last: number): DatedValue<number>[] {
  const { limit = [], rated = [], learnt = [], role = [], contractDays = [] } = known
  const changes = [limit, rated, learnt, role].flatMap((history) => history.map(({ from }) => from))
  const days = [...changes, ...contractDays].filter((day) => day > first && day <= last)
  return [...new Set([first, ...days])]
    .toSorted((a, b) => a - b)
    .map((day) => ({ from: day, value: limitOf(known, day) }))
}

/** Tolerance above a device's rating. */
const TIMES_RATED = 1.2
/** Line with the highest power, for a device without configured voltage and phases. */
const UNKNOWN_LINE = { Voltage: 400, PhaseElectricPower: 3 } as const

/** Maximum power of a meter from its rated current and line, in kW; null if the current is unknown. */
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

/** Number of days back to learn from. */
export const LEARNT_FROM_DAYS = 90
/** Minimum number of days, and of intervals with a reading of their own, to learn from. */
export const MIN_TRAINING_DATA = { days: 7, intervals: 100 } as const
/** Within a minute, a counter with coarse steps can move as much as in its highest quarter-hour: 15 times its power. */
const TIMES_HIGHEST = 20
const MIN_LEARNT_KW = 50
/** Minimum growth factor for a new learnt limit. */
const GROWTH = 1.25

/**
 * Learns a limit from the highest 15-minute interval that counted.
 *
 * highest  kWh
 * known    previously learnt limit, in kW
 * returns  kW; undefined if unchanged
 */
export function learnLimit(highest: number, known: number | undefined): number | undefined {
  const kw = Math.min(CEILING_KW, Math.max(MIN_LEARNT_KW, highest * 4 * TIMES_HIGHEST))
  return known === undefined || kw >= known * GROWTH ? kw : undefined
}

/**
 * Records the limit from a device's rating from tomorrow on, in local time, so that each day has a single limit. The caller holds the
 * lock of `lockMeterFacts`.
 */
export async function rateMeter(
  { db, actor, clock }: SignedIn,
  { before, after }: { before: Peripheral; after: Peripheral },
): Promise<void> {
  const [previous, current] = [ratedLimit(before), ratedLimit(after)]
  if (previous === current) return
  const { HomeID, PeripheralUID: MeterID } = after
  const [home] = await db.query<{ zone: string }>(
    sql`select time_zone as zone from homes where tenant = ${actor.tenant} and home_id = ${HomeID}`,
  )
  const at = clock.now()
  const from = dayOf(at, home?.zone ?? 'UTC') + 1
  await upsertFact(
    db,
    { tenant: actor.tenant, HomeID, MeterID },
    'rated',
    { from, value: current },
    { by: actor.name, at },
  )
}
