import { DeleteOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useFormatWhen } from '../../../ui/page/format-when.ts'
import page from '../../../ui/page/page.module.css'
import { StateTag } from '../../../ui/tags/state-tag.tsx'
import styles from '../meters.module.css'
import { useSinceWords } from './use-since-words.ts'

/** What somebody said, and since when it holds. */
export interface FactHistoryRow {
  /** The first day, null where it always held. */
  From: string | null
  text: string
  /** Null where nobody said so. */
  By: string | null
  At: number
  /** Left out for what cannot be deleted. */
  remove?: (() => void) | undefined
}

interface Props {
  title: string
  /** In the order of their days. */
  rows: readonly FactHistoryRow[]
  /** What holds where nothing is said. */
  none: string
  extra?: ReactNode
}

/** What was said of one thing, the newest first, with who said it. */
export function FactHistory({ title, rows, none, extra }: Props) {
  const t = useT()
  const { when } = useFormatWhen()
  const since = useSinceWords()
  const newest = rows.toReversed()
  return (
    <section className={styles.history} aria-label={title}>
      <div className={page.spread}>
        <h3>{title}</h3>
        {extra}
      </div>
      {rows.length === 0 ? (
        <p className={page.hint}>{none}</p>
      ) : (
        <ol className={styles.list}>
          {newest.map(({ From, text, By, At, remove }, i) => (
            <li key={`${From} ${text}`} className={styles.line}>
              <div>
                <strong>{text}</strong> {i === 0 && <StateTag tone="plain">{t('meters:facts.now')}</StateTag>}
                <div>{since(From)}</div>
                <div className={page.hint}>
                  {By === null
                    ? t('meters:facts.bySystem', { at: when(At) })
                    : t('meters:facts.by', { by: By, at: when(At) })}
                </div>
              </div>
              {remove && (
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={t('meters:facts.remove', { what: `${title}：${text}，${since(From)}` })}
                  onClick={remove}
                />
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
