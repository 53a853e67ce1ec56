import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/i18n.ts'
import { confirm } from '../../ui/page/dialogs.ts'
import type { BulkItem } from './bulk-run.ts'
import styles from './bulk.module.css'

/** Names that a question lists before it says how many more there are. */
const NAMED = 5

interface Question {
  title: string
  /** What will become of them: a whole sentence. */
  why: string
  items: readonly BulkItem[]
  /** What else there is to say, below their names. */
  below?: ReactNode
  ok: string
  run: () => void
}

/** Asks before something that hurts is done to many, and names them. */
export function confirmBulkAction({ title, why, items, below, ok, run }: Question): void {
  const more = items.length - NAMED
  confirm({
    title,
    content: (
      <>
        <p>{why}</p>
        <ul className={styles.asked}>
          {items.slice(0, NAMED).map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
          {more > 0 && <li>{t('lists:ask.more', { count: more })}</li>}
        </ul>
        {below}
      </>
    ),
    okText: ok,
    okButtonProps: { danger: true },
    cancelText: t('screens:cancel'),
    onOk: run,
  })
}
