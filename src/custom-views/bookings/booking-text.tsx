import { Form, Input, Switch, type SelectProps } from 'antd'
import { type FC, useDeferredValue, useState } from 'react'
import { Booking, bookings } from '../../../contract/bookings/calls.ts'
import { describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { useQuery } from '@tanstack/react-query'
import { callQuery } from '../../data/api.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import page from '../../ui/page/page.module.css'

/** Separators between typed addresses; not a blank, which names contain. */
const ENDS = [',', ';', '\n', '，', '、']

/** Selects attendees: colleagues by name, address or department, others by their address. */
const AttendeeSelect: FC<SelectProps<string[]>> = (props) => {
  const t = useT()
  const [input, setInput] = useState('')
  const Search = useDeferredValue(input.trim().slice(0, 100))
  const found = useQuery({
    ...callQuery(bookings.searchColleague, { Search }),
    enabled: Search !== '',
  })
  const options = (Search === '' ? [] : (found.data ?? [])).map(({ Email, Name, Department }) => ({
    value: Email,
    // Matching colleagues take precedence: the typed text is an option only if there are none.
    search: input,
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
      open={input !== '' && options.length > 0}
      suffixIcon={null}
      tokenSeparators={input.includes('@') ? [...ENDS, ' '] : ENDS}
      optionFilterProp="search"
      filterOption={false}
      options={options}
      optionLabelProp="value"
      searchValue={input}
      onSearch={setInput}
      onSelect={() => setInput('')}
      onBlur={() => setInput('')}
      placeholder={t('bookings:form.attendeesPlaceholder')}
    />
  )
}

const by = (field: 'Subject' | 'Attendees' | 'Host' | 'Description') => ({
  validator: (_: unknown, value: unknown) => {
    const reason = reasonFor(
      Booking.shape[field],
      Array.isArray(value) && value.length === 0 ? undefined : value,
    )
    return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
  },
})

export const BookingText: FC = () => {
  const t = useT()
  const addresses = {
    validator: (_: unknown, value: readonly string[]) => {
      const invalidAddresses = value.filter((address) => reasonFor(Booking.shape.Attendees.element, address))
      return invalidAddresses.length > 0
        ? Promise.reject(
            new Error(t('bookings:form.noAddress', { texts: invalidAddresses.join(t('screens:listComma')) })),
          )
        : by('Attendees').validator(_, value)
    },
  }
  return (
    <>
      <Form.Item name="Subject" label={t('bookings:form.subject')} required rules={[by('Subject')]}>
        <Input maxLength={128} />
      </Form.Item>
      <Form.Item
        name="Attendees"
        label={t('bookings:form.attendees')}
        required
        extra={t('bookings:form.attendeesHint')}
        rules={[addresses]}
      >
        <AttendeeSelect />
      </Form.Item>
      <Form.Item name="Host" label={t('bookings:form.host')} rules={[by('Host')]}>
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="Description" label={t('bookings:form.description')} rules={[by('Description')]}>
        <Input.TextArea maxLength={2000} autoSize={{ minRows: 2, maxRows: 6 }} />
      </Form.Item>
      <Form.Item
        name="Private"
        label={t('bookings:form.private')}
        valuePropName="checked"
        extra={t('bookings:form.privateHint')}
      >
        <Switch />
      </Form.Item>
    </>
  )
}
