import { Alert, Button, Card } from 'antd'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Right } from '../../contract/kernel/permissions.ts'
import { resources, type ResourceName } from '../../contract/index.ts'
import { usePageItem } from '../data/page-item.ts'
import { useMay } from '../data/session.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { accessOf, type AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { callOf } from '../providers/calls.ts'
import page from '../ui/page/page.module.css'
import { MessagePage } from '../ui/page/message-page.tsx'
import { MissingRight } from '../ui/page/missing-right.tsx'
import { ListSkeleton, LoadFailed } from '../ui/page/states.tsx'
import styles from './form.module.css'
import { FormConflict } from './form-conflict.tsx'
import { RecordForm, type FormField } from './record-form.tsx'
import type { AnyRow, RecordOf } from './resource-types.ts'
import type { RecordFormState } from './use-record-form.ts'
import { useOne, type BaseRecord, type HttpError } from '@refinedev/core'
import { callErrorIn, type CallError } from '../data/post.ts'

interface OnePageProps<N extends ResourceName> {
  resource: N
  /** What the address knows the record by. */
  id: AnyRow
  /** What is said where there is none, and the way to the list. */
  gone: () => { title: string; toList: string }
  list: string
  children: (record: RecordOf<N>, gone: boolean) => ReactNode
}

/** A page about one record: loading, failed, not there, or what it is about. One that is deleted meanwhile stays as it was. */
export function OneRecordPage<N extends ResourceName>({
  resource,
  id,
  gone,
  list,
  children,
}: OnePageProps<N>) {
  const one = useRecord(resource, id)
  if (one.record) return children(one.record, one.gone)
  if (one.gone) {
    const { title, toList } = gone()
    return <MessagePage title={title} actions={<Link to={list}>{toList}</Link>} />
  }
  return one.error ? <LoadFailed error={one.error} retry={one.retry} /> : <ListSkeleton rows={8} />
}

interface FormCardProps {
  resource: ResourceName
  edited: RecordFormState
  /** As it is now; undefined for a new one. */
  record: AnyRow | undefined
  fields: readonly FormField[]
  initial?: AnyRow | undefined
  names?: Readonly<Record<string, string>> | undefined
  columns?: boolean | undefined
  /** Nothing can be changed any more, whoever asks. */
  over?: boolean
  /** Somebody else has deleted it meanwhile. */
  gone?: boolean
  /** What somebody else has changed, where the fields do not say it. */
  conflict?: ReactNode
  submitText?: string
  cancelTo: string
  /** Saves; asks first where that is due. */
  submit: (values: AnyRow) => Promise<void>
}

/** The form of a record on a page of its own, which can be read without the right to save. */
export function FormCard(props: FormCardProps) {
  const { resource, edited, record, fields, over = false, gone = false } = props
  const t = useT()
  const navigate = useNavigate()
  const endpoint = callOf(resource, record ? 'update' : 'create')
  const needed = accessOf(endpoint as AnyEndpoint, record ?? props.initial) as Right
  const may = useMay(needed.feature, needed.operation)
  const isHeld = edited.followed.conflicting.length > 0
  return (
    <Card>
      {!may && !over && <MissingRight right={needed} />}
      {gone && (
        <Alert
          showIcon
          type="error"
          role="alert"
          message={t('screens:form.gone')}
          className={styles.alert ?? ''}
        />
      )}
      <RecordForm
        resource={resources[resource].name}
        schema={edited.schema}
        fields={fields}
        form={edited.form}
        columns={props.columns ?? true}
        disabled={!may || over}
        initial={edited.initial ?? props.initial}
        names={props.names}
        submit={props.submit}
        onDirty={edited.setDirty}
      >
        {may && !over && (props.conflict ?? <FormConflict {...{ resource, edited, record, fields }} />)}
        <div className={styles.actions}>
          <Button disabled={false} onClick={() => void navigate(props.cancelTo)}>
            {t('screens:cancel')}
          </Button>
          <Button
            type="primary"
            htmlType="submit"
            loading={edited.busy}
            disabled={!may || over || gone || isHeld}
          >
            {props.submitText ?? t('screens:save')}
          </Button>
        </div>
      </RecordForm>
    </Card>
  )
}

/** A page of one record or of a new one: its name, what can be done with it, and what there is of it. */
export function RecordPage(props: { title: string; head?: ReactNode; small?: boolean; children: ReactNode }) {
  const { title, head, small, children } = props
  usePageItem(title)
  return (
    <section className={`${page.page} ${small ? styles.small : page.narrow}`}>
      <header className={page.header}>
        <h1>{title}</h1>
        {head}
      </header>
      {children}
    </section>
  )
}

interface LoadedRecord<Row> {
  /** As it was at last, also when it is gone. */
  record: Row | undefined
  /** There is none, or no more; an address that is no key is nobody's either. */
  gone: boolean
  error: CallError | undefined
  retry: () => void
}

/**
 * One record.
 *
 * key  the fields that the call for one takes, or the key of the record where the list has to be asked; undefined for a new record
 */
function useRecord<N extends ResourceName>(resource: N, key: AnyRow | undefined): LoadedRecord<RecordOf<N>> {
  const { query } = useOne<RecordOf<N> & BaseRecord, HttpError>({
    resource,
    id: key ? Object.values(key).map(String).join('~') : '',
    ...(key && { meta: { key } }),
    errorNotification: false,
    queryOptions: { enabled: key !== undefined },
  })
  const error = callErrorIn(query.error)
  return {
    record: query.data?.data,
    gone: error?.failure === 'NOT_FOUND' || error?.failure === 'INVALID',
    error,
    retry: () => void query.refetch(),
  }
}
