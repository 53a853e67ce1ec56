import { useQuery } from '@tanstack/react-query'
import type { SelectProps } from 'antd'
import { useDeferredValue, useState, type FC } from 'react'
import { bookings } from '../../../contract/bookings/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import page from '../../ui/page/page.module.css'

/** What ends an address that is typed; a blank may stand in a name. */
const ENDS = [',', ';', '\n', '，', '、']

/** Who attends: colleagues by name, address or department, and anybody else by their address. */
export const AttendeeSelect: FC<SelectProps<string[]>> = (props) => {
  const t = useT()
  const [typed, setTyped] = useState('')
  const Search = useDeferredValue(typed.trim().slice(0, 100))
  const found = useQuery({
    ...callQuery(bookings.searchColleague, { Search }),
    enabled: Search !== '',
  })
  const options = (Search === '' ? [] : (found.data ?? [])).map(({ Email, Name, Department }) => ({
    value: Email,
    // Who is found is meant by what is typed: it is offered itself only where nobody is.
    search: typed,
    label: (
      <>
        {Name} <span className={page.small}>{[Email, Department].filter(Boolean).join(' · ')}</span>
      </>
    ),
  }))
  return (
    <FormSelect
      {...props}
      mode="tags"
      open={typed !== '' && options.length > 0}
      suffixIcon={null}
      tokenSeparators={typed.includes('@') ? [...ENDS, ' '] : ENDS}
      optionFilterProp="search"
      filterOption={false}
      options={options}
      optionLabelProp="value"
      searchValue={typed}
      onSearch={setTyped}
      onSelect={() => setTyped('')}
      onBlur={() => setTyped('')}
      placeholder={t('bookings:form.attendeesPlaceholder')}
    />
  )
}
