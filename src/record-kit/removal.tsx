import { useDelete, type BaseRecord, type HttpError } from '@refinedev/core'
import { DeleteOutlined } from '@ant-design/icons'
import type { ResourceName } from '../../contract/index.ts'
import { describeRefusal } from '../data/failure.ts'
import { notices } from '../data/notices.ts'
import { t, useT } from '../lib/i18n/i18n.ts'
import { idOf } from '../providers/data.ts'
import { confirm } from '../ui/page/dialogs.ts'
import type { AnyRow, RowOf } from './resource-types.ts'
import type { ConfirmationLevel, RecordScreen, RemoveSpec } from './screen.ts'
import { ItemFailed } from './bulk/bulk-run.ts'
import { RemovalBar } from './bulk/bulk-buttons.tsx'
import { useMayDo } from './use-may-do.ts'
import { IconButton } from '../ui/page/icon-button.tsx'

/** Deletes a record of a resource without a confirmation or notice. Rejects with Refine's HttpError. */
function useDeleteOne(resource: ResourceName): (id: string, input?: object) => Promise<unknown> {
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
  onDone?: (() => void) | undefined
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

  const confirmRemoval = ({ row, name, onDone }: Removal<RowOf<N>>, insists?: ConfirmationLevel) =>
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
          onDone?.()
        } catch (error) {
          const next = insists ? undefined : await refused?.(row, error)
          if (next) confirmRemoval({ row, name, onDone }, next)
          else notices.error(() => describeRefusal(error))
        }
      },
    })
  return (removal) => confirmRemoval(removal)
}

interface Props<N extends ResourceName> {
  screen: Pick<RecordScreen<N>, 'resource' | 'remove'>
  rows: readonly RowOf<N>[]
  nameOf: (row: RowOf<N>) => string
  clear: () => void
}

/** Bulk bar that deletes the selected records. */
export function ManyRemoval<N extends ResourceName>({ screen, rows, nameOf, clear }: Props<N>) {
  const t = useT()
  const { resource, remove = {} } = screen
  const deleteOne = useDeleteOne(resource)
  return (
    <RemovalBar
      items={rows.map((row) => ({ id: idOf(resource, row as AnyRow), name: nameOf(row) }))}
      consequence={remove.bulkConsequence?.() ?? t('screens:remove.final')}
      breaks={remove.breaks?.(rows)}
      remove={async ({ id, name }) => {
        try {
          await deleteOne(id)
        } catch (error) {
          const reason = remove.staysBecause?.(name, error)
          throw reason ? new ItemFailed(reason) : error
        }
      }}
      clear={clear}
    />
  )
}

interface RemoveButtonProps<N extends ResourceName> {
  resource: N
  /** Record as returned by the list call. */
  row: RowOf<N>
  name: string
  remove: RemoveSpec<RowOf<N>>
  onDone: () => void
}

/** Button that deletes the record of a page after a confirmation; hidden without the right. */
export function RemoveButton<N extends ResourceName>({
  resource,
  row,
  name,
  remove,
  onDone,
}: RemoveButtonProps<N>) {
  const t = useT()
  const confirmRemoval = useMayDo(resource, row)
  const ask = useRemove(resource, remove)
  return (
    confirmRemoval.remove && (
      <IconButton
        danger
        icon={<DeleteOutlined />}
        label={t('screens:list.remove', { name })}
        onPress={() => ask({ row, name, onDone })}
      />
    )
  )
}
