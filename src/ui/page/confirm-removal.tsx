import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { describeRefusal } from '../../data/failure.ts'
import { confirm } from './dialogs.ts'

interface Removal {
  name: string
  /** Consequence of the deletion for dependent data, as a whole sentence. */
  consequence?: ReactNode
  remove: () => Promise<unknown>
}

/** Asks for confirmation before deleting: shows the name and the consequence. An error is shown on the page. */
export function confirmRemoval({ name, consequence, remove }: Removal): void {
  confirm({
    title: t('screens:remove.title', { name }),
    content: consequence ?? t('screens:remove.final'),
    okText: t('screens:remove.ok'),
    okButtonProps: { danger: true },
    cancelText: t('screens:cancel'),
    onOk: async () => {
      try {
        await remove()
        notices.success(() => t('screens:remove.done', { name }))
      } catch (error) {
        notices.error(() => describeRefusal(error))
      }
    },
  })
}
