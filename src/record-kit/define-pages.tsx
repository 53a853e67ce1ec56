import { PlusOutlined } from '@ant-design/icons'
import { useCan, useDelete, useList, type BaseRecord, type HttpError } from '@refinedev/core'
import { Button, Drawer, Modal } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { z } from 'zod'
import type { Right } from '../../contract/features.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { ViewedList } from '../../contract/rules/view-query.ts'
import { pathTo, type PathName } from '../paths.ts'
import { callKey, queryClient } from '../data/api.ts'
import { idOf } from '../providers/data.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { lazyPart } from '../ui/page/lazy-part.tsx'
import { useConfirmRemoval } from '../ui/page/confirm-removal.tsx'
import { isRequired } from './field-rules.ts'
import { FollowedConflict } from './followed-conflict.tsx'
import { nameOf, RecordForm, type FormField } from './record-form.tsx'
import type { Column } from './list-column.ts'
import { RecordList } from './record-list.tsx'
import type { AnyResource, AnyRow, RowOf } from './resource-types.ts'
import { useFollowed } from './use-followed.ts'
import { useLeaveGuard } from '../ui/page/use-leave-guard.ts'
import { useRecordForm } from './use-record-form.ts'

const RemovalBar = lazyPart(async () => ({ default: (await import('./bulk/removal-bar.tsx')).RemovalBar }))

interface Options<List extends AnyEndpoint> {
  list: {
    /** Field names, or columns that draw themselves; the first one names the record. */
    columns: readonly ((keyof RowOf<List> & string) | Column<RowOf<List>>)[]
    /** The call that lists, where the resource has none of its own. */
    from?: List
    /** Where a click on a row leads. */
    open?: (row: RowOf<List>) => string
    removable?: (row: RowOf<List>) => boolean
    /** Who may take the list away as a file; it is not offered when left out. */
    exportRight?: Right
    /** Several may be deleted at once. */
    bulkRemoval?: boolean
    /** Under which name views of it are saved, where they are. */
    views?: ViewedList
    /** What goes with a record that is deleted: a whole sentence. */
    consequence?: (row: RowOf<List>) => string | undefined
  }
  form:
    | { as: 'modal' | 'drawer'; fields: readonly FormField[]; create?: PathName }
    | { as: 'page'; create: PathName; edit: (row: RowOf<List>) => string }
}

/**
 * The list of a resource, with its form for a new and an existing record, drawn from the contract: rules from the
 * schemas, labels from `resources.<name>.fields`. Refine reads and writes by the data provider, shows the buttons that the
 * access-control provider allows. Home-scoped resources read HomeID from
 * the route.
 *
 *     export const RoomList = definePages(room, { list: { columns: ['RoomName'] }, form: { as: 'modal', fields: ['RoomName'] } })
 */
export function definePages<
  R extends AnyResource,
  List extends AnyEndpoint = NonNullable<R['operations']['list']>,
>(resource: R, options: Options<List>): FC {
  type Row = RowOf<List> & object
  const { name, operations } = resource
  const list = options.list.from ?? (operations.list as List)
  const columns = options.list.columns.map((column) =>
    typeof column === 'string' ? ({ key: column } as Column<Row>) : (column as Column<Row>),
  )
  const named = (row: Row) => {
    const first = columns[0] as Column<Row>
    return String(first.text?.(row) ?? (row as AnyRow)[first.key])
  }

  const idFor = (row: Row) => idOf(name, row as AnyRow)
  /** What another screen has loaded of the same list, e.g. the header its homes: shown until the list is there. */
  const held = (scope: AnyRow) => {
    const rows = queryClient.getQueryData<readonly Row[]>(callKey(list, scope))
    return rows && { data: rows.map((row) => ({ ...row, id: idFor(row) })), total: rows.length }
  }

  return function ResourcePages() {
    const t = useT()
    const { HomeID } = useParams()
    const scope: AnyRow = resource.scope === 'home' ? { HomeID } : {}
    const { query } = useList<Row & BaseRecord, HttpError>({
      resource: name,
      meta: scope,
      // Lists come whole; RecordList searches, sorts and pages them by what its columns show.
      pagination: { mode: 'off' },
      errorNotification: false,
      queryOptions: { placeholderData: () => held(scope) },
    })
    const { mutateAsync: deleteOne } = useDelete()
    const may = {
      create: useCan({ resource: name, action: 'create' }).data?.can,
      update: useCan({ resource: name, action: 'edit' }).data?.can,
      remove: useCan({ resource: name, action: 'delete' }).data?.can,
    }
    const [edited, setEdited] = useState<'new' | Row>()
    const navigate = useNavigate()
    const { form } = options
    const confirmRemoval = useConfirmRemoval()
    const { create, update, remove } = operations

    return (
      <>
        <RecordList<Row>
          resource={name}
          title={t(`resources:${name}.list` as 'resources:room.list')}
          columns={columns}
          rows={query.data?.data}
          error={query.error}
          retry={() => void query.refetch()}
          rowKey={idFor}
          nameOf={named}
          empty={t(`resources:${name}.empty` as 'resources:room.empty')}
          exportRight={options.list.exportRight}
          views={options.list.views}
          renderBar={
            options.list.bulkRemoval && may.remove
              ? (rows, clear) => (
                  <RemovalBar
                    items={rows.map((row) => ({ id: idFor(row), name: named(row) }))}
                    consequence={t('screens:remove.final')}
                    remove={({ id }) =>
                      deleteOne({
                        resource: name,
                        id,
                        invalidates: [],
                        successNotification: false,
                        errorNotification: false,
                      })
                    }
                    clear={clear}
                  />
                )
              : undefined
          }
          create={
            create && may.create ? (
              <Button
                type="primary"
                icon={<PlusOutlined />}
                onClick={() =>
                  form.create ? void navigate(pathTo(form.create, { HomeID })) : setEdited('new')
                }
              >
                {t(`resources:${name}.create` as 'resources:room.create')}
              </Button>
            ) : undefined
          }
          onEdit={
            update && may.update
              ? (row) => (form.as === 'page' ? void navigate(form.edit(row)) : setEdited(row))
              : undefined
          }
          onOpen={
            options.list.open && ((row) => void navigate((options.list.open as (row: Row) => string)(row)))
          }
          {...(options.list.removable && { removable: options.list.removable })}
          onRemove={
            remove && may.remove
              ? (row) =>
                  confirmRemoval({
                    name: named(row),
                    consequence: options.list.consequence?.(row),
                    remove: async () => {
                      await deleteOne({
                        resource: name,
                        id: idFor(row),
                        invalidates: [],
                        successNotification: false,
                        errorNotification: false,
                      })
                    },
                  })
              : undefined
          }
        />
        {edited !== undefined && form.as !== 'page' && (
          <FormFrame
            as={form.as}
            title={
              edited === 'new'
                ? t(`resources:${name}.create` as 'resources:room.create')
                : t('screens:list.edit', { name: named(edited) })
            }
            close={() => setEdited(undefined)}
            resource={resource}
            fields={form.fields}
            record={
              edited === 'new'
                ? undefined
                : ((query.data?.data.find((row) => idFor(row) === idFor(edited)) ?? edited) as AnyRow)
            }
            scope={scope}
          />
        )}
      </>
    )
  }
}

/** Of the fields, those that a change must name. */
const requiredOf = (values: AnyRow, schema: z.ZodObject): AnyRow =>
  Object.fromEntries(Object.entries(values).filter(([field]) => isRequired(schema.shape[field] as z.ZodType)))

interface FrameProps {
  as: 'modal' | 'drawer'
  title: string
  close: () => void
  resource: AnyResource
  fields: readonly FormField[]
  /** The record to change, as it is now; undefined for a new one. */
  record: AnyRow | undefined
  scope: AnyRow
}

/** The form in a modal or a drawer; leaving it with unsaved words asks first. */
const FormFrame: FC<FrameProps> = ({ as, title, close, resource, fields, record, scope }) => {
  const t = useT()
  const { form, busy, save } = useRecordForm(resource, record, scope)
  const guard = useLeaveGuard()
  const leave = () => guard.ask(close)
  const followed = useFollowed<AnyRow>({
    record,
    parts: fields.map((field) => [nameOf(field)]),
    read: () => form.getFieldsValue() as AnyRow,
    write: (theirs, names) =>
      form.setFieldsValue(Object.fromEntries(names.map((name) => [name, theirs[name]]))),
  })
  const schema = (
    (record ? resource.operations.update : resource.operations.create) as { input: typeof resource.record }
  ).input
  const body = (
    <RecordForm
      resource={resource.name}
      schema={schema}
      fields={fields}
      form={form}
      initial={record}
      onDirty={guard.setDirty}
      submit={async (values) => {
        const { changed, seen } = followed.changes()
        const before = Object.keys(seen).length > 0 && { Seen: seen }
        const sent = record ? { ...requiredOf(values, schema), ...changed, ...before } : values
        const saved = await followed.save(async () => void (await save(sent)))
        if (saved) close()
        // Somebody else's comes with the list, and is shown under the fields: the refusal there is said by that.
        else form.setFields(fields.map((field) => ({ name: nameOf(field), errors: [] })))
      }}
    >
      <FollowedConflict
        followed={followed}
        record={record}
        words={fields.map(nameOf).map((field) => ({
          label: t(`resources:${resource.name}.fields.${field}` as 'resources:room.fields.RoomName'),
          of: (row: AnyRow) => String(row[field] ?? ''),
        }))}
      />
    </RecordForm>
  )
  const buttons = [
    <Button key="cancel" onClick={leave}>
      {t('screens:cancel')}
    </Button>,
    <Button
      key="save"
      type="primary"
      loading={busy}
      disabled={followed.disputed.length > 0}
      onClick={() => form.submit()}
    >
      {t('screens:save')}
    </Button>,
  ]
  return as === 'modal' ? (
    <Modal open title={title} onCancel={leave} footer={buttons} maskClosable={false}>
      {body}
    </Modal>
  ) : (
    <Drawer open title={title} onClose={leave} footer={buttons}>
      {body}
    </Drawer>
  )
}
