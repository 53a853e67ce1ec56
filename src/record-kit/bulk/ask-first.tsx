import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import type { BulkItem } from './bulk-run.ts'
import page from '../../ui/page/page.module.css'

/** Maximum number of names in a confirmation; the rest is shown as a count. */
const MAX_NAMED = 5

interface Question {
  title: string
  /** Consequence for the items, as a whole sentence. */
  reason: string
  items: readonly BulkItem[]
  /** Further content below the names. */
  footer?: ReactNode
  ok: string
  run: () => void
}

/** Asks for confirmation before a destructive bulk action, and lists the items. */
export function confirmBulkAction({ title, reason, items, footer, ok, run }: Question): void {
  const moreCount = items.length - MAX_NAMED
  confirm({
    title,
    content: (
      <>
        <p>{reason}</p>
        <ul className={page.bullets}>
          {items.slice(0, MAX_NAMED).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {moreCount > 0 && <li>{t('lists:ask.more', { count: moreCount })}</li>}
        </ul>
        {footer}
      </>
    ),
    okText: ok,
    okButtonProps: { danger: true },
    cancelText: t('screens:cancel'),
    onOk: run,
  })
}
