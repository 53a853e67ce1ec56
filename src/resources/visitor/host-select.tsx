import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState, type FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { isolated } from '../../../contract/kernel/isolated.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'

interface Props {
  id?: string
  value?: string | null
  onChange?: (id: string | null) => void
  disabled?: boolean
  /** The name of who is chosen already. */
  chosen: { id: string; name: string } | undefined
}

/** Chooses who is visited, among active employees found by name or department. */
export const HostSelect: FC<Props> = ({ id, value, onChange, disabled, chosen }) => {
  const t = useT()
  const [search, setSearch] = useState('')
  const { data = [], isFetching } = useQuery(
    callQuery(accessControl.searchHost, { Search: search.slice(0, 100) }),
  )
  const options = data.map(({ EmployeeID, EmployeeName, Department }) => ({
    value: EmployeeID,
    label: Department ? `${isolated(EmployeeName)}（${isolated(Department)}）` : EmployeeName,
  }))
  if (chosen && search === '' && !options.some((option) => option.value === chosen.id))
    options.unshift({ value: chosen.id, label: chosen.name })
  return (
    <Select
      {...(id && { id })}
      value={value ?? null}
      allowClear
      showSearch
      filterOption={false}
      loading={isFetching}
      disabled={disabled ?? false}
      placeholder={t('access:visitor.host')}
      options={options}
      onSearch={setSearch}
      onChange={(next?: string) => {
        setSearch('')
        onChange?.(next ?? null)
      }}
      notFoundContent={t('access:visitor.noHost')}
    />
  )
}
