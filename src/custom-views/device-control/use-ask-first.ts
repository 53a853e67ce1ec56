import { App } from 'antd'
import type { Capability } from '../../../contract/device-kinds/capability.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Asks before an output moves that may start or stop a machine (experience, Devices 8); others act at once. */
export function useAskFirst({
  asksFirst,
}: Pick<Capability, 'asksFirst'>): (wanted: unknown, act: () => void) => void {
  const t = useT()
  const { modal } = App.useApp()
  return (wanted, act) => {
    if (!asksFirst) return act()
    void modal.confirm({
      title: t(wanted === 1 ? 'devices:confirm.closeContact' : 'devices:confirm.openContact'),
      content: t('devices:confirm.contactNote'),
      okText: t(wanted === 1 ? 'devices:confirm.close' : 'devices:confirm.open'),
      cancelText: t('screens:cancel'),
      okButtonProps: { danger: true },
      onOk: act,
    })
  }
}
