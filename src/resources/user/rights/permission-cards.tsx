import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { useId, useState, type FC, type ReactNode } from 'react'
import { FEATURES, OPERATIONS, type Operation } from '../../../../contract/kernel/permissions.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './permission-cards.module.css'
import { useMatrixBoxes, type MatrixProps } from './use-matrix-boxes.tsx'

/**
 * The matrix on phones: one expandable line per feature with its granted operations (§6). The first line switches an operation for all
 * features.
 */
export const PermissionCards: FC<MatrixProps> = (props) => {
  const t = useT()
  const { grants, nameOf, wordOf, cell, row, column, everything } = useMatrixBoxes(props)
  const said = (held: readonly Operation[]) => {
    if (held.length === 0) return t('resources:user.matrix.none')
    if (held.length === OPERATIONS.length) return t('resources:user.matrix.all')
    return held.map(wordOf).join(t('screens:listComma'))
  }
  return (
    <ul className={`${page.box} ${styles.lines}`}>
      <Line
        box={everything()}
        name={t('resources:user.matrix.everyFeature')}
        note={t('resources:user.matrix.granted', { count: grants.size })}
      >
        {(operation) => column(operation, wordOf(operation))}
      </Line>
      {FEATURES.map((feature) => (
        <Line
          key={feature}
          box={row(feature)}
          name={nameOf(feature)}
          note={said(OPERATIONS.filter((operation) => grants.has(`${feature}.${operation}`)))}
        >
          {(operation) => cell(feature, operation, wordOf(operation))}
        </Line>
      ))}
    </ul>
  )
}

interface LineProps {
  box: ReactNode
  name: string
  /** Granted operations in words. */
  note: string
  /** Renders the checkbox of one operation. */
  children: (operation: Operation) => ReactNode
}

const Line: FC<LineProps> = ({ box, name, note, children }) => {
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <li>
      <div className={styles.head}>
        {box}
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <span>
            <b>{name}</b>
            <small>{note}</small>
          </span>
          {open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        </button>
      </div>
      <div id={id} hidden={!open} className={styles.boxes}>
        {open && OPERATIONS.map((operation) => <div key={operation}>{children(operation)}</div>)}
      </div>
    </li>
  )
}
