import type { ReactNode } from 'react'
import { Page } from './page.tsx'
import styles from './page.module.css'

/** Page that only says something, e.g. that a record does not exist, with its next steps. */
export function MessagePage(props: {
  title: string
  text?: ReactNode
  detail?: string | undefined
  actions?: ReactNode
}) {
  return (
    <Page title={props.title} width="form" className={styles.message}>
      {props.text && <p className={styles.note}>{props.text}</p>}
      {props.detail && <code className={styles.small}>{props.detail}</code>}
      {props.actions && <div className={styles.tightRow}>{props.actions}</div>}
    </Page>
  )
}
