import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import type { BulkItem } from './bulk-run.ts'
import styles from './bulk.module.css'

/** Maximum number of names in a confirmation; the rest is shown as a count. */
const NAMED = 5

interface Question {
  title: string
  /** Consequence for the items, as a whole sentence. */
  why: string
  items: readonly BulkItem[]
  /** Further content below the names. */
  footer?: ReactNode
  ok: string
  run: () => void
}

/** Asks for confirmation before a destructive bulk action, and lists the items. */
export function confirmBulkAction({ title, why, items, footer, ok, run }: Question): void {
  const moreCount = items.length - NAMED
  confirm({
    title,
    content: (
      <>
        <p>{why}</p>
        <ul className={styles.asked}>
          {items.slice(0, NAMED).map(({ id, name }) => (
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
