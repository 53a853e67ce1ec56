import type { AccessControlProvider } from '@refinedev/core'
import { decide, right, type Access, type Operation } from '../../contract/features.ts'
import { resources, type ResourceName } from '../../contract/index.ts'
import type { Verb } from '../../contract/kernel/define-resource.ts'
import { describeRight } from '../data/failure.ts'
import { me, subjectOf } from '../data/session.ts'
import { callOf, listCallOf } from './calls.ts'

/** The calls that Refine's actions make. */
const verbs: Record<string, Verb> = {
  list: 'list',
  show: 'list',
  create: 'create',
  clone: 'create',
  edit: 'update',
  delete: 'remove',
}
/** Actions that are no call of the record. */
const others: Record<string, Operation> = { export: 'Export', control: 'Control' }

/** What an action takes: what its call does, or else the operation of §6 on the record's feature. */
function accessOf(name: string, action: string): Access | undefined {
  const resource = resources[name as ResourceName]
  const verb = verbs[action]
  if (verb === 'list') return resource && listCallOf(name).access
  const operation = others[action]
  return verb ? callOf(name, verb)?.access : resource && operation && right(resource.feature, operation)
}

/** Enforces the rights of calls for Refine's buttons and routes, by the policy of the contract. */
export const accessControlProvider: AccessControlProvider = {
  can({ resource, action }) {
    const access = accessOf(resource ?? '', action)
    // What is no record of ours is a page: the route's own gate decides there.
    if (!access) return Promise.resolve({ can: true })
    const decision = decide(access, subjectOf(me.get()))
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
