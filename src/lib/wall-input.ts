import { toEpoch } from '../../contract/time/wall-time.ts'
import { parseDay, QUARTER_MS } from '../../contract/time/periods.ts'
import { formatWall } from './export/table.ts'

/** A moment as a field for date and time holds it, on the home's clock: "2026-03-04T14:30". */
export const toWallTimeInput = (timestamp: number, zone: string): string =>
  formatWall(timestamp, zone).slice(0, 16).replace(' ', 'T')

/** The moment that such a field says, in epoch ms; undefined while it says none. */
export function fromWallTimeInput(text: string, zone: string): number | undefined {
  const parts = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})$/.exec(text)
  if (!parts) return undefined
  const [, date = '', hours, minutes] = parts
  const at = toEpoch(parseDay(date), Number(hours) * 60 + Number(minutes), zone)
  return Number.isFinite(at) ? at : undefined
}

/** The whole quarter of an hour that a moment lies in begins. */
export const quarterStart = (timestamp: number): number => Math.floor(timestamp / QUARTER_MS) * QUARTER_MS
