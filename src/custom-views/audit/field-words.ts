import { useCallback } from 'react'
import type { Permission } from '../../../contract/kernel/permissions.ts'
import { resources } from '../../../contract/index.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'

/** Whose fields have names, the more telling first: a name that several share means the same to all of them. */
const RECORDS = ['user', 'home', 'room', 'thing', 'peripheral', 'department', 'company', 'modbusTable']
const ALL_RECORDS = new Set([...RECORDS, ...Object.keys(resources)])

/** What a field of a record is called on the screens; undefined for one that no screen shows. */
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

/** Moments, by how their fields are named. */
const IS_MOMENT = /(?:Timestamp|At|ValidFrom|ValidUntil)$/
/** Smaller numbers are no moments of this century, ms. */
const MIN_TIMESTAMP_MS = 946_684_800_000

/**
 * A value of a record in words: moments on the wall's clock, rights by feature, switches as yes and no; anything else as it was
 * sent, and undefined for nothing.
 */
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
