import type { FC } from 'react'
import type { User } from '../../../contract/people/user.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { RecordConflict, type FieldChange } from '../../record-kit/record-conflict.tsx'
import { DepartmentName } from '../../domain/department/use-department-filter.tsx'
import { RightsChange } from './rights/rights-change.tsx'

const FIELDS = [
  'LastName',
  'FirstName',
  'nickname',
  'DepartmentID',
  'rank',
  'enabled',
  'Permissions',
] as const
type Field = (typeof FIELDS)[number]

interface Props {
  /** User as loaded when the form was opened. */
  base: User
  /** User as saved by someone else since. */
  remote: User
  /** Puts the remote values into the form. */
  onTakeRemote: () => void
  /** Keeps the form's values; the next save overwrites the remote ones. */
  onKeepLocal: () => void
}

/** Changes by someone else to the same user; rights as additions and removals. */
export const UserConflict: FC<Props> = ({ base, remote, onTakeRemote, onKeepLocal }) => {
  const t = useT()
  const formatField = (person: User, field: Exclude<Field, 'Permissions'>) => {
    if (field === 'DepartmentID') return <DepartmentName id={person.DepartmentID} />
    if (field === 'enabled') return t(person.enabled ? 'resources:user.on' : 'resources:user.off')
    return person[field] === '' ? '–' : person[field]
  }
  const changes = FIELDS.filter((field) => JSON.stringify(base[field]) !== JSON.stringify(remote[field])).map(
    (field): FieldChange => {
      const label = t(`resources:user.fields.${field}`)
      return field === 'Permissions'
        ? { label, difference: <RightsChange before={base.Permissions} after={remote.Permissions} /> }
        : { label, before: formatField(base, field), remote: formatField(remote, field) }
    },
  )
  return <RecordConflict changes={changes} takeRemote={onTakeRemote} keepLocal={onKeepLocal} />
}
