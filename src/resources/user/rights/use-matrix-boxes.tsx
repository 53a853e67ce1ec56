import { Checkbox } from 'antd'
import type { ReactNode } from 'react'
import type { FeatureKey, Operation, Permission } from '../../../../contract/kernel/permissions.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import {
  coverage,
  EVERYTHING,
  grantsOf,
  isOpen,
  permissionsOf,
  toggled,
  type Grants,
} from './permission-matrix-rules.ts'

export interface MatrixProps {
  value?: readonly Permission[]
  onChange?: (next: Permission[]) => void
  /** Rights that the current user may switch; users can grant only rights that they have. */
  within?: Grants
}

/** Checkboxes of the matrix: for a cell, a feature, an operation or everything; each label names what it switches. */
export function useMatrixBoxes({ value = [], onChange, within = EVERYTHING }: MatrixProps) {
  const t = useT()
  const grants = grantsOf(value)
  const box = (label: string, feature?: FeatureKey, operation?: Operation, shown?: ReactNode) => {
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
  const nameOf = (feature: FeatureKey) => t(`shell:features.${feature}`)
  const wordOf = (operation: Operation) => t(`shell:operations.${operation}`)
  return {
    grants,
    nameOf,
    wordOf,
    cell: (feature: FeatureKey, operation: Operation, shown?: ReactNode) =>
      box(
        t('resources:user.matrix.cell', { feature: nameOf(feature), operation: wordOf(operation) }),
        feature,
        operation,
        shown,
      ),
    row: (feature: FeatureKey, shown?: ReactNode) =>
      box(t('resources:user.matrix.row', { feature: nameOf(feature) }), feature, undefined, shown),
    column: (operation: Operation, shown?: ReactNode) =>
      box(t('resources:user.matrix.column', { operation: wordOf(operation) }), undefined, operation, shown),
    everything: () => box(t('resources:user.matrix.everything')),
  }
}
