import { type FC, type KeyboardEvent, useId, useState, type ReactNode } from 'react'
import { DownOutlined, UpOutlined } from '@ant-design/icons'
import { Checkbox } from 'antd'
import {
  FEATURES,
  OPERATIONS,
  type Operation,
  type FeatureKey,
  type Permission,
} from '../../../../contract/kernel/permissions.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { usePhone } from '../../../ui/page/use-screen.ts'
import page from '../../../ui/page/page.module.css'
import styles from './permission-matrix.module.css'
import cardStyles from './permission-cards.module.css'
import {
  coverage,
  EVERYTHING,
  grantsOf,
  isOpen,
  permissionsOf,
  toggled,
  type Grants,
} from './permission-matrix-rules.ts'

/**
 * The matrix on phones: one expandable line per feature with its granted operations (§6). The first line switches an operation for all
 * features.
 */
export const PermissionCards: FC<MatrixProps> = (props) => {
  const t = useT()
  const { grants, nameOf, wordOf, cell, row, column, everything } = useMatrixBoxes(props)
  const describeOperations = (operations: readonly Operation[]) => {
    if (operations.length === 0) return t('resources:user.matrix.none')
    if (operations.length === OPERATIONS.length) return t('resources:user.matrix.all')
    return operations.map(wordOf).join(t('screens:listComma'))
  }
  return (
    <ul className={`${page.box} ${page.rows}`}>
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
          note={describeOperations(OPERATIONS.filter((operation) => grants.has(`${feature}.${operation}`)))}
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
      <div className={cardStyles.head}>
        {box}
        <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          <span>
            <b>{name}</b>
            <small>{note}</small>
          </span>
          {open ? <UpOutlined aria-hidden /> : <DownOutlined aria-hidden />}
        </button>
      </div>
      <div id={id} hidden={!open} className={cardStyles.boxes}>
        {open && OPERATIONS.map((operation) => <div key={operation}>{children(operation)}</div>)}
      </div>
    </li>
  )
}

interface MatrixProps {
  value?: readonly Permission[]
  onChange?: (next: Permission[]) => void
  /** Rights that the current user may switch; users can grant only rights that they have. */
  allowed?: Grants
}

/** Checkboxes of the matrix: for a cell, a feature, an operation or everything; each label names what it switches. */
function useMatrixBoxes({ value = [], onChange, allowed = EVERYTHING }: MatrixProps) {
  const t = useT()
  const grants = grantsOf(value)
  const box = (label: string, feature?: FeatureKey, operation?: Operation, content?: ReactNode) => {
    const cover = coverage(grants, feature, operation, allowed)
    return (
      <Checkbox
        checked={cover === 'all'}
        indeterminate={cover === 'some'}
        disabled={!isOpen(allowed, feature, operation)}
        aria-label={label}
        onChange={() => onChange?.(permissionsOf(toggled(grants, feature, operation, allowed)))}
      >
        {content}
      </Checkbox>
    )
  }
  const nameOf = (feature: FeatureKey) => t(`shell:features.${feature}`)
  const wordOf = (operation: Operation) => t(`shell:operations.${operation}`)
  return {
    grants,
    nameOf,
    wordOf,
    cell: (feature: FeatureKey, operation: Operation, content?: ReactNode) =>
      box(
        t('resources:user.matrix.cell', { feature: nameOf(feature), operation: wordOf(operation) }),
        feature,
        operation,
        content,
      ),
    row: (feature: FeatureKey, content?: ReactNode) =>
      box(t('resources:user.matrix.row', { feature: nameOf(feature) }), feature, undefined, content),
    column: (operation: Operation, content?: ReactNode) =>
      box(t('resources:user.matrix.column', { operation: wordOf(operation) }), undefined, operation, content),
    everything: () => box(t('resources:user.matrix.everything')),
  }
}

/** Checkboxes per row: one for the row and one for each operation. */
const BOXES = OPERATIONS.length + 1
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -BOXES, ArrowDown: BOXES }

/** Arrow keys move between enabled checkboxes. */
function step(event: KeyboardEvent<HTMLElement>) {
  const move = STEPS[event.key]
  const boxes = [...event.currentTarget.querySelectorAll('input')]
  let at = boxes.indexOf(event.target as HTMLInputElement)
  if (move === undefined || at < 0) return
  event.preventDefault()
  do at += move
  while (boxes[at]?.disabled)
  boxes[at]?.focus()
}

/**
 * Matrix of features and operations: 21 rows, 6 columns (§6). The checkbox of a row, a column or the corner switches all its cells. On
 * phones, one expandable line per feature.
 */
export const PermissionMatrix: FC<MatrixProps> = (props) =>
  usePhone() ? <PermissionCards {...props} /> : <PermissionTable {...props} />

const PermissionTable: FC<MatrixProps> = (props) => {
  const t = useT()
  const { nameOf, wordOf, cell, row, column, everything } = useMatrixBoxes(props)
  return (
    <div className={page.scroll}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows are a shortcut; Tab reaches every box too */}
      <table className={`${page.table} ${styles.matrix}`} onKeyDown={step}>
        <thead>
          <tr>
            <th scope="col">
              {everything()} {t('resources:user.matrix.feature')}
            </th>
            {OPERATIONS.map((operation) => (
              <th key={operation} scope="col">
                <span>{wordOf(operation)}</span>
                {column(operation)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FEATURES.map((feature) => (
            <tr key={feature}>
              <th scope="row">{row(feature, nameOf(feature))}</th>
              {OPERATIONS.map((operation) => (
                <td key={operation}>{cell(feature, operation)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
