import { App } from 'antd'
import { useT } from '../../lib/i18n/i18n.ts'

/** Asks before rows that are there are replaced; does it at once where there are none. */
export function useReplaceRows(): (present: number, replace: () => void) => void {
  const t = useT()
  const { modal } = App.useApp()
  return (present, replace) => {
    if (present === 0) return replace()
    void modal.confirm({
      title: t('modbus:form.replaceTitle', { count: present }),
      okText: t('modbus:form.replace'),
      cancelText: t('screens:cancel'),
      onOk: replace,
    })
  }
}
