import { Card } from 'antd'
import type { ReactNode } from 'react'
import type { PagedColumn } from './page.ts'
import styles from './paged-list.module.css'

interface Props<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly PagedColumn<Row>[]
  /** Of the list, for who cannot see it. */
  label: string
  /** The box to choose a row with. */
  tick: (row: Row) => ReactNode
  renderActions: ((row: Row) => ReactNode) | undefined
}

/** Rows on a phone: cards under what the first column says. */
export function RowCards<Row>({ rows, rowKey, columns, label, tick, renderActions }: Props<Row>) {
  return (
    <ul className={styles.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)}>
          <Card size="small" title={columns[0]?.render(row)} extra={tick(row)}>
            <dl>
              {columns.slice(1).map((column) => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{column.render(row)}</dd>
                </div>
              ))}
            </dl>
            {renderActions && <div className={styles.actions}>{renderActions(row)}</div>}
          </Card>
        </li>
      ))}
    </ul>
  )
}
