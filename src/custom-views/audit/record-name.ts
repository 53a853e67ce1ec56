import type { AuditRow } from '../../../contract/people/audit-calls.ts'
import { displayName } from '../../../contract/kernel/text.ts'

/** Fields that identify a record to people, in order of precedence. */
const NAMES = [
  'AutomationName',
  'SceneName',
  'GroupName',
  'MeasureName',
  'ReportPlanName',
  'ChannelName',
  'VirtualMeterName',
  'FloorName',
  'PeripheralName',
  'RoomName',
  'DeviceName',
  'ConferenceRoomName',
  'Subject',
  'VisitorName',
  'EmployeeName',
  'ScannerName',
  'TableName',
  'TariffName',
  'Department',
  'Email',
  'FileName',
  'HomeName',
  'CompanyName',
  // Name of a dashboard.
  'Name',
  'PeripheralUID',
  'ThingName',
] as const

/**
 * Name of the record that a call changed: after the change, before it, or as sent. For a list, the first one's name and the number of
 * others; undefined if there is no name.
 */
export function recordName({
  Before,
  After,
  Input,
}: Pick<AuditRow, 'Before' | 'After' | 'Input'>): { name: string; more: number } | undefined {
  for (const told of [After, Before, Input]) {
    const found = nameIn(told)
    if (found) return found
  }
  return undefined
}

function nameIn(told: unknown): { name: string; more: number } | undefined {
  if (Array.isArray(told)) {
    const first = nameIn(told[0])
    return first && { name: first.name, more: told.length - 1 }
  }
  if (typeof told !== 'object' || told === null) return undefined
  const record = told as Record<string, unknown>
  if (isPerson(record)) return { name: displayName(record), more: 0 }
  for (const field of NAMES) {
    const name = record[field]
    if (typeof name === 'string' && name !== '') return { name, more: 0 }
  }
  return undefined
}

type Person = Parameters<typeof displayName>[0]
const isPerson = (record: Record<string, unknown>): record is Record<string, unknown> & Person =>
  ['FirstName', 'LastName', 'Email'].every((field) => typeof record[field] === 'string')
