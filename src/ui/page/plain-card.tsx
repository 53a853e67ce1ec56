import { useId, type FC, type ReactNode } from 'react'
import page from './page.module.css'
import styles from './plain-card.module.css'

/** Framed part of a page with an optional heading, without Ant Design. */
export const PlainCard: FC<{ title?: string; children: ReactNode }> = ({ title, children }) => {
  const id = useId()
  return (
    <section className={`${page.card} ${styles.card}`} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
      )}
      <div className={styles.body}>{children}</div>
    </section>
  )
}
