import type { AuditRow } from '../../../contract/people/audit-calls.ts'

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
const COUNTED = new Set(['Version', 'Sequence'])

/** Fields of a record before and after, changed ones first. A call without a record shows its input. */
export function changedFields({
  Before,
  After,
  Input,
}: Pick<AuditRow, 'Before' | 'After' | 'Input'>): ChangedField[] {
  const told = (Before ?? After) != null
  const before = fieldsOf(Before)
  const after = fieldsOf(told ? After : Input)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => !COUNTED.has(field))
    .map((field) => {
      const [was, is] = [before[field], after[field]]
      return { field, before: was, after: is, changed: JSON.stringify(was) !== JSON.stringify(is) }
    })
    .sort((a, b) => Number(b.changed) - Number(a.changed))
}
