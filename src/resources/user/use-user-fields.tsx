import { Input, InputNumber, Switch } from 'antd'
import type { User } from '../../../contract/people/user.ts'
import { useMailEnabled } from '../../data/gateway-features.ts'
import { useMe, me } from '../../data/session.ts'
import { useDepartments } from '../../domain/department/use-department-filter.tsx'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { RightsField } from './rights/rights-field.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

/** Whether a user owns the company and therefore has every right. */
export const isOwner = ({ CognitoId }: { CognitoId: string }): boolean =>
  CognitoId === me.get()?.RootCognitoId

export function useUserFields(person: User | undefined): readonly FormField[] {
  const me = useMe()
  const mailGoesOut = useMailEnabled()
  const departments = useDepartments()
  const isSelf = person !== undefined && person.CognitoId === me?.CognitoId
  const options = departments.map(({ DepartmentID, Department }) => ({
    value: DepartmentID,
    label: Department,
  }))
  return [
    ...(person ? [] : ['Email']),
    'LastName',
    'FirstName',
    'nickname',
    {
      name: 'DepartmentID',
      input: <FormSelect allowClear showSearch filterOption={holdsLabel} options={options} />,
    },
    { name: 'rank', input: <InputNumber min={0} max={99} precision={0} style={{ width: '100%' }} /> },
    // Users change their own password in the personal settings. Others receive a link if the gateway sends email; a user with an open
    // invitation may be given a password.
    ...(isSelf || (person && mailGoesOut && person.InvitedUntil === null)
      ? []
      : [{ name: 'password', input: <Input.Password autoComplete="new-password" /> }]),
    // The owner has every right, and users cannot change their own.
    ...(isSelf || (person && isOwner(person))
      ? []
      : [
          { name: 'enabled', input: <Switch />, valuePropName: 'checked', isWide: true },
          {
            name: 'Permissions',
            // The cards have a legend.
            label: '',
            input: <RightsField heldPermissions={person?.Permissions ?? []} of={person?.CognitoId} />,
            isWide: true,
          },
        ]),
  ]
}
