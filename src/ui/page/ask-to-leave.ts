import type { useT } from '../../lib/i18n/i18n.ts'
import { confirm, type Dialog } from './dialogs.ts'

/** What somebody is asked who is about to leave. */
export interface LeaveWords {
  title: string
  text: string
  leave: string
}

/** Asks whoever would lose edits by leaving; Enter stays. */
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
