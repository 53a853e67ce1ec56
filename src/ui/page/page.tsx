import { useId, type FC, type ReactNode } from 'react'
import styles from './page.module.css'

/**
 * Width of a page: fluid up to 1,680 px for lists, dashboards and charts; a form of 720 px in the middle of the content; or paper of
 * 840 px with its tools next to it.
 */
export type PageWidth = 'full' | 'form' | 'paper'

const WIDTHS: Record<PageWidth, string | undefined> = {
  full: styles.full,
  form: styles.form,
  paper: styles.paper,
}

interface Props {
  title: string
  /** Number of the listed items in words, next to the title. */
  count?: string | undefined
  /** Purpose of the page, below the title. */
  intro?: string | undefined
  /** Buttons right of the title: tools, then secondary ones, the primary one, and a menu of further ones last. */
  actions?: ReactNode
  /** Row of filters below the title. */
  filters?: ReactNode
  width?: PageWidth
  /** Class in addition to the page's own; it must not set the width. */
  className?: string | undefined
  children: ReactNode
}

/** Frame of every page: its title and actions, its filters, and its content in one of three widths. */
export const Page: FC<Props> = ({
  title,
  count,
  intro,
  actions,
  filters,
  width = 'full',
  className = '',
  children,
}) => {
  const id = useId()
  return (
    <section
      className={`${styles.page} ${WIDTHS[width]} ${className}`}
      aria-labelledby={id}
      data-width={width}
    >
      <div>
        <header className={styles.header}>
          <h1 id={id}>{title}</h1>
          {count !== undefined && <span className={styles.count}>{count}</span>}
          {actions && <div className={styles.tools}>{actions}</div>}
        </header>
        {intro !== undefined && <p className={styles.note}>{intro}</p>}
      </div>
      {filters}
      {children}
    </section>
  )
}
