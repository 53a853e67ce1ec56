import type { FC, KeyboardEvent } from 'react'
import { FEATURES, OPERATIONS } from '../../../../contract/kernel/permissions.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { usePhone } from '../../../ui/page/use-phone.ts'
import { PermissionCards } from './permission-cards.tsx'
import page from '../../../ui/page/page.module.css'
import styles from './permission-matrix.module.css'
import { useMatrixBoxes, type MatrixProps } from './use-matrix-boxes.tsx'

/** Checkboxes per row: one for the row and one for each operation. */
const BOXES = OPERATIONS.length + 1
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -BOXES, ArrowDown: BOXES }

/** Arrow keys move between enabled checkboxes. */
function step(event: KeyboardEvent<HTMLElement>) {
  const by = STEPS[event.key]
  const boxes = [...event.currentTarget.querySelectorAll('input')]
  let at = boxes.indexOf(event.target as HTMLInputElement)
  if (by === undefined || at < 0) return
  event.preventDefault()
  do at += by
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
