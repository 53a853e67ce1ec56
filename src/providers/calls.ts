import { resources, type ResourceName } from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Verb } from '../../contract/kernel/define-resource.ts'

/** Calls of a record by verb. */
export type OperationsOf<N extends ResourceName> = (typeof resources)[N]['operations']

/** Call of a record for a verb; undefined if it has none. */
export const callOf = (name: string, verb: Verb): AnyEndpoint | undefined =>
  (resources[name as ResourceName]?.operations as Partial<Record<Verb, AnyEndpoint>> | undefined)?.[verb]

/** Call that lists a record for screens: the paged one if there is one. */
export function listCallOf(name: string): AnyEndpoint {
  const listCall = callOf(name, 'page') ?? callOf(name, 'list')
  if (!listCall) throw new Error(`${name} cannot list`)
  return listCall
}

/** Whether the gateway pages, filters and sorts the list of a record; other lists are returned whole. */
export const pages = (name: string): boolean => 'Cursor' in listCallOf(name).input.shape
