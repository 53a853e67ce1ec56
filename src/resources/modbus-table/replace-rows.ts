import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'

/** Replaces the rows; asks for a confirmation if there are any. */
export function replaceRows(present: number, replace: () => void): void {
  if (present === 0) return replace()
  confirm({
    title: t('modbus:form.replaceTitle', { count: present }),
    okText: t('modbus:form.replace'),
    cancelText: t('screens:cancel'),
    onOk: replace,
  })
}
