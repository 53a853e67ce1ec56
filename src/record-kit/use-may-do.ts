import { useCan } from '@refinedev/core'
import type { ResourceName } from '../../contract/index.ts'

/**
 * Whether the user may create, update and remove records of a resource, by the access-control provider; false until it has answered.
 *
 * record  for a resource whose rights depend on a field (`accessBy`): the record, or the scope of a list or form; without that
 *         field, whether the user holds any of the rights
 */
export function useMayDo(
  resource: ResourceName,
  record?: object,
): { create: boolean; update: boolean; remove: boolean } {
  const params = record && { meta: { ...record } }
  return {
    create: useCan({ resource, action: 'create', params }).data?.can ?? false,
    update: useCan({ resource, action: 'edit', params }).data?.can ?? false,
    remove: useCan({ resource, action: 'delete', params }).data?.can ?? false,
  }
}
