import { App } from 'antd'
import { useT } from '../../providers/i18n.ts'

/** Asks before a dry contact moves: it may start or stop a machine (experience, Devices 8). */
export function useConfirmContact(): (wanted: 0 | 1, act: () => void) => void {
  const t = useT()
  const { modal } = App.useApp()
  return (wanted, act) =>
    void modal.confirm({
      title: t(wanted === 1 ? 'devices:confirm.closeContact' : 'devices:confirm.openContact'),
      content: t('devices:confirm.contactNote'),
      okText: t(wanted === 1 ? 'devices:confirm.close' : 'devices:confirm.open'),
      cancelText: t('screens:cancel'),
      okButtonProps: { danger: true },
      onOk: act,
    })
}
