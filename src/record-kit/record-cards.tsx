import { Card, Space } from 'antd'
import { useT } from '../lib/i18n/i18n.ts'
import { TickAll } from '../ui/table/tick.tsx'
import styles from './crud.module.css'
import { cellOf, type Column } from './list-column.ts'
import type { RecordLines } from './record-lines.ts'

/** Of a card that its title says everything of. */
const EMPTY_BODY = { body: { display: 'none' } }

/** Records as cards, for a phone; the first column is a card's title. */
export function RecordCards<Row extends object>(props: RecordLines<Row>) {
  const { rows, columns, titleOf, rowKey, actions, moreActions, onOpen, choosing } = props
  const t = useT()
  const [first, ...others] = columns as [Column<Row>, ...Column<Row>[]]
  return (
    <>
      {choosing && (
        <TickAll
          shown
          chosen={choosing.choice.chosen}
          of={choosing.choice.of}
          toggleAll={choosing.choice.toggleAll}
          allWords={t('lists:chooseListed')}
        />
      )}
      <ul className={styles.cards}>
        {rows.map((row) => (
          <li key={rowKey(row)}>
            <Card
              size="small"
              title={cellOf(first, row)}
              extra={
                <Space size={0}>
                  {actions?.(row)}
                  {choosing && (
                    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps a tick from opening the card
                    <span onClick={(event) => event.stopPropagation()}>{choosing.tick(row)}</span>
                  )}
                </Space>
              }
              {...(onOpen && { hoverable: true, onClick: () => onOpen(row) })}
              {...(others.length === 0 && !moreActions && { styles: EMPTY_BODY })}
            >
              <dl>
                {others.map((column) => (
                  <div key={column.key}>
                    <dt>{titleOf(column)}</dt>
                    <dd>{cellOf(column, row)}</dd>
                  </div>
                ))}
              </dl>
              {moreActions && (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps a link inside from opening the card
                <div className={styles.actions} onClick={(event) => event.stopPropagation()}>
                  {moreActions(row)}
                </div>
              )}
            </Card>
          </li>
        ))}
      </ul>
    </>
  )
}
