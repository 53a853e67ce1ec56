import { resources, type ResourceName } from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Verb } from '../../contract/kernel/define-resource.ts'

/** The calls of a record, by verb. */
export type OperationsOf<N extends ResourceName> = (typeof resources)[N]['operations']

/** A record's call of a verb, if it has one. */
export const callOf = (name: string, verb: Verb): AnyEndpoint | undefined =>
  (resources[name as ResourceName]?.operations as Partial<Record<Verb, AnyEndpoint>> | undefined)?.[verb]

/** The call that lists a record for screens: a page at a time where there is one that pages. */
export function listCallOf(name: string): AnyEndpoint {
  const found = callOf(name, 'page') ?? callOf(name, 'list')
  if (!found) throw new Error(`${name} cannot list`)
  return found
}

/** Whether the gateway pages, filters and sorts the list of a record; any other one comes whole. */
export const pages = (name: string): boolean => 'Cursor' in listCallOf(name).input.shape
