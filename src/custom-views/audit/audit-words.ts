import { useCallback } from 'react'
import type { Permission } from '../../../contract/kernel/permissions.ts'
import { resources } from '../../../contract/index.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import type { AuditRow } from '../../../contract/people/audit-calls.ts'
import { displayName } from '../../../contract/kernel/text.ts'

/** Records whose fields have labels, in order of precedence: a name that several share means the same in all of them. */
const RECORDS = ['user', 'home', 'room', 'thing', 'peripheral', 'department', 'company', 'modbusTable']
const ALL_RECORDS = new Set([...RECORDS, ...Object.keys(resources)])

/** Label of a record's field; undefined if no screen shows it. */
export function useAuditFieldWords(): (field: string) => string | undefined {
  const t = useT()
  return useCallback(
    (field) => {
      const keys = [
        `audit:fields.${field}`,
        `access:fields.${field}`,
        ...[...ALL_RECORDS].map((record) => `resources:${record}.fields.${field}`),
      ]
      const key = keys.find(hasText)
      return key && t(key)
    },
    [t],
  )
}

/** Names of timestamp fields. */
const IS_MOMENT = /(?:Timestamp|At|ValidFrom|ValidUntil)$/
/** Smaller numbers are not timestamps of this century. */
const MIN_TIMESTAMP_MS = 946_684_800_000

/** Text for a field's value: timestamps as local time, rights by feature, booleans as yes and no; others as sent, undefined if empty. */
export function useAuditValueWords(): (field: string, value: unknown) => string | undefined {
  const t = useT()
  const { fullWhen } = useFormatWhen()
  return useCallback(
    (field, value) => {
      if (value === undefined || value === null || value === '') return undefined
      if (Array.isArray(value) && value.length === 0) return undefined
      if (typeof value === 'boolean') return t(value ? 'audit:yes' : 'audit:no')
      if (typeof value === 'number' && value >= MIN_TIMESTAMP_MS && IS_MOMENT.test(field))
        return fullWhen(value)
      const comma = t('screens:listComma')
      if (field === 'Permissions' && Array.isArray(value))
        return (value as readonly Permission[])
          .map(({ FeatureKey, OperationList }) =>
            t('resources:user.matrix.cell', {
              feature: t(`shell:features.${FeatureKey}`),
              operation: OperationList.map((operation) => t(`shell:operations.${operation}`)).join(comma),
            }),
          )
          .join('\n')
      if (Array.isArray(value) && value.every((element) => typeof element === 'string'))
        return value.join(comma)
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    [t, fullWhen],
  )
}

export interface ChangedField {
  field: string
  /** Undefined if the field or the record did not exist. */
  before: unknown
  after: unknown
  changed: boolean
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : value === null || value === undefined
      ? {}
      : { '': value }

/** Counters of a record's changes, which the log row itself represents. */
const COUNTER_FIELDS = new Set(['Version', 'Sequence'])

/** Fields of a record before and after, changed ones first. A call without a record shows its input. */
export function changedFields({
  Before,
  After,
  Input,
}: Pick<AuditRow, 'Before' | 'After' | 'Input'>): ChangedField[] {
  const hasRecord = (Before ?? After) != null
  const before = fieldsOf(Before)
  const after = fieldsOf(hasRecord ? After : Input)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !COUNTER_FIELDS.has(field))
    .map((field) => {
      const [previous, is] = [before[field], after[field]]
      return { field, before: previous, after: is, changed: JSON.stringify(previous) !== JSON.stringify(is) }
    })
    .sort((a, b) => Number(b.changed) - Number(a.changed))
}

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
}: Pick<AuditRow, 'Before' | 'After' | 'Input'>): { name: string; moreCount: number } | undefined {
  for (const record of [After, Before, Input]) {
    const named = nameIn(record)
    if (named) return named
  }
  return undefined
}

function nameIn(value: unknown): { name: string; moreCount: number } | undefined {
  if (Array.isArray(value)) {
    const first = nameIn(value[0])
    return first && { name: first.name, moreCount: value.length - 1 }
  }
  if (typeof value !== 'object' || value === null) return undefined
  const record = value as Record<string, unknown>
  if (isPerson(record)) return { name: displayName(record), moreCount: 0 }
  for (const field of NAMES) {
    const name = record[field]
    if (typeof name === 'string' && name !== '') return { name, moreCount: 0 }
  }
  return undefined
}

type Person = Parameters<typeof displayName>[0]
const isPerson = (record: Record<string, unknown>): record is Record<string, unknown> & Person =>
  ['FirstName', 'LastName', 'Email'].every((field) => typeof record[field] === 'string')
