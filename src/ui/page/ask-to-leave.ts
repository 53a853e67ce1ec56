import type { useT } from '../../lib/i18n/i18n.ts'
import { confirm, type Dialog } from './dialogs.ts'

/** Texts of the confirmation before leaving. */
export interface LeaveWords {
  title: string
  text: string
  leave: string
}

/** Asks for confirmation before edits are lost; Enter stays. */
export const confirmLeave = (
  t: ReturnType<typeof useT>,
  leave: () => void,
  words: LeaveWords = {
    title: t('shell:unsaved.title'),
    text: t('shell:unsaved.text'),
    leave: t('shell:unsaved.leave'),
  },
): Dialog =>
  confirm({
    title: words.title,
    content: words.text,
    okText: words.leave,
    okButtonProps: { danger: true },
    cancelText: t('shell:unsaved.stay'),
    onOk: leave,
  })
