import { foldText } from '../../contract/kernel/fold-text.ts'
import { GatewayError } from '../kernel/errors.ts'
import { type Sql, raw, sql } from './db.ts'

/** The row that a page ended with: what it is sorted by, and its id. */
type Place = [string | number, string | number]

const writeCursor = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** Errors: INVALID with `{ Cursor: 'invalid' }` for a cursor that no list has said. */
function readCursor(text: string): Place {
  try {
    const place = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    const isPart = (part: unknown) =>
      (typeof part === 'string' && !part.includes('\0')) || Number.isSafeInteger(part)
    if (Array.isArray(place) && place.length === 2 && place.every(isPart)) return place as Place
  } catch {
    // Said below.
  }
  throw new GatewayError('INVALID', 'This cursor is of no list', { Cursor: 'invalid' })
}

/**
 * A page of a list by its keys, so that a page deep down costs what the first one does.
 *
 * by      what the list is sorted by and an id that tells equal rows apart, both of a type that `cast` names
 */
export function paginate(options: {
  by: Sql
  cast: 'text' | 'bigint'
  id: Sql
  idCast?: 'text' | 'bigint'
  descending: boolean
  Cursor: string | undefined
  Limit: number
}) {
  const { by, cast, id, idCast = 'text', descending, Limit } = options
  const place = options.Cursor === undefined ? undefined : readCursor(options.Cursor)
  if (
    place &&
    ((cast === 'bigint' && typeof place[0] !== 'number') ||
      (idCast === 'bigint' && typeof place[1] !== 'number'))
  )
    throw new GatewayError('INVALID', 'This cursor is of another list', { Cursor: 'invalid' })
  return {
    /** A further condition: the rows after the cursor. */
    after: place
      ? sql`(${by}, ${id}) ${raw(descending ? '<' : '>')} (${place[0]}::${raw(cast)}, ${place[1]}::${raw(idCast)})`
      : sql`true`,
    /** One row more than asked for, which tells whether there is another page. */
    order: sql`order by ${by} ${raw(descending ? 'desc' : 'asc')}, ${id} ${raw(descending ? 'desc' : 'asc')} limit ${Limit + 1}::int`,
    /** What the rows are selected with beside the record: their place. */
    place: sql`${by} as "placeBy", ${id} as "placeId"`,
    /** The answer's rows and cursor. */
    answer<Row extends object>(found: (Row & { placeBy: string | number; placeId: string | number })[]) {
      const last = found.length > Limit ? found[Limit - 1] : undefined
      return {
        Rows: found.slice(0, Limit).map(({ placeBy: _by, placeId: _id, ...row }) => row as unknown as Row),
        NextCursor: last ? writeCursor([last.placeBy, last.placeId]) : null,
      }
    },
  }
}

/** A condition that a folded text contains every word of a search; the search's own `%` and `_` mean themselves. */
export const containsAllWords = (text: Sql, search: string): Sql =>
  foldText(search)
    .split(/\s+/)
    .filter(Boolean)
    .reduce((all, word) => sql`${all} and ${text} like ${`%${escapeLike(word)}%`}`, sql`true`)

/** A text that stands for itself in LIKE. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`)
