import type { ScannerWithState } from '../../../contract/resources/scanner.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FieldWords } from '../../record-kit/record-conflict.tsx'

/** What the form of a scanner says, in words. */
export function useScannerWords(): FieldWords<ScannerWithState> {
  const t = useT()
  const yesOrNo = (is: boolean) => t(is ? 'access:scanner.yes' : 'access:scanner.no')
  return [
    { label: t('access:fields.ScannerName'), of: (row) => row.ScannerName },
    { label: t('access:fields.Direction'), of: (row) => t(`access:directions.${row.Direction}`) },
    { label: t('access:fields.AllEmployees'), of: (row) => yesOrNo(row.AllEmployees) },
    { label: t('access:fields.AllowVisitors'), of: (row) => yesOrNo(row.AllowVisitors) },
  ]
}
