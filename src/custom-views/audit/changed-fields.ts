import type { AuditRow } from '../../../contract/procedures/audit.ts'

export interface ChangedField {
  field: string
  /** As text; undefined where the record had no such field, or was not there. */
  before: string | undefined
  after: string | undefined
  changed: boolean
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : value === null || value === undefined
      ? {}
      : { '': value }

const textOf = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

/**
 * The fields of a record before and after, those that changed first. A call that tells of no record is shown by what was
 * sent.
 */
export function changedFields({
  Before,
  After,
  Input,
}: Pick<AuditRow, 'Before' | 'After' | 'Input'>): ChangedField[] {
  const told = (Before ?? After) != null
  const before = fieldsOf(Before)
  const after = fieldsOf(told ? After : Input)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => {
      const [was, is] = [textOf(before[field]), textOf(after[field])]
      return { field, before: was, after: is, changed: was !== is }
    })
    .sort((a, b) => Number(b.changed) - Number(a.changed))
}
