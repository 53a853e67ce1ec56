import { useCan } from '@refinedev/core'
import type { ResourceName } from '../../contract/index.ts'

/**
 * What the person may do with records of a resource, by the access-control provider; nothing until that has answered.
 *
 * record  of a resource whose rights a field decides (`accessBy`): the record, or what a list or form is about; without that
 *         field, whether any of the rights is held
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
