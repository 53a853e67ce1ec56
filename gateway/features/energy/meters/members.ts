import { numberArray } from '../../../store/array-literal.ts'
import { type Sql, sql } from '../../../kernel/db.ts'

/** A meter as part of a line of the answer. A meter may be part of several lines. */
export interface Member {
  meterId: number
  /** Index of the line. */
  line: number
  /** 1 (added) or -1 (subtracted) in a total; any integer in a division that contains virtual meters. */
  weight: number
  /** Whether the meter was removed: after its last interval nothing counts as missing. */
  removed: boolean
  /** First day on which it is a part, and the day after the last; absent if it always is. */
  days?: readonly [from: number, to: number]
}

/** Day numbers beyond every real day. */
export const [EARLIEST, LATEST] = [-2_000_000_000, 2_000_000_000]

/** Members as a table `g (meter_id, line, weight, removed, from_day, to_day)`. */
export const tableOf = (members: readonly Member[]): Sql => sql`unnest(
  ${numberArray(members.map(({ meterId }) => meterId))}::int[], ${numberArray(members.map(({ line }) => line))}::int[],
  ${numberArray(members.map(({ weight }) => weight))}::float8[],
  ${numberArray(members.map(({ removed }) => Number(removed)))}::int[],
  ${numberArray(members.map(({ days }) => days?.[0] ?? EARLIEST))}::int[],
  ${numberArray(members.map(({ days }) => days?.[1] ?? LATEST))}::int[])
  as g (meter_id, line, weight, removed, from_day, to_day)`
