import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { FollowedConflict } from './followed-conflict.tsx'
import { nameOf, type FormField } from './record-form.tsx'
import type { AnyRow } from './resource-types.ts'
import type { RecordFormState } from './use-record-form.ts'

interface Props {
  resource: ResourceName
  edited: RecordFormState
  record: AnyRow | undefined
  fields: readonly FormField[]
}

/** Conflict with another user's changes of the edited record, by the form's fields. */
export function FormConflict({ resource, edited, record, fields }: Props) {
  const t = useT()
  return (
    <FollowedConflict
      followed={edited.followed}
      record={record}
      words={fields.map((field) => {
        const name = nameOf(field)
        const { label, said } =
          typeof field === 'string' ? ({} as { label?: string; said?: undefined }) : field
        return {
          label: label ?? t(`resources:${resource}.fields.${name}`),
          of: said ?? ((row: AnyRow) => String(row[name] ?? '')),
        }
      })}
    />
  )
}
