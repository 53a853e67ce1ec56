import { useQuery } from '@tanstack/react-query'
import { user } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/display-name.ts'
import { callQuery } from '../../data/api.ts'
import { useMay, useMe } from '../../data/session.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

interface Props {
  /** CognitoIds. */
  value?: string[]
  onChange?: (value: string[]) => void
  id?: string
}

/** Chooses people of the company; who may not read people chooses themselves, and leaves the others as they are. */
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
