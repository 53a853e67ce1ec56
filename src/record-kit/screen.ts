import type { ComponentType, ReactNode } from 'react'
import type { Right } from '../../contract/kernel/permissions.ts'
import type { ResourceName } from '../../contract/index.ts'
import type { ViewedList } from '../../contract/lists/list-query.ts'
import type { ListColumn } from './export/columns.ts'
import type { BarFilter } from '../ui/filter-bar/bar-filter.ts'
import type { IllustrationName } from '../ui/page/states.tsx'
import type { ListTableColumn } from './list/column.ts'
import type { FormField } from './record-form.tsx'
import type { AnyRow, FilterOf, RecordOf, RowOf } from './resource-types.ts'

/** A value, or a hook that computes it if it depends on more than the record, e.g. on the names of homes. */
export type ValueOrHook<T> = T | (() => T)

/** Value, or result of the hook: a screen passes the same kind for its whole life. */
export const useValueOrHook = <T>(of: ValueOrHook<T>): T =>
  typeof of === 'function' ? (of as () => T)() : of

/** Parameters of a page's path. */
export type Params = Readonly<Record<string, string | undefined>>

/** Returns a parameter of the address, '' if absent. */
export type Parameter = (name: string) => string

/** A filter that the gateway applies; it is stored in the address. */
export interface ListFilter<Filter> {
  /** Parameters of the address. */
  params: readonly string[]
  /** Input of the list call; invalid values of the address are ignored. */
  read: (get: Parameter) => Filter
  bar: (get: Parameter, change: (next: Record<string, string | undefined>) => void) => BarFilter
}

/** Texts of a screen that differ from `resources.<name>.list`, `.create` and `.empty`. */
export interface ScreenWords {
  list: string
  create: string
  empty: string
}

export interface RecordFormSpec<N extends ResourceName> {
  presentation: 'modal' | 'drawer' | 'page'
  fields: ValueOrHook<readonly FormField[]>
  /** Initial values of a new record. */
  initial?: ValueOrHook<AnyRow>
  toForm?: (record: RecordOf<N>) => AnyRow
  toInput?: (values: AnyRow) => AnyRow
  /** Maps fields of the call to fields of the form, if they differ. */
  names?: Readonly<Record<string, string>>
  /** Content other than fields: above the form on a page, and below any form. */
  Above?: ComponentType<{ record: RecordOf<N> }>
  Below?: ComponentType<{ record: RecordOf<N> }>
  /** Content next to the record's name on a page: its state, and further actions. */
  Head?: ComponentType<{ record: RecordOf<N> }>
  /** Whether the record can no longer be changed by any user. */
  isReadOnly?: (record: RecordOf<N>) => boolean
  /** On a page: texts shown if the record does not exist or was deleted, and of the link to the list. */
  missingTexts?: () => { title: string; toList: string }
}

/** Lists and forms of a record: properties that the contract does not define. */
export interface RecordScreen<N extends ResourceName> {
  resource: N
  words?: () => Partial<ScreenWords>
  /** The first column names the record; a plain field is rendered by its schema. */
  columns: ValueOrHook<readonly (ListTableColumn<RowOf<N>> | (keyof RowOf<N> & string))[]>
  filters?: ValueOrHook<readonly ListFilter<FilterOf<N>>[]>
  /** Names the fields that the search of a paged list covers. */
  search?: () => string
  /** Default order of a paged list. */
  sort?: { Sort: string; Descending: boolean }
  form?: RecordFormSpec<N>
  /** Address that a click on a row opens. */
  open?: (row: RowOf<N>) => string
  /** Addresses of further pages, if it has any. */
  to?: {
    list: (params: Params) => string
    create?: (params: Params) => string
    edit?: (row: RowOf<N>) => string
    /** Key of the record from the address, as input of its get call. */
    key?: (params: Params) => AnyRow
    /** Address after creating a record; defaults to the list. */
    created?: (saved: AnyRow) => string
  }
  remove?: RemoveSpec<RowOf<N>>
  /** Main action of a row, and its width in px. */
  Actions?: ComponentType<{ row: RowOf<N> }>
  /** Icon buttons in the menu of a row, before edit and delete. */
  Menu?: ComponentType<{ row: RowOf<N> }>
  actionsWidth?: number
  /** Bulk actions, and the rights they need. */
  bulk?:
    | 'remove'
    | {
        requiredRights: readonly Right[]
        Bar: ComponentType<{ rows: readonly RowOf<N>[]; clear: () => void }>
      }
  /** Right required for the export, and its columns if they differ from the list's. */
  exports?: { requiredRight: Right; columns?: ValueOrHook<readonly ListColumn<RowOf<N>>[]> }
  /** Name under which views of the list are saved. */
  views?: ViewedList
  /** Illustration of the empty list; a magnifying glass if absent. */
  drawing?: IllustrationName
  Tools?: ComponentType
  /** Custom pages, built on the hooks of the record kit. */
  pages?: { List?: ComponentType; Create?: ComponentType; Edit?: ComponentType }
  /** Restricts the screen to these records of the resource. */
  scope?: FilterOf<N>
}

export interface RemoveSpec<Row> {
  when?: (row: Row) => boolean
  /** Consequence of a deletion as a whole sentence, or a component that fetches it; `bulkConsequence` for several records. */
  consequence?: (row: Row) => ReactNode
  bulkConsequence?: () => string
  /** Component that fetches and shows things that stop working without these records; renders nothing if there are none. */
  breaks?: (rows: readonly Row[]) => ReactNode
  /** Second confirmation after a rejected deletion; undefined if the rejection is final. */
  refused?: (row: Row, error: unknown) => Promise<ConfirmationLevel | undefined>
  /** Reason why a record remains after a bulk deletion; undefined if the error itself describes it. */
  staysBecause?: (name: string, error: unknown) => (() => string) | undefined
  /** Rows have no delete button: records are deleted on their page, or in bulk. */
  notInRows?: boolean
}

/** Second confirmation, before a record is deleted together with what prevents its deletion, and the additional input of the call. */
export interface ConfirmationLevel {
  title: string
  question: ReactNode
  ok: string
  input: object
}
