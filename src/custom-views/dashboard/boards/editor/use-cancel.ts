import { App } from 'antd'
import { useT } from '../../../../lib/i18n/i18n.ts'

/** Ends arranging without saving; asks first where something would be lost. */
export function useCancel(dirty: boolean, close: () => void): () => void {
  const t = useT()
  const { modal } = App.useApp()
  return () => {
    if (!dirty) return close()
    void modal.confirm({
      title: t('shell:unsaved.title'),
      content: t('boards:discard'),
      okText: t('boards:discardIt'),
      okButtonProps: { danger: true },
      cancelText: t('shell:unsaved.stay'),
      autoFocusButton: 'cancel',
      onOk: close,
    })
  }
}
