import type { ReactNode } from 'react'
import './message-page.css'

/** Page with a single message: access denied, not found, an error. */
export function MessagePage(props: {
  title: string
  text?: ReactNode
  detail?: string | undefined
  actions?: ReactNode
}) {
  return (
    <section className="message-page">
      <h1>{props.title}</h1>
      {props.text && <p>{props.text}</p>}
      {props.detail && <code>{props.detail}</code>}
      {props.actions && <div className="message-actions">{props.actions}</div>}
    </section>
  )
}
