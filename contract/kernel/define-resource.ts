import type { z } from 'zod'
import { right, type FeatureKey, type Operation } from '../features.ts'
import { defineEndpoint, type AnyEndpoint, type Endpoint } from './define-endpoint.ts'
import type { ErrorCode } from './errors.ts'

/** The verbs a resource can offer and the operation of §6 each one needs. */
export const VERBS = {
  list: 'Read',
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
  errors?: readonly ErrorCode[]
}

type EndpointFrom<Spec> = Spec extends {
  path: infer P extends string
  input: infer I extends z.ZodObject
  results: infer R extends z.ZodType
}
  ? Endpoint<P, I, R>
  : never

export interface Resource<
  Name extends string = string,
  Record extends z.ZodObject = z.ZodObject,
  Operations = { [verb in Verb]?: AnyEndpoint },
> {
  name: Name
  /** Whose it is: one company's, or one home's within a company. */
  scope: 'company' | 'home'
  feature: FeatureKey
  record: Record
  /** The fields that together name one record. */
  key: readonly (keyof z.infer<Record> & string)[]
  operations: Operations
}

/**
 * Declares a record with its calls. Each call asks for the operation of §6 that its verb names, on the
 * resource's feature; everything but list and get is a mutation.
 */
export function defineResource<
  const Name extends string,
  Record extends z.ZodObject,
  Operations extends { [verb in Verb]?: OperationSpec },
>(options: {
  name: Name
  scope: 'company' | 'home'
  feature: FeatureKey
  record: Record
  key: readonly (keyof z.infer<Record> & string)[]
  operations: Operations
}): Resource<Name, Record, { [V in keyof Operations]: EndpointFrom<Operations[V]> }> {
  const operations = Object.fromEntries(
    Object.entries(options.operations).map(([verb, spec]) => [
      verb,
      defineEndpoint({
        ...(spec as OperationSpec),
        access: right(options.feature, VERBS[verb as Verb]),
        mutates: VERBS[verb as Verb] !== 'Read',
      }),
    ]),
  )
  return { ...options, operations: operations as { [V in keyof Operations]: EndpointFrom<Operations[V]> } }
}
