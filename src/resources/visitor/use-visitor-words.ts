import type { VisitorRow } from '../../../contract/resources/visitor.ts'
import { formatPhone } from '../../../contract/rules/access-pass.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FieldWords } from '../../record-kit/record-conflict.tsx'
import { useFormatWhen } from '../../ui/page/format-when.ts'

/** What the form of a visit says, in words. */
export function useVisitorWords(): FieldWords<VisitorRow> {
  const t = useT()
  const { span } = useFormatWhen()
  return [
    { label: t('access:fields.Email'), of: (row) => row.Email },
    { label: t('access:fields.Phone'), of: (row) => formatPhone(row.Phone) },
    { label: t('access:fields.VisitorName'), of: (row) => row.VisitorName },
    { label: t('access:fields.Company'), of: (row) => row.Company },
    { label: t('access:fields.Ext'), of: (row) => row.Ext },
    { label: t('access:fields.HostEmployeeID'), of: (row) => row.HostName },
    { label: t('access:fields.Window'), of: (row) => span(row.ValidFrom, row.ValidUntil) },
    { label: t('access:fields.Purpose'), of: (row) => row.Purpose },
  ]
}
