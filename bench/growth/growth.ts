import { events } from './events.ts'
import { months } from './months.ts'
import { tables } from './tables.ts'

export const name = 'growth'
export const bar =
  'a command stored, moved and found among five months: at most 1.5 times as long as in one table that is not divided'

/** Bytes per row of each growing table, and costs and savings of partitioning by month. */
export const parts = { tables, months, events }
