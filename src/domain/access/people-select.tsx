import { useQuery } from '@tanstack/react-query'
import { user } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { callQuery } from '../../data/api.ts'
import { useMay, useMe } from '../../data/session.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

interface Props {
  value?: string[]
  onChange?: (value: string[]) => void
  id?: string
}

/** Selects users of the company. A user without the right to read users can select only themselves and keeps the other values. */
export function PeopleSelect({ value = [], ...props }: Props) {
  const me = useMe()
  const mayRead = useMay('user', 'Read')
  const { data, isPending } = useQuery({ ...callQuery(user.operations.list, {}), enabled: mayRead })
  const people = data ?? (me ? [me] : [])
  return (
    <FormSelect
      {...props}
      mode="multiple"
      value={value}
      loading={mayRead && isPending}
      filterOption={holdsLabel}
      options={people.map((person) => ({
        value: person.CognitoId,
        label: `${displayName(person)} (${person.Email})`,
      }))}
    />
  )
}
