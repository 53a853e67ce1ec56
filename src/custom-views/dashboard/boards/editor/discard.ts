import { t } from '../../../../lib/i18n/i18n.ts'
import { confirm } from '../../../../ui/page/dialogs.ts'

/** Ends arranging without saving; asks first where something would be lost. */
export function discard(dirty: boolean, close: () => void): void {
  if (!dirty) return close()
  confirm({
    title: t('shell:unsaved.title'),
    content: t('boards:discard'),
    okText: t('boards:discardIt'),
    okButtonProps: { danger: true },
    cancelText: t('shell:unsaved.stay'),
    onOk: close,
  })
}
