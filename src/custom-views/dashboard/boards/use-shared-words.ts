import type { Shared } from '../../../../contract/dashboards/dashboard.ts'
import { useT } from '../../../lib/i18n/i18n.ts'

export function useSharedWords(): (shared: Shared) => string {
  const t = useT()
  return ({ Everyone, DepartmentIDs }) =>
    Everyone
      ? t('boards:sharedWith.everyone')
      : DepartmentIDs.length > 0
        ? t('boards:sharedWith.departments', { count: DepartmentIDs.length })
        : t('boards:sharedWith.nobody')
}
