import { Checkbox } from 'antd'
import type { FC, KeyboardEvent } from 'react'
import {
  FEATURES,
  OPERATIONS,
  type FeatureKey,
  type Operation,
  type Permission,
} from '../../../contract/features.ts'
import { useT } from '../../providers/i18n.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './permission-matrix.module.css'
import {
  coverage,
  EVERYTHING,
  grantsOf,
  isOpen,
  permissionsOf,
  toggled,
  type Grants,
} from './permission-matrix-rules.ts'

interface Props {
  value?: readonly Permission[]
  onChange?: (next: Permission[]) => void
  /** What the person at the screen may switch: nobody hands on a right they do not hold. */
  within?: Grants
}

/** Columns of boxes: the row's own and one for each operation. */
const BOXES = OPERATIONS.length + 1
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -BOXES, ArrowDown: BOXES }

/** Arrow keys go from box to box, past those that are locked. */
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
 * Which operations of which features a person holds: 21 rows, 6 columns (§6); a row's, a column's or the corner's box
 * switches all of it. On a phone a card for each feature.
 */
export const PermissionMatrix: FC<Props> = ({ value = [], onChange, within = EVERYTHING }) => {
  const t = useT()
  const phone = usePhone()
  const grants = grantsOf(value)
  const box = (label: string, feature?: FeatureKey, operation?: Operation, shown?: string) => {
    const cover = coverage(grants, feature, operation, within)
    return (
      <Checkbox
        checked={cover === 'all'}
        indeterminate={cover === 'some'}
        disabled={!isOpen(within, feature, operation)}
        aria-label={label}
        onChange={() => onChange?.(permissionsOf(toggled(grants, feature, operation, within)))}
      >
        {shown}
      </Checkbox>
    )
  }
  const cell = (feature: FeatureKey, operation: Operation, shown?: string) =>
    box(
      t('resources:user.matrix.cell', {
        feature: t(`shell:features.${feature}`),
        operation: t(`shell:operations.${operation}`),
      }),
      feature,
      operation,
      shown,
    )
  const row = (feature: FeatureKey) => {
    const name = t(`shell:features.${feature}`)
    return box(t('resources:user.matrix.row', { feature: name }), feature, undefined, name)
  }
  const column = (operation: Operation, shown?: string) =>
    box(
      t('resources:user.matrix.column', { operation: t(`shell:operations.${operation}`) }),
      undefined,
      operation,
      shown,
    )

  if (phone)
    return (
      <ul className={styles.cards}>
        <li>
          {box(
            t('resources:user.matrix.everything'),
            undefined,
            undefined,
            t('resources:user.matrix.everything'),
          )}
          <div className={styles.boxes}>
            {OPERATIONS.map((operation) => (
              <div key={operation}>{column(operation, t(`shell:operations.${operation}`))}</div>
            ))}
          </div>
        </li>
        {FEATURES.map((feature) => (
          <li key={feature}>
            {row(feature)}
            <div className={styles.boxes}>
              {OPERATIONS.map((operation) => (
                <div key={operation}>{cell(feature, operation, t(`shell:operations.${operation}`))}</div>
              ))}
            </div>
          </li>
        ))}
      </ul>
    )
  return (
    <div className={styles.scroller}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows are a short cut; every box is reached by Tab too */}
      <table className={styles.matrix} onKeyDown={step}>
        <thead>
          <tr>
            <th scope="col">
              {box(t('resources:user.matrix.everything'))} {t('resources:user.matrix.feature')}
            </th>
            {OPERATIONS.map((operation) => (
              <th key={operation} scope="col">
                <span>{t(`shell:operations.${operation}`)}</span>
                {column(operation)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FEATURES.map((feature) => (
            <tr key={feature}>
              <th scope="row">{row(feature)}</th>
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
