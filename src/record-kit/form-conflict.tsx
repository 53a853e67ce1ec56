import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { FollowedConflict } from './record-conflict.tsx'
import { nameOf, type FormField } from './record-form.tsx'
import type { AnyRow } from './resource-types.ts'
import type { RecordFormState } from './use-record-form.ts'

interface Props {
  resource: ResourceName
  formState: RecordFormState
  record: AnyRow | undefined
  fields: readonly FormField[]
}

/** Conflict with another user's changes of the edited record, by the form's fields. */
export function FormConflict({ resource, formState, record, fields }: Props) {
  const t = useT()
  return (
    <FollowedConflict
      tracked={formState.tracked}
      record={record}
      words={fields.map((field) => {
        const name = nameOf(field)
        const { label, describe } =
          typeof field === 'string' ? ({} as { label?: string; describe?: undefined }) : field
        return {
          label: label ?? t(`resources:${resource}.fields.${name}`),
          of: describe ?? ((row: AnyRow) => String(row[name] ?? '')),
        }
      })}
    />
  )
}
