import type { AccessControlProvider } from '@refinedev/core'
import { decide, right, type Access, type Operation } from '../../contract/kernel/permissions.ts'
import { resources, type ResourceName } from '../../contract/index.ts'
import { accessOf } from '../../contract/kernel/define-endpoint.ts'
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

/**
 * What an action takes, one of which is enough: what its call does, or else the operation of §6 on the record's feature.
 * Where a field of the input decides and is not said, whatever it may ask for.
 */
function accessesTo(name: string, action: string, about: object | undefined): readonly Access[] {
  const resource = resources[name as ResourceName]
  const verb = verbs[action]
  const operation = others[action]
  if (!resource) return []
  if (!verb) return operation ? [right(resource.feature, operation)] : []
  const endpoint = verb === 'list' ? listCallOf(name) : callOf(name, verb)
  if (!endpoint) return []
  const { accessBy } = endpoint
  if (accessBy && !(about && accessBy.field in about)) return Object.values(accessBy.rights)
  return [accessOf(endpoint, about)]
}

/** Enforces the rights of calls for Refine's buttons and routes, by the policy of the contract. */
export const accessControlProvider: AccessControlProvider = {
  can({ resource, action, params }) {
    const accesses = accessesTo(resource ?? '', action, params?.['meta'] as object | undefined)
    const subject = subjectOf(me.get())
    const decisions = accesses.map((access) => decide(access, subject))
    // What is no record of ours is a page: the route's own gate decides there.
    const [missing] = decisions.length === 0 || decisions.includes(true) ? [] : decisions
    return Promise.resolve(
      missing === undefined
        ? { can: true }
        : { can: false, ...(typeof missing === 'object' && { reason: describeRight(missing) }) },
    )
  },
  options: {
    buttons: { enableAccessControl: true, hideIfUnauthorized: true },
    // Answered here without a call: never old, and not waiting for the network.
    queryOptions: { staleTime: 0, networkMode: 'always' },
  },
}
