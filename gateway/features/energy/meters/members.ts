import { numberArray } from '../../../store/array-literal.ts'
import { type Sql, sql } from '../../../store/db.ts'

/** A meter as part of a line of the answer. A meter may be part of several. */
export interface Member {
  meterId: number
  /** Which line. */
  line: number
  /** Added (1) or taken away (-1). Once in what makes a total; of a division with virtual meters it may be any whole number. */
  weight: number
  /** Whether it is a device no more: then only what it left is missing where it left gaps. */
  removed: boolean
  /** The first day on which it is part, and the day after the last; left out for one that always is. */
  days?: readonly [from: number, to: number]
}

/** Bounds beyond every day. */
export const [EARLIEST, LATEST] = [-2_000_000_000, 2_000_000_000]

/** Members as a table `g (meter_id, line, weight, removed, from_day, to_day)`. */
export const tableOf = (members: readonly Member[]): Sql => sql`unnest(
  ${numberArray(members.map(({ meterId }) => meterId))}::int[], ${numberArray(members.map(({ line }) => line))}::int[],
  ${numberArray(members.map(({ weight }) => weight))}::float8[],
  ${numberArray(members.map(({ removed }) => Number(removed)))}::int[],
  ${numberArray(members.map(({ days }) => days?.[0] ?? EARLIEST))}::int[],
  ${numberArray(members.map(({ days }) => days?.[1] ?? LATEST))}::int[])
  as g (meter_id, line, weight, removed, from_day, to_day)`
