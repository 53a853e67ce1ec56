import { DeleteOutlined } from '@ant-design/icons'
import { Button, Alert } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useFormatWhen, useFormatDate } from '../../../ui/page/format-when.ts'
import page from '../../../ui/page/page.module.css'
import { StateTag } from '../../../ui/tags/state-tag.tsx'

export interface FactHistoryRow {
  /** The first day; null if it has always been valid. */
  From: string | null
  text: string
  /** Author; null if none is recorded. */
  By: string | null
  At: number
  /** Omitted if the entry cannot be deleted. */
  remove?: (() => void) | undefined
}

interface Props {
  title: string
  /** In the order of their first days. */
  rows: readonly FactHistoryRow[]
  emptyText: string
  extra?: ReactNode
}

export function FactHistory({ title, rows, emptyText, extra }: Props) {
  const t = useT()
  const { fullWhen } = useFormatWhen()
  const since = useSinceWords()
  const newest = rows.toReversed()
  return (
    <section aria-label={title}>
      <div className={page.spread}>
        <h3>{title}</h3>
        {extra}
      </div>
      {rows.length === 0 ? (
        <p className={page.hint}>{emptyText}</p>
      ) : (
        <ol className={page.rows}>
          {newest.map(({ From, text, By, At, remove }, i) => (
            <li key={`${From} ${text}`} className={page.spread}>
              <div>
                <strong>{text}</strong> {i === 0 && <StateTag tone="plain">{t('meters:facts.now')}</StateTag>}
                <div>{since(From)}</div>
                <div className={page.hint}>
                  {By === null
                    ? t('meters:facts.bySystem', { at: fullWhen(At) })
                    : t('meters:facts.by', { by: By, at: fullWhen(At) })}
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

export function UndoLine({ what: label, busy, undo }: { what: string; busy: boolean; undo: () => void }) {
  const t = useT()
  return (
    <Alert
      type="info"
      showIcon
      message={t('meters:facts.removed', { what: label })}
      action={
        <Button size="small" loading={busy} onClick={undo}>
          {t('meters:facts.undo')}
        </Button>
      }
    />
  )
}

/** Text for the first day of a fact; null means always. */
export function useSinceWords(): (From: string | null) => string {
  const t = useT()
  const date = useFormatDate()
  return (From) => (From === null ? t('meters:facts.always') : t('meters:facts.from', { date: date(From) }))
}
