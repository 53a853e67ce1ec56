import { Alert, Card } from 'antd'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Right } from '../../contract/kernel/permissions.ts'
import { resources, type ResourceName } from '../../contract/index.ts'
import { usePageItem } from '../data/page-item.ts'
import { useMay } from '../data/session.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { accessOf, type AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { callOf } from '../providers/calls.ts'
import { Page } from '../ui/page/page.tsx'
import { MessagePage } from '../ui/page/message-page.tsx'
import { MissingRight } from '../ui/page/missing-right.tsx'
import { ListSkeleton, LoadFailed } from '../ui/page/states.tsx'
import page from '../ui/page/page.module.css'
import { FormActions } from './form-actions.tsx'
import { FormConflict } from './form-conflict.tsx'
import { RecordForm, type FormField } from './record-form.tsx'
import type { AnyRow, RecordOf } from './resource-types.ts'
import type { RecordFormState } from './use-record-form.ts'
import { useOne, type BaseRecord, type HttpError } from '@refinedev/core'
import { callErrorIn, type CallError } from '../data/post.ts'

interface OnePageProps<N extends ResourceName> {
  resource: N
  /** Key of the record from the address. */
  id: AnyRow
  /** Texts shown if the record does not exist, and of the link to the list. */
  missingTexts: () => { title: string; toList: string }
  list: string
  children: (record: RecordOf<N>, isMissing: boolean) => ReactNode
}

/** Page of one record: loading, error, not found, or the record. A record that is deleted meanwhile remains visible. */
export function OneRecordPage<N extends ResourceName>({
  resource,
  id,
  missingTexts,
  list,
  children,
}: OnePageProps<N>) {
  const query = useRecord(resource, id)
  if (query.record) return children(query.record, query.isMissing)
  if (query.isMissing) {
    const { title, toList } = missingTexts()
    return <MessagePage title={title} actions={<Link to={list}>{toList}</Link>} />
  }
  return query.error ? <LoadFailed error={query.error} retry={query.retry} /> : <ListSkeleton rows={8} />
}

interface FormCardProps {
  resource: ResourceName
  formState: RecordFormState
  /** Current record; undefined for a new one. */
  record: AnyRow | undefined
  fields: readonly FormField[]
  initial?: AnyRow | undefined
  names?: Readonly<Record<string, string>> | undefined
  /** The record can no longer be changed by any user. */
  isReadOnly?: boolean
  /** Whether another user has deleted the record. */
  isMissing?: boolean
  /** Changes of another user, if they are not visible in the fields. */
  conflict?: ReactNode
  submitText?: string
  cancelTo: string
  /** Saves, after a confirmation if required. */
  submit: (values: AnyRow) => Promise<void>
}

/** Form of a record on a page of its own; read-only without the right to save. */
export function FormCard(props: FormCardProps) {
  const { resource, formState, record, fields, isReadOnly = false, isMissing = false } = props
  const t = useT()
  const navigate = useNavigate()
  const endpoint = callOf(resource, record ? 'update' : 'create')
  const requiredRight = accessOf(endpoint as AnyEndpoint, record ?? props.initial) as Right
  const may = useMay(requiredRight.feature, requiredRight.operation)
  const hasConflict = formState.tracked.conflicting.length > 0
  return (
    <Card>
      {!may && !isReadOnly && <MissingRight right={requiredRight} />}
      {isMissing && (
        <Alert
          showIcon
          type="error"
          role="alert"
          message={t('screens:form.gone')}
          className={page.below16 ?? ''}
        />
      )}
      <RecordForm
        resource={resources[resource].name}
        schema={formState.schema}
        fields={fields}
        form={formState.form}
        columns
        disabled={!may || isReadOnly}
        initial={formState.initial ?? props.initial}
        names={props.names}
        submit={props.submit}
        onDirty={formState.setDirty}
      >
        {may &&
          !isReadOnly &&
          (props.conflict ?? <FormConflict {...{ resource, formState, record, fields }} />)}
        <FormActions
          cancel={() => void navigate(props.cancelTo)}
          saveText={props.submitText}
          busy={formState.busy}
          disabled={!may || isReadOnly || isMissing || hasConflict}
        />
      </RecordForm>
    </Card>
  )
}

/** Page of a record or of a new one: name, actions and content. */
export function RecordPage(props: { title: string; head?: ReactNode; children: ReactNode }) {
  const { title, head, children } = props
  usePageItem(title)
  return (
    <Page title={title} actions={head} width="form">
      {children}
    </Page>
  )
}

interface LoadedRecord<Row> {
  /** Current record, or its last state before deletion. */
  record: Row | undefined
  /** The record does not exist or was deleted, or the address contains no valid key. */
  isMissing: boolean
  error: CallError | undefined
  retry: () => void
}

/**
 * Loads one record.
 *
 * key  fields that the call for one record takes, or the record's key if only a list call exists; undefined for a new record
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
    isMissing: error?.failure === 'NOT_FOUND' || error?.failure === 'INVALID',
    error,
    retry: () => void query.refetch(),
  }
}
