import { z } from 'zod'

/** Opaque start of the next page of a list: the NextCursor of the previous answer (protocol, Calls). */
export const Cursor = z.string().max(512)

/** Input of a paged list in addition to its filters. Limit defaults to 50 rows. */
export const PageInput = z.object({
  Cursor: Cursor.optional(),
  Limit: z.number().int().min(1).max(500).default(50),
})

/** One page of a list. NextCursor is null on the last page; Total counts all rows that match the filters. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ Rows: z.array(row), NextCursor: Cursor.nullable(), Total: z.number().int() })
