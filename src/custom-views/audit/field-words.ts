import { useCallback } from 'react'
import type { Permission } from '../../../contract/kernel/permissions.ts'
import { resources } from '../../../contract/index.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'

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
  const { when } = useFormatWhen()
  return useCallback(
    (field, value) => {
      if (value === undefined || value === null || value === '') return undefined
      if (Array.isArray(value) && value.length === 0) return undefined
      if (typeof value === 'boolean') return t(value ? 'audit:yes' : 'audit:no')
      if (typeof value === 'number' && value >= MIN_TIMESTAMP_MS && IS_MOMENT.test(field)) return when(value)
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
      if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(comma)
      return typeof value === 'string' ? value : JSON.stringify(value)
    },
    [t, when],
  )
}
