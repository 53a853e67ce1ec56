import { useId, type FC, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  title: string
  /** Number of rows; undefined while it is not known. */
  total: number | undefined
  tools: ReactNode
  /** Shown in a line of their own. */
  filters?: ReactNode
  /** For a list on a page that has a heading of its own. */
  isEmbedded?: boolean
  children: ReactNode
}

export const ListFrame: FC<Props> = ({ title, total, tools, filters, isEmbedded, children }) => {
  const t = useT()
  const id = useId()
  const Heading = isEmbedded ? 'h2' : 'h1'
  return (
    <section className={page.page} aria-labelledby={id}>
      <header className={page.header}>
        <Heading id={id}>{title}</Heading>
        {total !== undefined && (
          <span className={page.count}>{t('screens:list.count', { count: total })}</span>
        )}
        <div className={page.tools}>{tools}</div>
      </header>
      {filters && <div className={page.filters}>{filters}</div>}
      {children}
    </section>
  )
}
