import type { z } from 'zod'
import type { ResourceName } from '../../contract/index.ts'
import type { AnyEndpoint, ResultsOf, RequestOf } from '../../contract/kernel/define-endpoint.ts'
import type { OperationsOf } from '../providers/calls.ts'

type CallOf<N extends ResourceName, Verb extends string> =
  OperationsOf<N> extends { [verb in Verb]: infer E extends AnyEndpoint } ? E : never

/** The call that lists a record for screens. */
type ListOf<N extends ResourceName> =
  OperationsOf<N> extends { page: unknown } ? CallOf<N, 'page'> : CallOf<N, 'list'>

type RowsIn<Answer> = Answer extends readonly (infer Row)[]
  ? Row
  : Answer extends { Rows: readonly (infer Row)[] }
    ? Row
    : Answer extends { Peripherals: readonly (infer Row)[] }
      ? Row
      : never

/** A record as returned by its list call. */
export type RowOf<N extends ResourceName> = RowsIn<ResultsOf<ListOf<N>>> & object

/** A record as shown on its own page: as returned by its get call, or else by its list call. */
export type RecordOf<N extends ResourceName> =
  OperationsOf<N> extends { get: infer E extends AnyEndpoint }
    ? ResultsOf<E> extends { Peripheral: infer Device extends object }
      ? Device
      : ResultsOf<E> & object
    : RowOf<N>

export type FilterOf<N extends ResourceName> = Partial<
  Omit<RequestOf<ListOf<N>>, 'Cursor' | 'Limit' | 'Sort' | 'Descending'>
>

/** A row whose fields are read by name. */
export type AnyRow = Readonly<Record<string, unknown>>

/** Input schema of a call, read by name. */
export type AnyInput = z.ZodObject
