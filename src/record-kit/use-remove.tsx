import { useDelete, type BaseRecord, type HttpError } from '@refinedev/core'
import type { ResourceName } from '../../contract/index.ts'
import { describeRefusal } from '../data/failure.ts'
import { notices } from '../data/notices.ts'
import { t, useT } from '../lib/i18n/i18n.ts'
import { idOf } from '../providers/data.ts'
import { confirm } from '../ui/page/dialogs.ts'
import type { AnyRow, RowOf } from './resource-types.ts'
import type { ConfirmationLevel, RecordScreen } from './screen.ts'

/** Deletes a record of a resource without a confirmation or notice. Rejects with Refine's HttpError. */
export function useDeleteOne(resource: ResourceName): (id: string, input?: object) => Promise<unknown> {
  const { mutateAsync } = useDelete<BaseRecord, HttpError, object>()
  return (id, input = {}) =>
    mutateAsync({
      resource,
      id,
      values: input,
      mutationMode: 'pessimistic',
      invalidates: [],
      successNotification: false,
      errorNotification: false,
    })
}

interface Removal<Row> {
  row: Row
  name: string
  done?: (() => void) | undefined
}

/**
 * Asks for confirmation before a record is deleted, with its name and the consequence. If other data prevents the deletion, a screen may
 * ask a second time.
 */
export function useRemove<N extends ResourceName>(
  resource: N,
  { consequence, breaks, refused }: NonNullable<RecordScreen<N>['remove']> = {},
): (removal: Removal<RowOf<N>>) => void {
  const words = useT()
  const deleteOne = useDeleteOne(resource)

  const confirmRemoval = ({ row, name, done }: Removal<RowOf<N>>, insists?: ConfirmationLevel) =>
    confirm({
      title: insists?.title ?? words('screens:remove.title', { name }),
      content: insists?.question ?? (
        <>
          {consequence?.(row) ?? words('screens:remove.final')}
          {breaks?.([row])}
        </>
      ),
      okText: insists?.ok ?? words('screens:remove.ok'),
      okButtonProps: { danger: true },
      cancelText: words('screens:cancel'),
      onOk: async () => {
        try {
          await deleteOne(idOf(resource, row as AnyRow), insists?.input)
          notices.success(() => t('screens:remove.done', { name }))
          done?.()
        } catch (error) {
          const next = insists ? undefined : await refused?.(row, error)
          if (next) confirmRemoval({ row, name, done }, next)
          else notices.error(() => describeRefusal(error))
        }
      },
    })
  return (removal) => confirmRemoval(removal)
}
