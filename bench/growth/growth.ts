import { events } from './events.ts'
import { months } from './months.ts'
import { tables } from './tables.ts'

export const name = 'growth'
export const bar =
  'a command stored, moved and found among five months: at most 1.5 times as long as in one table that is not divided'

/** What the database takes of each row of what grows, and what dividing by months costs and saves. */
export const parts = { tables, months, events }
