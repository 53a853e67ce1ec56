import { Checkbox } from 'antd'
import type { FC } from 'react'
import { FEATURES, OPERATIONS, type Permission } from '../../../contract/features.ts'
import { useT } from '../../providers/i18n.ts'
import styles from './permission-matrix.module.css'
import { coverage, grantsOf, permissionsOf, toggled, type Grants } from './permission-matrix-rules.ts'

interface Props {
  value?: Permission[]
  onChange?: (next: Permission[]) => void
}

/** Which operations of which features a person holds: 21 rows, 6 columns (§6); a row's, a column's or the corner's box switches all of it. */
export const PermissionMatrix: FC<Props> = ({ value = [], onChange }) => {
  const t = useT()
  const grants = grantsOf(value)
  const change = (next: Grants) => onChange?.(permissionsOf(next))
  const box = (label: string, cover: ReturnType<typeof coverage>, next: () => Grants) => (
    <Checkbox
      checked={cover === 'all'}
      indeterminate={cover === 'some'}
      aria-label={label}
      onChange={() => change(next())}
    />
  )
  return (
    <div className={styles.scroller}>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">
              {box(t('resources:user.matrix.everything'), coverage(grants), () => toggled(grants))}{' '}
              {t('resources:user.matrix.feature')}
            </th>
            {OPERATIONS.map((operation) => (
              <th key={operation} scope="col">
                <span>{t(`shell:operations.${operation}`)}</span>
                {box(
                  t('resources:user.matrix.column', { operation: t(`shell:operations.${operation}`) }),
                  coverage(grants, undefined, operation),
                  () => toggled(grants, undefined, operation),
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {FEATURES.map((feature) => {
            const name = t(`shell:features.${feature}`)
            return (
              <tr key={feature}>
                <th scope="row">
                  {box(t('resources:user.matrix.row', { feature: name }), coverage(grants, feature), () =>
                    toggled(grants, feature),
                  )}{' '}
                  {name}
                </th>
                {OPERATIONS.map((operation) => (
                  <td key={operation}>
                    {box(
                      t('resources:user.matrix.cell', {
                        feature: name,
                        operation: t(`shell:operations.${operation}`),
                      }),
                      coverage(grants, feature, operation),
                      () => toggled(grants, feature, operation),
                    )}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
