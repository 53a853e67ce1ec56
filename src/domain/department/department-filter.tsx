import { Select } from 'antd'
import type { FC } from 'react'
import type { Department } from '../../../contract/resources/department.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import styles from '../../ui/page/page.module.css'

interface Props {
  departments: readonly Department[]
  /** The department that a list is narrowed to. */
  value: string | undefined
  /** What the list calls it, for who cannot see it. */
  label: string
  change: (departmentId: string | undefined) => void
}

/** Narrows a list of people to one department. */
export const DepartmentFilter: FC<Props> = ({ departments, value, label, change }) => {
  const t = useT()
  return (
    <Select
      allowClear
      showSearch
      optionFilterProp="label"
      className={styles.choice}
      value={value ?? null}
      placeholder={t('lists:anyDepartment')}
      aria-label={label}
      onChange={change}
      options={departments.map((one) => ({ value: one.DepartmentID, label: one.Department }))}
    />
  )
}
