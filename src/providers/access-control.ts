import type { AccessControlProvider } from '@refinedev/core'
import { decide, type Operation } from '../../contract/features.ts'
import { resources, type ResourceName } from '../../contract/index.ts'
import { describeRight } from '../data/failure.ts'
import { me, subjectOf } from '../data/session.ts'

/** Refine's actions as operations of §6. */
const operations: Record<string, Operation> = {
  list: 'Read',
  show: 'Read',
  create: 'Create',
  clone: 'Create',
  edit: 'Update',
  delete: 'Delete',
  export: 'Export',
  control: 'Control',
}

/** Enforces the feature and operation matrix (§6) for Refine's buttons and routes, by the policy of the contract. */
export const accessControlProvider: AccessControlProvider = {
  can({ resource, action }) {
    const record = resources[resource as ResourceName]
    const operation = operations[action]
    // What is no record of ours is a page: the route's own gate decides there.
    if (!record || !operation) return Promise.resolve({ can: true })
    const decision = decide({ feature: record.feature, operation }, subjectOf(me.get()))
    return Promise.resolve(
      decision === true
        ? { can: true }
        : { can: false, ...(typeof decision === 'object' && { reason: describeRight(decision) }) },
    )
  },
  options: {
    buttons: { enableAccessControl: true, hideIfUnauthorized: true },
    // Answered here without a call: never old, and not waiting for the network.
    queryOptions: { staleTime: 0, networkMode: 'always' },
  },
}
