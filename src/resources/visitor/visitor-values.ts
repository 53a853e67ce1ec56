import dayjs, { type Dayjs } from 'dayjs'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { formatPhone } from '../../../contract/access-control/access-pass.ts'
import { formatDay, parseDay, toEpoch, toWallTime } from '../../../contract/time/periods.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'

const MINUTE = 60_000

/** Values of the visit form; the time window is one field. */
export interface VisitorValues {
  VisitorName: string
  Company: string
  Email: string
  Phone: string
  Ext: string
  HostEmployeeID: string | null
  Purpose: string
  Window: [Dayjs, Dayjs]
}

/** Form field of each call field. */
export const FIELD_NAMES = { ValidFrom: 'Window', ValidUntil: 'Window' } as const

/** Conversion between timestamps and the wall time of a zone, as pickers use it. */
function pickedAt(timestamp: number, zone: string): Dayjs {
  const { day, minute } = toWallTime(timestamp, zone)
  return dayjs(formatDay(day))
    .hour(Math.floor(minute / 60))
    .minute(minute % 60)
    .add(timestamp % MINUTE, 'ms')
}
const momentOf = (date: Dayjs, zone: string): number =>
  toEpoch(parseDay(date.format('YYYY-MM-DD')), date.hour() * 60 + date.minute(), zone) +
  date.second() * 1000 +
  date.millisecond()

export const fromVisitor = (row: VisitorRow, zone: string): VisitorValues => ({
  VisitorName: row.VisitorName,
  Company: row.Company,
  Email: row.Email,
  Phone: formatPhone(row.Phone),
  Ext: row.Ext,
  HostEmployeeID: row.HostEmployeeID,
  Purpose: row.Purpose,
  Window: [pickedAt(row.ValidFrom, zone), pickedAt(row.ValidUntil, zone)],
})

/** Default visit: today, from the current quarter hour until the evening. */
export function newVisit(zone: string): Partial<VisitorValues> {
  const now = pickedAt(gatewayNow(), zone)
  const from = now.minute(Math.floor(now.minute() / 15) * 15).startOf('minute')
  const evening = now.hour(18).startOf('hour')
  return {
    Company: '',
    Ext: '',
    HostEmployeeID: null,
    Purpose: '',
    Window: [from, evening.isAfter(now.add(1, 'hour')) ? evening : from.add(2, 'hour')],
  }
}

/** Call input from the form's values. */
export function toVisitor(values: Record<string, unknown>, zone: string) {
  const { Window, ...rest } = values as unknown as VisitorValues
  return {
    VisitorName: rest.VisitorName,
    Company: rest.Company ?? '',
    Email: rest.Email,
    Phone: rest.Phone,
    Ext: rest.Ext ?? '',
    HostEmployeeID: rest.HostEmployeeID ?? null,
    Purpose: rest.Purpose ?? '',
    ValidFrom: momentOf(Window[0], zone),
    ValidUntil: momentOf(Window[1], zone),
  }
}
