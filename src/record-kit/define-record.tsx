import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type ComponentType, type FC } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { ResourceName } from '../../contract/index.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { idOf } from '../providers/data.ts'
import { RecordDialog } from './record-dialog.tsx'
import { RecordList } from './record-list.tsx'
import { FormCard, OneRecordPage, RecordPage } from './record-page.tsx'
import type { AnyRow, RecordOf, RowOf } from './resource-types.ts'
import { useValueOrHook, type RecordFormSpec, type RecordScreen } from './screen.ts'
import { nameIn, useColumns, useWords } from './use-columns.ts'
import { useMayDo } from './use-may-do.ts'
import { useRecordForm } from './use-record-form.ts'
import { scopeIn, useRecords } from './use-records.ts'

export interface RecordPages {
  List: ComponentType
  Create: ComponentType
  Edit: ComponentType
}

/**
 * Pages of a record, generated from the contract: validation from the schemas, labels from `resources.<name>.fields`. Refine reads and
 * writes through the data provider, and shows what the access-control provider allows. Records of a home read HomeID from the address.
 *
 *     export default defineRecord({ resource: 'department', columns: ['Department'], form: { as: 'modal', fields: ['Department'] } })
 */
export function defineRecord<N extends ResourceName>(screen: RecordScreen<N>): RecordPages {
  const { pages = {}, form } = screen
  const List: FC = () => <ListPage screen={screen} />
  const Create: FC = () => form && <CreatePage screen={screen} form={form} />
  const Edit: FC = () => form && <EditPage screen={screen} form={form} />
  return { List: pages.List ?? List, Create: pages.Create ?? Create, Edit: pages.Edit ?? Edit }
}

interface PageProps<N extends ResourceName> {
  screen: RecordScreen<N>
}
type FormPageProps<N extends ResourceName> = PageProps<N> & { form: RecordFormSpec<N> }

function ListPage<N extends ResourceName>({ screen }: PageProps<N>) {
  const { form, to } = screen
  const [edited, setEdited] = useState<'new' | RowOf<N>>()
  const navigate = useNavigate()
  const params = useParams()
  const may = useMayDo(screen.resource, screen.scope)
  const words = useWords(screen)
  const inDialog = form !== undefined && form.presentation !== 'page'
  const button = (onClick?: () => void) => (
    <Button type="primary" icon={<PlusOutlined />} {...(onClick ? { onClick } : { tabIndex: -1 })}>
      {words.create}
    </Button>
  )
  const create = !may.create ? undefined : to?.create ? (
    <Link to={to.create(params)}>{button()}</Link>
  ) : inDialog ? (
    button(() => setEdited('new'))
  ) : undefined
  const editPath = to?.edit
  const edit = editPath ? (row: RowOf<N>) => void navigate(editPath(row)) : inDialog ? setEdited : undefined
  return (
    <>
      <RecordList screen={screen} create={create} edit={edit} />
      {edited !== undefined && form && (
        <EditedRow screen={screen} form={form} edited={edited} close={() => setEdited(undefined)} />
      )}
    </>
  )
}

interface EditedProps<N extends ResourceName> extends FormPageProps<N> {
  edited: 'new' | RowOf<N>
  close: () => void
}

/** Form of a row over its list; the list provides the changes of other users. */
function EditedRow<N extends ResourceName>({ screen, form, edited, close }: EditedProps<N>) {
  const { resource } = screen
  const t = useT()
  const words = useWords(screen)
  const columns = useColumns(screen)
  const scope = scopeIn(resource, useParams())
  const { rows } = useRecords(resource, { scope })
  const id = edited === 'new' ? undefined : idOf(resource, edited as AnyRow)
  const savedRow = id === undefined ? undefined : rows?.find((row) => idOf(resource, row as AnyRow) === id)
  const record = savedRow ?? (edited === 'new' ? undefined : edited)
  return (
    <RecordDialog
      resource={resource}
      form={form}
      title={edited === 'new' ? words.create : t('screens:list.edit', { name: nameIn(columns, edited) })}
      record={record as RecordOf<N> | undefined}
      isMissing={id !== undefined && rows !== undefined && savedRow === undefined}
      scope={scope}
      close={close}
    />
  )
}

function CreatePage<N extends ResourceName>({ screen, form }: FormPageProps<N>) {
  const { resource, to } = screen
  const words = useWords(screen)
  const params = useParams()
  const navigate = useNavigate()
  const fields = useValueOrHook(form.fields)
  const initial = useValueOrHook(form.initial)
  const formState = useRecordForm(resource, undefined, {
    scope: scopeIn(resource, params),
    toInput: form.toInput,
  })
  const list = to?.list(params) ?? '/'
  return (
    <RecordPage title={words.create}>
      <FormCard
        {...{ resource, formState, fields, initial }}
        record={undefined}
        names={form.names}
        cancelTo={list}
        submit={async (values) => {
          const saved = await formState.save(values)
          if (saved) void navigate(to?.created?.(saved) ?? list)
        }}
      />
    </RecordPage>
  )
}

function EditPage<N extends ResourceName>({ screen, form }: FormPageProps<N>) {
  const { resource, to } = screen
  const params = useParams()
  const key = to?.key?.(params) ?? {}
  const list = to?.list(params) ?? '/'
  const missingTexts = form.missingTexts ?? (() => ({ title: '', toList: '' }))
  return (
    <OneRecordPage
      key={JSON.stringify(key)}
      resource={resource}
      id={key}
      missingTexts={missingTexts}
      list={list}
    >
      {(record, isMissing) => (
        <EditedPage {...{ screen, form, list }} record={record} isMissing={isMissing} />
      )}
    </OneRecordPage>
  )
}

interface EditedPageProps<N extends ResourceName> extends FormPageProps<N> {
  record: RecordOf<N>
  isMissing: boolean
  list: string
}

function EditedPage<N extends ResourceName>({ screen, form, record, isMissing, list }: EditedPageProps<N>) {
  const { resource } = screen
  const navigate = useNavigate()
  const columns = useColumns(screen)
  const fields = useValueOrHook(form.fields)
  const formState = useRecordForm(resource, record as AnyRow, {
    toForm: form.toForm as ((record: AnyRow) => AnyRow) | undefined,
    toInput: form.toInput,
  })
  const { Above, Below, Head } = form
  return (
    <RecordPage
      title={nameIn(columns, record as unknown as RowOf<N>)}
      head={Head && <Head record={record} />}
    >
      {Above && <Above record={record} />}
      <FormCard
        {...{ resource, formState, fields, isMissing }}
        record={record as AnyRow}
        isReadOnly={form.isReadOnly?.(record) ?? false}
        names={form.names}
        cancelTo={list}
        submit={async (values) => {
          if (await formState.save(values)) void navigate(list)
        }}
      />
      {Below && <Below record={record} />}
    </RecordPage>
  )
}
