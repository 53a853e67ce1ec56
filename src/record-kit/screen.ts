import type { ComponentType, ReactNode } from 'react'
import type { Right } from '../../contract/kernel/permissions.ts'
import type { ResourceName } from '../../contract/index.ts'
import type { ViewedList } from '../../contract/lists/view-query.ts'
import type { ListColumn } from './export/columns.ts'
import type { IllustrationName } from '../ui/page/drawing.tsx'
import type { ListTableColumn } from './list/column.ts'
import type { FormField } from './record-form.tsx'
import type { AnyRow, FilterOf, RecordOf, RowOf } from './resource-types.ts'

/** A value, or the hook that makes it where more is needed than the record, e.g. the names of homes. */
export type ValueOrHook<T> = T | (() => T)

/** Calls the hook where there is one: a screen has one for its whole life, or none. */
export const useValueOrHook = <T>(of: ValueOrHook<T>): T =>
  typeof of === 'function' ? (of as () => T)() : of

/** The parameters of a page's path. */
export type Params = Readonly<Record<string, string | undefined>>

/** A parameter of the address, '' where it has none. */
export type Parameter = (name: string) => string

/** One way to narrow a list that the gateway filters; it stands in the address. */
export interface ListFilter<Filter> {
  /** Parameters of the address. */
  params: readonly string[]
  /** What the list's call is told; a value of the address that means nothing is dropped. */
  read: (get: Parameter) => Filter
  render: (get: Parameter, change: (next: Record<string, string | undefined>) => void) => ReactNode
  /** In a saved view; days are said by the views themselves. */
  inWords?: (get: Parameter) => readonly (string | false | undefined)[]
}

/** The words of a screen, where they are not `resources.<name>.list`, `.create` and `.empty`. */
export interface ScreenWords {
  list: string
  create: string
  empty: string
}

export interface RecordFormSpec<N extends ResourceName> {
  as: 'modal' | 'drawer' | 'page'
  fields: ValueOrHook<readonly FormField[]>
  /** What a new one begins with. */
  initial?: ValueOrHook<AnyRow>
  toForm?: (record: RecordOf<N>) => AnyRow
  toInput?: (values: AnyRow) => AnyRow
  /** The field of the form that a field of the call stands in, where it is another one. */
  names?: Readonly<Record<string, string>>
  /** Two fields a line where there is room. */
  columns?: boolean
  /** What there is of a record beside its fields: above the form of a page, and below any form. */
  Above?: ComponentType<{ record: RecordOf<N> }>
  Below?: ComponentType<{ record: RecordOf<N> }>
  /** Beside the name of the record, on a page: its state, and what else can be done with it. */
  Head?: ComponentType<{ record: RecordOf<N> }>
  /** Whether nothing of it can be changed any more, whoever asks. */
  over?: (record: RecordOf<N>) => boolean
  /** On a page: what is said of a record that is not there (any more), and of the way to the list. */
  gone?: () => { title: string; toList: string }
}

/** How the lists and forms of a record are drawn: beside this, all comes from the contract. */
export interface RecordScreen<N extends ResourceName> {
  resource: N
  words?: () => Partial<ScreenWords>
  /** The first names the record; a plain field is drawn by its schema. */
  columns: ValueOrHook<readonly (ListTableColumn<RowOf<N>> | (keyof RowOf<N> & string))[]>
  filters?: ValueOrHook<readonly ListFilter<FilterOf<N>>[]>
  /** What the search of a list that the gateway pages looks through. */
  search?: () => string
  /** The order of a list that the gateway pages, until another one is asked for. */
  sort?: { Sort: string; Descending: boolean }
  form?: RecordFormSpec<N>
  /** Where a click on a row leads. */
  open?: (row: RowOf<N>) => string
  /** Addresses of its pages, where it has pages beside its list. */
  to?: {
    list: (params: Params) => string
    create?: (params: Params) => string
    edit?: (row: RowOf<N>) => string
    /** What the address of a page knows the record by, as the call for one takes it. */
    key?: (params: Params) => AnyRow
    /** Where it goes on with a new one, instead of to the list. */
    created?: (saved: AnyRow) => string
  }
  remove?: RemoveSpec<RowOf<N>>
  /** Beside those to edit and delete, and how wide they are in px. */
  Actions?: ComponentType<{ row: RowOf<N> }>
  actionsWidth?: number
  /** What can be done with several at once, and who may. */
  many?:
    | 'remove'
    | { needs: readonly Right[]; Bar: ComponentType<{ rows: readonly RowOf<N>[]; clear: () => void }> }
  /** Who may take the list away as a file, and with which columns where these are not the list's. */
  exports?: { needs: Right; columns?: ValueOrHook<readonly ListColumn<RowOf<N>>[]> }
  /** Under which name views of it are saved. */
  views?: ViewedList
  /** Above the words of a list that is empty; a magnifying glass where none is named. */
  drawing?: IllustrationName
  /** Beside the other tools of the list. */
  Tools?: ComponentType
  /** Pages of its own, on the hooks of the kit. */
  pages?: { List?: ComponentType; Create?: ComponentType; Edit?: ComponentType }
  /** Only these of the resource. */
  scope?: FilterOf<N>
}

export interface RemoveSpec<Row> {
  when?: (row: Row) => boolean
  /** What goes with it: a whole sentence, or what asks the gateway for it; and with each of many. */
  consequence?: (row: Row) => ReactNode
  ofMany?: () => string
  /** What else stops working without these: what asks the gateway for it, and shows nothing where nothing does. */
  breaks?: (rows: readonly Row[]) => ReactNode
  /** What to ask after a refusal; undefined where that is final. */
  refused?: (row: Row, error: unknown) => Promise<ConfirmationLevel | undefined>
  /** Why one stays when many go; undefined where the refusal itself says it. */
  staysBecause?: (name: string, error: unknown) => (() => string) | undefined
  /** Rows have no button for it: it is done on the record's page, or with several. */
  notInRows?: boolean
}

/** What is asked once more before a record is deleted with what stands in the way, and what the call is told then. */
export interface ConfirmationLevel {
  title: string
  ask: ReactNode
  ok: string
  input: object
}
