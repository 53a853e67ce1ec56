import { DatePicker, Input, Select } from 'antd'
import { z } from 'zod'
import { useQuery } from '@tanstack/react-query'
import { useState, type FC } from 'react'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { formatPhone } from '../../../contract/access-control/access-pass.ts'
import { dayOf } from '../../../contract/time/periods.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { siteToday } from '../../ui/inputs/site-today.tsx'
import { useFormatWhen, useZone } from '../../ui/page/format-when.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { isolated } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'

interface Props {
  id?: string
  value?: string | null
  onChange?: (id: string | null) => void
  disabled?: boolean
  /** Current host, to show their name. */
  selectedHost: { id: string; name: string } | undefined
}

/** Selects the host among active employees, searched by name or department. */
const HostSelect: FC<Props> = ({ id, value, onChange, disabled, selectedHost }) => {
  const t = useT()
  const [search, setSearch] = useState('')
  const { data = [], isFetching } = useQuery(
    callQuery(accessControl.searchHost, { Search: search.slice(0, 100) }),
  )
  const options = data.map(({ EmployeeID, EmployeeName, Department }) => ({
    value: EmployeeID,
    label: Department ? `${isolated(EmployeeName)}（${isolated(Department)}）` : EmployeeName,
  }))
  if (selectedHost && search === '' && !options.some((option) => option.value === selectedHost.id))
    options.unshift({ value: selectedHost.id, label: selectedHost.name })
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

/** Time window in the form: two times, the first before the second. */
const Window = z
  .tuple([z.custom<{ valueOf(): number }>(Boolean), z.custom<{ valueOf(): number }>(Boolean)], 'required')
  .refine(([from, until]) => from.valueOf() < until.valueOf(), 'dateOrder')

interface Options {
  host: { id: string; name: string } | undefined
  /** Called on blur of the email or phone field; searches for former visits. */
  onContact?: (field: 'Email' | 'Phone') => void
}

/** Form fields of a visit (§3). */
export function useVisitorFields({ host, onContact }: Options): readonly FormField[] {
  const t = useT()
  const phone = usePhone()
  const { span } = useFormatWhen()
  const today = dayOf(useNow(), useFormZone())
  return [
    {
      name: 'Email',
      label: t('access:fields.Email'),
      input: <Input type="email" inputMode="email" maxLength={254} onBlur={() => onContact?.('Email')} />,
    },
    {
      name: 'Phone',
      label: t('access:fields.Phone'),
      hint: t('access:phoneHint'),
      input: (
        <Input
          type="tel"
          inputMode="tel"
          maxLength={32}
          placeholder={t('access:phonePlaceholder')}
          onBlur={() => onContact?.('Phone')}
        />
      ),
      describe: ({ Phone }) => formatPhone(Phone as string),
    },
    { name: 'VisitorName', label: t('access:fields.VisitorName'), input: <Input maxLength={64} /> },
    { name: 'Company', label: t('access:fields.Company'), input: <Input maxLength={128} /> },
    { name: 'Ext', label: t('access:fields.Ext'), input: <Input maxLength={16} inputMode="tel" /> },
    {
      name: 'HostEmployeeID',
      label: t('access:fields.HostEmployeeID'),
      input: <HostSelect selectedHost={host} />,
      describe: ({ HostName }) => HostName as string | null,
    },
    {
      name: 'Window',
      label: t('access:fields.Window'),
      rule: Window,
      isWide: true,
      input: (
        <DatePicker.RangePicker
          showTime={{ format: 'HH:mm', minuteStep: 5 }}
          format={phone ? 'MM-DD HH:mm' : 'YYYY-MM-DD HH:mm'}
          order={false}
          style={{ width: '100%' }}
          {...siteToday(today)}
        />
      ),
      describe: (row) => span((row as VisitorRow).ValidFrom, (row as VisitorRow).ValidUntil),
    },
    {
      name: 'Purpose',
      label: t('access:fields.Purpose'),
      isWide: true,
      input: <Input.TextArea maxLength={256} autoSize={{ minRows: 2, maxRows: 6 }} />,
    },
  ]
}

/** Time zone of the lists at the time the form was opened, so that the times in its fields keep their meaning. */
export function useFormZone(): string {
  const zone = useZone()
  return useState(zone)[0]
}
