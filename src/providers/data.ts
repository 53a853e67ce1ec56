import type { QueryKey } from '@tanstack/react-query'
import type { BaseRecord, CrudFilters, CrudSort, DataProvider, HttpError } from '@refinedev/core'
import { resources, type ResourceName } from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { call, cacheInvalidation } from '../data/api.ts'
import type { CachedQuery } from '../data/cache-invalidation.ts'
import { describeFailure, describeFields } from '../data/failure.ts'
import { CallError } from '../data/post.ts'
import { createSend } from '../data/use-action.ts'
import { callOf, listCallOf, pages } from './calls.ts'
import { foldText } from '../../contract/kernel/text.ts'

type Row = Record<string, unknown>

/** Id of a record for Refine: its key fields, joined, because a room's number alone is not unique. */
export const idOf = (name: ResourceName, record: Row): string =>
  resources[name].key.map((field) => String(record[field])).join('~')

/** Key fields of an id; numbers if the record has numbers. */
export function keyOf(name: ResourceName, id: string | number): Row {
  const { key } = resources[name]
  // An address may contain the separator: only ids of several fields are split.
  const parts = key.length > 1 ? String(id).split('~') : [String(id)]
  return Object.fromEntries(
    key.map((field, i) => {
      const part = parts[i] ?? ''
      return [field, field === 'RoomID' ? Number(part) : part]
    }),
  )
}

/** Fields that a call's input contains; Refine's records have `id` and more, which the gateway would reject. */
function inputOf({ input }: AnyEndpoint, values: Row): Row {
  const inputFields = Object.keys(input.shape as Row)
  return Object.fromEntries(inputFields.flatMap((field) => (field in values ? [[field, values[field]]] : [])))
}

/** A save that is repeated because no response arrived is executed once. */
const send = createSend()

async function callEndpoint(target: AnyEndpoint, values: Row, signal?: AbortSignal): Promise<unknown> {
  const input = inputOf(target, values)
  try {
    return await (target.mutates ? send(target, input) : call(target, input, { signal }))
  } catch (error) {
    throw asHttpError(error)
  }
}

/** Refine's error: a sentence, and one per field for forms; `cause` is the failed call (see `callErrorIn`). */
function asHttpError(error: unknown): HttpError {
  const failure = error instanceof CallError ? error : undefined
  return {
    message: describeFailure(error),
    statusCode: failure?.code ?? 9,
    cause: error,
    errors: describeFields(failure?.fields ?? {}),
  }
}

/**
 * Home of a new record. Other values of `meta` are ignored for changes: Refine puts the address's parameters there, and a link must not
 * determine what is written.
 */
const scopeOf = (name: string, meta: Row | undefined): Row =>
  resources[name as ResourceName]?.scope === 'home' && meta && 'HomeID' in meta
    ? { HomeID: meta['HomeID'] }
    : {}

const withId = (name: string, record: Row): BaseRecord => ({
  ...record,
  id: idOf(name as ResourceName, record),
})

/** Records of a response: those that the call defines, or all of a list, or the response itself. */
const rowsOf = ({ rows }: AnyEndpoint, answer: unknown): Row[] =>
  (rows ? rows(answer) : Array.isArray(answer) ? answer : [answer]) as Row[]

const matches = (row: Row, filters: CrudFilters): boolean =>
  filters.every((filter) => {
    if (!('field' in filter)) return true
    const value = row[filter.field]
    if (filter.value === undefined || filter.value === null || filter.value === '') return true
    if (filter.operator === 'contains')
      return foldText(String(value)).includes(foldText(String(filter.value)))
    if (filter.operator === 'in') return (filter.value as unknown[]).includes(value)
    return String(value) === String(filter.value)
  })

function sorted(rows: Row[], sorters: readonly CrudSort[]): Row[] {
  return [...rows].sort((a, b) => {
    for (const { field, order } of sorters) {
      const [x, y] = [a[field], b[field]]
      const by =
        typeof x === 'number' && typeof y === 'number'
          ? x - y
          : String(x).localeCompare(String(y), 'zh-TW', { numeric: true })
      if (by !== 0) return order === 'desc' ? -by : by
    }
    return 0
  })
}

/** Rows of the first page, and of each later page. */
const FIRST_PAGE = 50
const LATER_PAGE = 500

/**
 * Input of a list call from Refine's equality filters. During development, an unknown field throws.
 *
 * rows  whether rows are also filtered here, so that fields of the record are valid too
 */
function inputOfFilters(name: string, target: AnyEndpoint, filters: CrudFilters, rows: boolean): Row {
  const record = resources[name as ResourceName].record.shape as Row
  const inputShape = target.input.shape as Row
  const input: Row = {}
  for (const filter of filters) {
    if (!('field' in filter)) continue
    const { field, operator, value } = filter
    if (field in inputShape && operator === 'eq') input[field] = value
    else if (import.meta.env.DEV && !(rows && field in record))
      throw new Error(`${target.path} does not filter by ${field} (${operator})`)
  }
  return input
}

type ListParams = Parameters<DataProvider['getList']>[0]

/** One page of a paged list: the first one, or that of the cursor given as page. */
async function pageOf(
  target: AnyEndpoint,
  { resource, filters = [], sorters = [], pagination, meta }: ListParams,
) {
  // Refine counts pages; the gateway continues after the last page with its cursor.
  const at: unknown = pagination?.currentPage
  const Cursor = typeof at === 'string' ? at : undefined
  const [sort] = sorters
  const { Rows, Total, NextCursor } = (await callEndpoint(
    target,
    {
      ...inputOfFilters(resource, target, filters, false),
      ...scopeOf(resource, meta),
      ...(sort && { Sort: sort.field, Descending: sort.order === 'desc' }),
      Limit: Cursor === undefined ? FIRST_PAGE : LATER_PAGE,
      ...(Cursor !== undefined && { Cursor }),
    },
    meta?.['signal'] as AbortSignal | undefined,
  )) as { Rows: Row[]; Total: number; NextCursor: string | null }
  return {
    data: Rows.map((row) => withId(resource, row)),
    total: Total,
    cursor: { next: NextCursor ?? undefined },
  }
}

/** A whole list, filtered, sorted and sliced here. */
async function wholeList(
  target: AnyEndpoint,
  { resource, filters = [], sorters = [], pagination, meta }: ListParams,
) {
  const input = { ...inputOfFilters(resource, target, filters, true), ...scopeOf(resource, meta) }
  const all = rowsOf(target, await callEndpoint(target, input, meta?.['signal'] as AbortSignal | undefined))
  const rows = sorted(
    all.filter((row) => matches(row, filters)),
    sorters,
  )
  const { currentPage = 1, pageSize = rows.length, mode } = pagination ?? {}
  const cut = mode === 'off' ? rows : rows.slice((currentPage - 1) * pageSize, currentPage * pageSize)
  return { data: cut.map((row) => withId(resource, row)), total: rows.length }
}

/**
 * Maps Refine's resources to the gateway's POST calls, for all records of the contract. The home of a list comes from `meta`, other
 * input from equality filters. A call with a Cursor returns a page and the next cursor; any other list is returned whole.
 */
export const dataProvider: DataProvider = {
  getApiUrl: () => '',
  async getList(params) {
    const target = listCallOf(params.resource)
    const { data, ...rest } = await (pages(params.resource) ? pageOf : wholeList)(target, params)
    return { data: data as never[], ...rest }
  },
  /** The key comes from the id, or from `meta.key` if the call identifies a record by other fields. */
  async getOne({ resource, id, meta }) {
    const key = {
      ...scopeOf(resource, meta),
      ...((meta?.['key'] as Row | undefined) ?? keyOf(resource as ResourceName, id)),
    }
    const signal = meta?.['signal'] as AbortSignal | undefined
    const get = callOf(resource, 'get')
    // A user is listed by email and fetched by CognitoId: without that, the list is searched.
    if (get && Object.keys(key).every((field) => field in get.input.shape)) {
      const [firstRow] = rowsOf(get, await callEndpoint(get, key, signal))
      return { data: withId(resource, firstRow as Row) as never }
    }
    const list = callOf(resource, 'list') ?? listCallOf(resource)
    const rows = rowsOf(list, await callEndpoint(list, key, signal))
    const foundRow = rows.find((row) => idOf(resource as ResourceName, row) === String(id))
    if (!foundRow) throw asHttpError(new CallError('NOT_FOUND', `${resource} ${id}`))
    return { data: withId(resource, foundRow) as never }
  },
  async create({ resource, variables, meta }) {
    const values = { ...scopeOf(resource, meta), ...(variables as Row) }
    const created = await callEndpoint(mutationOf(resource, 'create'), values)
    const record = (Array.isArray(created) ? created[0] : created) as Row
    return { data: withId(resource, record) as never }
  },
  async update({ resource, id, variables }) {
    const values = { ...(variables as Row), ...keyOf(resource as ResourceName, id) }
    return {
      data: withId(resource, (await callEndpoint(mutationOf(resource, 'update'), values)) as Row) as never,
    }
  },
  /** `variables` are further input of the call, in addition to the key. */
  async deleteOne({ resource, id, variables }) {
    const values = { ...(variables as Row | undefined), ...keyOf(resource as ResourceName, id) }
    return {
      data: withId(resource, (await callEndpoint(mutationOf(resource, 'remove'), values)) as Row) as never,
    }
  },
}

function mutationOf(name: string, verb: 'create' | 'update' | 'remove'): AnyEndpoint {
  const mutationCall = callOf(name, verb)
  if (!mutationCall) throw new Error(`${name} cannot ${verb}`)
  return mutationCall
}

/** Values of equality filters. */
const equalIn = (filters: CrudFilters): Row =>
  Object.fromEntries(
    filters.flatMap((filter) =>
      'field' in filter && filter.operator === 'eq' ? [[filter.field, filter.value]] : [],
    ),
  )

/**
 * Call of a cached query with one of Refine's keys: ['data', provider, resource, 'list' or 'infinite', params], or with 'one', an id and
 * params.
 */
function readRefineKey([kind, , name, action, ...rest]: QueryKey): CachedQuery | undefined {
  if (kind !== 'data' || typeof name !== 'string' || !(name in resources)) return undefined
  // In addition to filters, sorters and pages, params contain the request's meta: a list's home, a record's key.
  const params = (rest.at(-1) ?? {}) as Row & { filters?: CrudFilters; key?: Row }
  const get = action === 'one' ? callOf(name, 'get') : undefined
  if (get) return { endpoint: get, input: params.key ?? keyOf(name as ResourceName, String(rest[0])) }
  return { endpoint: listCallOf(name), input: { ...params, ...equalIn(params.filters ?? []) } }
}
cacheInvalidation.readKeysBy(readRefineKey)
