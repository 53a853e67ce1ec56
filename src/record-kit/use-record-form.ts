import { useCreate, useUpdate, type BaseRecord, type HttpError } from '@refinedev/core'
import { Form, type FormInstance } from 'antd'
import { useMemo } from 'react'
import { z } from 'zod'
import { resources, type ResourceName } from '../../contract/index.ts'
import { notices } from '../data/notices.ts'
import { t } from '../lib/i18n/i18n.ts'
import { sameValue } from '../lib/same-value.ts'
import { callOf } from '../providers/calls.ts'
import { idOf } from '../providers/data.ts'
import { useLeaveGuard } from '../ui/page/leave-guards.ts'
import { isRequired } from './field-rules.ts'
import type { AnyInput, AnyRow } from './resource-types.ts'
import { useTrackedRecord, type TrackedRecord } from './use-tracked-record.ts'

export interface FormShape {
  /** Home of a new record. */
  scope?: AnyRow | undefined
  /** Converts a record to form values; defaults to its fields. */
  toForm?: ((record: AnyRow) => AnyRow) | undefined
  /** Converts form values to input of the call; defaults to the values. */
  toInput?: ((values: AnyRow) => AnyRow) | undefined
  /** Puts a record into state that the form keeps outside of its fields. */
  onWrite?: ((record: AnyRow) => void) | undefined
  /** Text of the success notice; false if the screen shows the success itself. */
  successText?: ((saved: AnyRow) => string) | false | undefined
}

export interface RecordFormState {
  form: FormInstance
  /** Validation of the fields: the input of the saving call; in an update, fields that a stored record always has are required. */
  schema: AnyInput
  /** Initial values from the record; the screen provides those of a new record. */
  initial: AnyRow | undefined
  busy: boolean
  tracked: TrackedRecord<AnyRow>
  setDirty: (dirty: boolean) => void
  /** Leaves at once, or after a confirmation if there are unsaved edits. */
  confirmLeave: (leave: () => void) => void
  /** Returns the saved record; undefined if another user saved first. Rejects with Refine's HttpError. */
  save: (values: AnyRow) => Promise<AnyRow | undefined>
}

/**
 * Form of a new record, or of one that other users may change at the same time. A record with a version is compared as a whole; any
 * other one field by field, and a save sends the previous values as `Seen`.
 *
 * record  current record; undefined for a new one
 */
export function useRecordForm(
  resource: ResourceName,
  record: AnyRow | undefined,
  shape: FormShape = {},
): RecordFormState {
  const { scope, toForm = identity, toInput = identity, onWrite, successText: customText } = shape
  const [form] = Form.useForm()
  const guard = useLeaveGuard()
  const creating = useCreate<BaseRecord, HttpError>()
  const updating = useUpdate<BaseRecord, HttpError>()
  const schema = callOf(resource, record ? 'update' : 'create')?.input as AnyInput
  const fields = Object.keys(schema.shape).filter((field) => !isOfCall(resource, field))
  const isNeeded = (field: string) => {
    const rule = schema.shape[field]
    return rule !== undefined && isRequired(rule)
  }
  const isVersioned = 'Version' in schema.shape
  const isNew = record === undefined
  const rules = useMemo(() => (isNew ? schema : asStored(resource, schema)), [isNew, resource, schema])

  const tracked = useTrackedRecord<AnyRow>({
    record,
    parts: isVersioned ? [fields] : fields.map((field) => [field]),
    read: (base) => ({
      ...pick(base, fields),
      ...normalizeValues(schema, toInput(form.getFieldsValue() as AnyRow)),
    }),
    write: (remote, names) => {
      const values = toForm(remote)
      form.setFieldsValue(isVersioned ? values : pick(values, names as string[]))
      onWrite?.(remote)
    },
  })

  async function send(values: AnyRow): Promise<AnyRow> {
    if (!record) {
      const created = await creating.mutateAsync({
        resource,
        values: toInput(values),
        ...(scope && { meta: scope }),
        ...silentOptions,
      })
      return created.data
    }
    const { changed, seen } = tracked.changes()
    // The version covers the whole record. Unchanged fields are not sent: they might need a right that the user lacks.
    const changedFields = Object.keys(changed).filter(
      (field) => isNeeded(field) || !sameValue(tracked.base?.[field], changed[field]),
    )
    const required = Object.entries(toInput(values)).filter(([field]) => isNeeded(field))
    const saved = await updating.mutateAsync({
      resource,
      id: idOf(resource, record),
      values: {
        ...Object.fromEntries(required),
        ...pick(changed, changedFields),
        ...(isVersioned
          ? { Version: tracked.base?.['Version'] }
          : Object.keys(seen).length > 0 && { Seen: seen }),
      },
      mutationMode: 'pessimistic',
      ...silentOptions,
    })
    return saved.data
  }

  return {
    form,
    schema: rules,
    initial: record && toForm(record),
    busy: creating.mutation.isPending || updating.mutation.isPending,
    tracked,
    setDirty: guard.setDirty,
    confirmLeave: guard.ask,
    async save(values) {
      let saved: AnyRow | undefined
      const isSaved = await tracked.save(async () => {
        try {
          saved = await send(values)
        } finally {
          // The query cache notifies the screen shortly after the response.
          await new Promise((resolve) => setTimeout(resolve))
        }
      })
      if (!isSaved) return undefined
      const successText = customText ?? (() => t(record ? 'screens:updated' : 'screens:created'))
      if (successText) notices.success(() => successText(saved as AnyRow))
      guard.setDirty(false)
      return saved
    },
  }
}

const identity = (row: AnyRow): AnyRow => row

/** Disables Refine's own notifications and invalidation, which the record kit handles. */
const silentOptions: {
  invalidates: []
  successNotification: false
  errorNotification: false
} = { invalidates: [], successNotification: false, errorNotification: false }

/** Fields of a call that the user does not fill in. */
const isOfCall = (resource: ResourceName, field: string): boolean =>
  field === 'Version' || field === 'Seen' || (resources[resource].key as readonly string[]).includes(field)

/** Schema of an update in which fields that a stored record always has are required. */
const asStored = (resource: ResourceName, update: AnyInput): AnyInput => {
  const stored: Readonly<Record<string, z.ZodType>> = resources[resource].record.shape
  return z.object(
    Object.fromEntries(
      Object.entries(update.shape).map(([field, rule]) => [
        field,
        rule instanceof z.ZodOptional && field in stored ? (rule.unwrap() as z.ZodType) : rule,
      ]),
    ),
  )
}

const pick = (row: AnyRow, fields: readonly string[]): AnyRow =>
  Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]))

/** Values as the gateway would store them, so that a different spelling of the same value is no change. */
const normalizeValues = (schema: AnyInput, values: AnyRow): AnyRow =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([field]) => field in schema.shape)
      .map(([field, value]) => {
        const parsed = schema.shape[field]?.safeParse(value)
        return [field, parsed?.success && value !== undefined ? parsed.data : value]
      }),
  )
