import { useCan } from '@refinedev/core'
import type { ResourceName } from '../../contract/index.ts'

/** What the person may do with records of a resource, by the access-control provider; nothing until that has answered. */
export function useMayDo(resource: ResourceName): { create: boolean; update: boolean; remove: boolean } {
  return {
    create: useCan({ resource, action: 'create' }).data?.can ?? false,
    update: useCan({ resource, action: 'edit' }).data?.can ?? false,
    remove: useCan({ resource, action: 'delete' }).data?.can ?? false,
  }
}
