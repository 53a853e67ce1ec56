import type { z } from 'zod'
import { right, type Access, type FeatureKey, type Operation } from './permissions.ts'
import { defineEndpoint, type AccessBy, type AnyEndpoint, type Endpoint } from './define-endpoint.ts'
import type { Entity, ShownEntity } from './entities.ts'
import type { ErrorCode } from './errors.ts'

/** The verbs a resource can offer and the operation of §6 each one needs. */
export const VERBS = {
  list: 'Read',
  /** The list as screens show it, a page at a time, where the specified list comes whole. */
  page: 'Read',
  get: 'Read',
  create: 'Create',
  update: 'Update',
  remove: 'Delete',
} as const satisfies Record<string, Operation>
export type Verb = keyof typeof VERBS

interface OperationSpec {
  path: string
  summary: string
  input: z.ZodObject
  results: z.ZodType
  aliases?: Readonly<Record<string, string>>
  errors?: readonly ErrorCode[]
  /** Instead of the operation of §6 that the verb names. */
  access?: Access
  /** Instead of it: the right that a field of the input decides. */
  accessBy?: AccessBy
  /** What rows say beside the record itself. */
  shows?: readonly ShownEntity[]
  /** What the mutation changes beside the record itself. */
  changes?: readonly ShownEntity[]
  freshFor?: number
  inPlace?: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- each operation names its own answer
  rows?: (answer: any) => readonly object[]
}

type EndpointFrom<Spec> = Spec extends {
  path: infer P extends string
  input: infer I extends z.ZodObject
  results: infer R extends z.ZodType
}
  ? Endpoint<P, I, R>
  : never

/** What each data-change event of a record says (§7). */
export type EventSchemas = Readonly<{ [event: string]: z.ZodType }>

/**
 * The three events of a record: all of it, or only its key where records are long, personal or listed a page at a time, so
 * that lists are asked for again.
 */
export const eventsOf = <K extends z.ZodType, R extends z.ZodType = K>(key: K, record?: R) => {
  const changed = (record ?? key) as R
  return { add: changed, update: changed, remove: key }
}

export interface Resource<
  Name extends string = string,
  Record extends z.ZodObject = z.ZodObject,
  Operations = { [verb in Verb]?: AnyEndpoint },
  Events extends EventSchemas = EventSchemas,
> {
  name: Name
  /** Whose it is: one company's, or one home's within a company. */
  scope: 'company' | 'home'
  feature: FeatureKey
  record: Record
  /** The fields that together name one record. */
  key: readonly (keyof z.infer<Record> & string)[]
  events: Events
  /** Who may hear of changes. */
  eventAccess: Access
  operations: Operations
}

/**
 * Declares a record with its calls. Each call asks for the operation of §6 that its verb names, on the
 * resource's feature, unless it says otherwise; everything but list, page and get is a mutation. The calls that read show
 * the record, the mutations change it. Who may read the record hears of its events, unless `eventAccess` says otherwise.
 */
export function defineResource<
  const Name extends Entity,
  Record extends z.ZodObject,
  Operations extends { [verb in Verb]?: OperationSpec },
  const Events extends EventSchemas,
>(options: {
  name: Name
  scope: 'company' | 'home'
  feature: FeatureKey
  record: Record
  key: readonly (keyof z.infer<Record> & string)[]
  events: Events
  eventAccess?: Access
  operations: Operations
}): Resource<Name, Record, { [V in keyof Operations]: EndpointFrom<Operations[V]> }, Events> {
  const operations = Object.fromEntries(
    Object.entries<OperationSpec>(options.operations).map(([verb, spec]) => {
      const operation = VERBS[verb as Verb]
      const reads = operation === 'Read'
      const endpoint = defineEndpoint({
        access: spec.accessBy ? 'signed-in' : right(options.feature, operation),
        ...spec,
        mutates: !reads,
        key: verb === 'get' ? options.key : [],
        shows: reads ? [options.name, ...(spec.shows ?? [])] : [],
        changes: reads ? [] : [options.name, ...(spec.changes ?? [])],
      })
      return [verb, endpoint]
    }),
  )
  return {
    eventAccess: right(options.feature, 'Read'),
    ...options,
    operations: operations as { [V in keyof Operations]: EndpointFrom<Operations[V]> },
  }
}
