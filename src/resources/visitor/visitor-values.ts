import dayjs, { type Dayjs } from 'dayjs'
import type { VisitorRow } from '../../../contract/resources/visitor.ts'
import { formatPhone } from '../../../contract/rules/access-pass.ts'

/** What the form of a visit holds: the window as one field. */
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

/** The field of the form that a field of the call stands in. */
export const FIELD_NAMES = { ValidFrom: 'Window', ValidUntil: 'Window' } as const

export const fromVisitor = (row: VisitorRow): VisitorValues => ({
  VisitorName: row.VisitorName,
  Company: row.Company,
  Email: row.Email,
  Phone: formatPhone(row.Phone),
  Ext: row.Ext,
  HostEmployeeID: row.HostEmployeeID,
  Purpose: row.Purpose,
  Window: [dayjs(row.ValidFrom), dayjs(row.ValidUntil)],
})

/** A visit of today, from the present quarter of an hour until the evening. */
export function newVisit(now = dayjs()): Partial<VisitorValues> {
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

/** What the call is told of the form's values. */
export function toVisitor(values: Record<string, unknown>) {
  const { Window, ...rest } = values as unknown as VisitorValues
  return {
    VisitorName: rest.VisitorName,
    Company: rest.Company ?? '',
    Email: rest.Email,
    Phone: rest.Phone,
    Ext: rest.Ext ?? '',
    HostEmployeeID: rest.HostEmployeeID ?? null,
    Purpose: rest.Purpose ?? '',
    ValidFrom: Window[0].valueOf(),
    ValidUntil: Window[1].valueOf(),
  }
}
