import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Form, Modal } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { AnyEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { pathTo, type PathName } from '../../paths.ts'
import { call, callQuery } from '../../providers/api.ts'
import { useT } from '../../providers/i18n.ts'
import { notices } from '../../providers/notices.ts'
import { useMay } from '../../providers/session.ts'
import { useConfirmRemoval } from './confirm-removal.tsx'
import { RecordForm, type FormField } from './record-form.tsx'
import { RecordList, type Column } from './record-list.tsx'
import { refreshAfter } from './refresh-after.ts'
import { keyOf, rowKey, type AnyResource, type AnyRow, type RowOf } from './resource-types.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

interface Options<List extends AnyEndpoint> {
  list: {
    /** Field names, or columns that draw themselves; the first one names the record. */
    columns: readonly ((keyof RowOf<List> & string) | Column<RowOf<List>>)[]
    /** The call that lists, where the resource has none of its own. */
    from?: List
    /** Where a click on a row leads. */
    open?: (row: RowOf<List>) => string
    removable?: (row: RowOf<List>) => boolean
    /** What goes with a record that is deleted: a whole sentence. */
    consequence?: (row: RowOf<List>) => string | undefined
  }
  form:
    | { as: 'modal' | 'drawer'; fields: readonly FormField[]; create?: PathName }
    | { as: 'page'; create: PathName; edit: (row: RowOf<List>) => string }
}

/**
 * The list of a resource, with its form for a new and an existing record, drawn from the contract: rules from the
 * schemas, labels from `resources.<name>.fields`, buttons from the permission of each call. Home-scoped resources
 * read HomeID from the route.
 *
 *     export const RoomList = definePages(room, { list: { columns: ['RoomName'] }, form: { as: 'modal', fields: ['RoomName'] } })
 */
export function definePages<
  R extends AnyResource,
  List extends AnyEndpoint = NonNullable<R['operations']['list']>,
>(resource: R, options: Options<List>): FC {
  type Row = RowOf<List> & object
  const { name, operations, feature } = resource
  const list = options.list.from ?? (operations.list as List)
  const columns = options.list.columns.map((column) =>
    typeof column === 'string' ? ({ key: column } as Column<Row>) : (column as Column<Row>),
  )
  const named = (row: Row) => {
    const first = columns[0] as Column<Row>
    return String(first.text?.(row) ?? (row as AnyRow)[first.key])
  }

  return function ResourcePages() {
    const t = useT()
    const { HomeID } = useParams()
    const scope = resource.scope === 'home' ? { HomeID } : {}
    const query = useQuery(callQuery(list, scope as never))
    const may = {
      create: useMay(feature, 'Create'),
      update: useMay(feature, 'Update'),
      remove: useMay(feature, 'Delete'),
    }
    const [edited, setEdited] = useState<'new' | Row>()
    const navigate = useNavigate()
    const { form } = options
    const confirmRemoval = useConfirmRemoval()
    const { create, update, remove } = operations

    const save = async (values: Record<string, unknown>) => {
      const isNew = edited === 'new'
      if (isNew) await call(create as never, { ...scope, ...values } as never)
      else await call(update as never, { ...keyOf(resource, edited as AnyRow), ...values } as never)
      setEdited(undefined)
      notices.success(() => t(isNew ? 'screens:created' : 'screens:updated'))
      await refreshAfter(name)
    }

    return (
      <>
        <RecordList<Row>
          resource={name}
          title={t(`resources:${name}.list` as 'resources:room.list')}
          columns={columns}
          rows={query.data as Row[] | undefined}
          error={query.error}
          retry={() => void query.refetch()}
          rowKey={(row) => rowKey(resource, row as AnyRow)}
          nameOf={named}
          empty={t(`resources:${name}.empty` as 'resources:room.empty')}
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
                      await call(remove as never, keyOf(resource, row as AnyRow) as never)
                      await refreshAfter(name)
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
            initial={edited === 'new' ? undefined : (edited as AnyRow)}
            submit={save}
          />
        )}
      </>
    )
  }
}

interface FrameProps {
  as: 'modal' | 'drawer'
  title: string
  close: () => void
  resource: AnyResource
  fields: readonly FormField[]
  initial: AnyRow | undefined
  submit: (values: Record<string, unknown>) => Promise<void>
}

/** The form in a modal or a drawer; leaving it with unsaved words asks first. */
const FormFrame: FC<FrameProps> = ({ as, title, close, resource, fields, initial, submit }) => {
  const t = useT()
  const [form] = Form.useForm()
  const [busy, setBusy] = useState(false)
  const guard = useLeaveGuard()
  const leave = () => guard.ask(close)
  const schema = (
    (initial ? resource.operations.update : resource.operations.create) as { input: typeof resource.record }
  ).input
  const body = (
    <RecordForm
      resource={resource.name}
      schema={schema}
      fields={fields}
      form={form}
      initial={initial}
      onDirty={guard.setDirty}
      submit={async (values) => {
        setBusy(true)
        try {
          await submit(values)
        } finally {
          setBusy(false)
        }
      }}
    />
  )
  const buttons = [
    <Button key="cancel" onClick={leave}>
      {t('screens:cancel')}
    </Button>,
    <Button key="save" type="primary" loading={busy} onClick={() => form.submit()}>
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
