import { useOne, type BaseRecord, type HttpError } from '@refinedev/core'
import type { ResourceName } from '../../contract/index.ts'
import { callErrorIn, type CallError } from '../data/post.ts'
import type { AnyRow, RecordOf } from './resource-types.ts'

export interface LoadedRecord<Row> {
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
export function useRecord<N extends ResourceName>(
  resource: N,
  key: AnyRow | undefined,
): LoadedRecord<RecordOf<N>> {
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
