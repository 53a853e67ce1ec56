import { parseDay, QUARTER_MS, toEpoch } from '../../contract/time/periods.ts'
import { formatWall } from './export/table.ts'

/** Value of a date and time field on the home's clock: "2026-03-04T14:30". */
export const toWallTimeInput = (timestamp: number, zone: string): string =>
  formatWall(timestamp, zone).slice(0, 16).replace(' ', 'T')

/** Time of such a value, epoch ms; undefined if it is incomplete. */
export function fromWallTimeInput(text: string, zone: string): number | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/.exec(text)
  if (!parts) return undefined
  const [, date = '', hours, minutes] = parts
  const at = toEpoch(parseDay(date), Number(hours) * 60 + Number(minutes), zone)
  return Number.isFinite(at) ? at : undefined
}

/** Start of the quarter of an hour that contains a time, epoch ms. */
export const quarterStart = (timestamp: number): number => Math.floor(timestamp / QUARTER_MS) * QUARTER_MS
