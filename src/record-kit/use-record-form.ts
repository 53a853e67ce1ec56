import { useForm } from '@refinedev/antd'
import type { BaseRecord, HttpError } from '@refinedev/core'
import type { FormInstance } from 'antd'
import { idOf } from '../providers/data.ts'
import { useT } from '../lib/i18n/i18n.ts'
import type { AnyResource, AnyRow } from './resource-types.ts'

interface RecordFormState {
  form: FormInstance
  busy: boolean
  /** Creates or updates, says so and answers the record. Rejects with Refine's HttpError, its field errors shown. */
  save: (values: AnyRow) => Promise<AnyRow>
}

/**
 * Refine's form of a resource: for a new record, or for an existing one when it is given. A new record of a home goes into
 * the home of `scope`.
 */
export function useRecordForm(resource: AnyResource, record?: AnyRow, scope?: AnyRow): RecordFormState {
  const t = useT()
  const { form, formLoading, onFinish } = useForm<BaseRecord, HttpError, AnyRow>({
    resource: resource.name,
    action: record ? 'edit' : 'create',
    ...(record && { id: idOf(resource.name, record) }),
    ...(scope && { meta: scope }),
    // The list has brought the record. An answer that comes while somebody types would put the old words back.
    queryOptions: { enabled: false },
    redirect: false,
    // A call makes old what it changes.
    invalidates: [],
    successNotification: () => ({
      type: 'success',
      message: t(record ? 'screens:updated' : 'screens:created'),
    }),
    errorNotification: false,
  })
  return {
    form: form as FormInstance,
    busy: formLoading,
    save: async (values) => ((await onFinish(values)) as { data: AnyRow }).data,
  }
}
