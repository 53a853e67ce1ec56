import { z } from 'zod'

/** Where the next page of a list begins: opaque, as the last answer's NextCursor said it (protocol, Calls). */
export const Cursor = z.string().max(512)

/** What a list that pages takes beside its filters. Without Limit 50 rows come. */
export const PageInput = z.object({
  Cursor: Cursor.optional(),
  Limit: z.number().int().min(1).max(500).default(50),
})

/** One page of a list; NextCursor is null on the last one, Total counts all that the filters let through. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ Rows: z.array(row), NextCursor: Cursor.nullable(), Total: z.number().int() })
