import { foldText } from '../../contract/kernel/text.ts'
import { GatewayError } from '../kernel/errors.ts'
import { type Sql, raw, sql } from '../kernel/db.ts'

/** Last row of a page: its sort value, and its id. */
type CursorPosition = [string | number, string | number]

const writeCursor = (place: CursorPosition): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** Parses a cursor. Errors: INVALID with `{ Cursor: 'invalid' }`. */
function readCursor(text: string): CursorPosition {
  try {
    const place = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    const isPart = (part: unknown) =>
      (typeof part === 'string' && !part.includes('\0')) || Number.isSafeInteger(part)
    if (Array.isArray(place) && place.length === 2 && place.every(isPart)) return place as CursorPosition
  } catch {
    // Handled below.
  }
  throw new GatewayError('INVALID', 'This cursor is of no list', { Cursor: 'invalid' })
}

/**
 * Keyset pagination, so that a late page costs as much as the first one.
 *
 * by      sort expression and a unique id, both of a type that `cast` names
 */
export function paginate(options: {
  by: Sql
  cast: 'text' | 'bigint'
  id: Sql
  idCast?: 'text' | 'bigint'
  isDescending: boolean
  Cursor: string | undefined
  Limit: number
}) {
  const { by, cast, id, idCast = 'text', isDescending, Limit } = options
  const place = options.Cursor === undefined ? undefined : readCursor(options.Cursor)
  if (
    place &&
    ((cast === 'bigint' && typeof place[0] !== 'number') ||
      (idCast === 'bigint' && typeof place[1] !== 'number'))
  )
    throw new GatewayError('INVALID', 'This cursor is of another list', { Cursor: 'invalid' })
  return {
    /** Additional condition: rows after the cursor. */
    after: place
      ? sql`(${by}, ${id}) ${raw(isDescending ? '<' : '>')} (${place[0]}::${raw(cast)}, ${place[1]}::${raw(idCast)})`
      : sql`true`,
    /** Order with one row more than requested, which tells whether there is another page. */
    order: sql`order by ${by} ${raw(isDescending ? 'desc' : 'asc')}, ${id} ${raw(isDescending ? 'desc' : 'asc')} limit ${Limit + 1}::int`,
    /** Columns to select in addition to the record: the row's place. */
    place: sql`${by} as "placeBy", ${id} as "placeId"`,
    /** Rows and cursor of the answer. */
    toPage<Row extends object>(rows: (Row & { placeBy: string | number; placeId: string | number })[]) {
      const last = rows.length > Limit ? rows[Limit - 1] : undefined
      return {
        Rows: rows.slice(0, Limit).map(({ placeBy: _by, placeId: _id, ...row }) => row as unknown as Row),
        NextCursor: last ? writeCursor([last.placeBy, last.placeId]) : null,
      }
    },
  }
}

/** Condition that a folded text contains every word of a search; `%` and `_` in the search are literal. */
export const containsAllWords = (text: Sql, search: string): Sql =>
  foldText(search)
    .split(/\s+/)
    .filter(Boolean)
    .reduce((all, word) => sql`${all} and ${text} like ${`%${escapeLike(word)}%`}`, sql`true`)

export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`)
