import type { BaseRecord, CrudFilters, CrudSort, DataProvider, HttpError } from '@refinedev/core'
import { resources, type ResourceName } from '../../contract/index.ts'
import type { AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import type { Verb } from '../../contract/kernel/define-resource.ts'
import type { QueryKey } from '@tanstack/react-query'
import { call, oldAnswers } from '../data/api.ts'
import type { Shown } from '../data/old-answers.ts'
import { describeFailure, describeField } from '../data/failure.ts'
import { CallError } from '../data/post.ts'

type Row = Record<string, unknown>

/** The id Refine knows a record by: its key fields, joined, because a room's number alone is not unique. */
export const idOf = (name: ResourceName, record: Row): string =>
  resources[name].key.map((field) => String(record[field])).join('~')

/** The key fields back from an id; numbers where the record has numbers. */
export function keyOf(name: ResourceName, id: string | number): Row {
  const { key } = resources[name]
  // An address may hold any of the signs we could join with: only joined keys come apart.
  const parts = key.length > 1 ? String(id).split('~') : [String(id)]
  return Object.fromEntries(
    key.map((field, i) => {
      const part = parts[i] ?? ''
      return [field, field === 'RoomID' ? Number(part) : part]
    }),
  )
}

function endpoint(name: string, verb: Verb): AnyEndpoint {
  const resource = resources[name as ResourceName]
  const operations = resource?.operations as Partial<Record<Verb, AnyEndpoint>> | undefined
  const found = operations?.[verb]
  if (!found) throw new Error(`${name} cannot ${verb}`)
  return found
}

/** Fields that a call's input knows; Refine's records carry `id` and more, which the gateway would refuse. */
function inputOf({ input }: AnyEndpoint, values: Row): Row {
  const known = Object.keys(input.shape as Row)
  return Object.fromEntries(known.flatMap((field) => (field in values ? [[field, values[field]]] : [])))
}

async function ask(target: AnyEndpoint, values: Row, signal?: AbortSignal): Promise<unknown> {
  try {
    return await call(target, inputOf(target, values), { signal })
  } catch (error) {
    throw asHttpError(error)
  }
}

/** Refine's error shape: a sentence, and one per field for forms; `cause` is the failed call (see `callErrorIn`). */
function asHttpError(error: unknown): HttpError {
  const failure = error instanceof CallError ? error : undefined
  return {
    message: describeFailure(error),
    statusCode: failure?.code ?? 9,
    cause: error,
    errors: Object.fromEntries(
      Object.entries(failure?.fields ?? {}).map(([field, reason]) => [field, describeField(reason)]),
    ),
  }
}

/**
 * The home a new record goes into. Nothing else is taken from `meta` for a change: Refine puts the address's parameters
 * there, and a link must not decide what is written.
 */
const scopeOf = (name: string, meta: Row | undefined): Row =>
  resources[name as ResourceName]?.scope === 'home' && meta && 'HomeID' in meta
    ? { HomeID: meta['HomeID'] }
    : {}

const withId = (name: string, record: Row): BaseRecord => ({
  ...record,
  id: idOf(name as ResourceName, record),
})

/** The records of an answer: those that the call names, or all of a list, or the one that it is. */
const rowsOf = ({ rows }: AnyEndpoint, answer: unknown): Row[] => {
  const found = rows ? rows(answer) : Array.isArray(answer) ? answer : [answer]
  return found as Row[]
}

/** What filters ask for by equality: fields of the call. */
const equalIn = (filters: CrudFilters): Row =>
  Object.fromEntries(
    filters.flatMap((filter) =>
      'field' in filter && filter.operator === 'eq' ? [[filter.field, filter.value]] : [],
    ),
  )

const matches = (row: Row, filters: CrudFilters): boolean =>
  filters.every((filter) => {
    if (!('field' in filter)) return true
    const value = row[filter.field]
    if (filter.value === undefined || filter.value === null || filter.value === '') return true
    if (filter.operator === 'contains')
      return String(value).toLowerCase().includes(String(filter.value).toLowerCase())
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

/**
 * Maps Refine's resources onto the POST gateway, for every record of the contract alike. A list's input fields (HomeID …)
 * come from `meta` or from equal-filters; search, sorting and pages are done here because lists come whole.
 */
export const dataProvider: DataProvider = {
  getApiUrl: () => '',
  async getList({ resource, filters = [], sorters = [], pagination, meta }) {
    const target = endpoint(resource, 'list')
    const all = rowsOf(
      target,
      await ask(
        target,
        { ...equalIn(filters), ...(meta as Row | undefined) },
        meta?.['signal'] as AbortSignal | undefined,
      ),
    )
    const rows = sorted(
      all.filter((row) => matches(row, filters)),
      sorters,
    )
    const { currentPage = 1, pageSize = rows.length, mode } = pagination ?? {}
    const page = mode === 'off' ? rows : rows.slice((currentPage - 1) * pageSize, currentPage * pageSize)
    return { data: page.map((row) => withId(resource, row)) as never[], total: rows.length }
  },
  async getOne({ resource, id, meta }) {
    const key = { ...(meta as Row | undefined), ...keyOf(resource as ResourceName, id) }
    const record = resources[resource as ResourceName]
    const one = (record?.operations as Partial<Record<Verb, AnyEndpoint>> | undefined)?.get
    // A person is listed by e-mail and got by CognitoId: such a key is looked up in the list.
    if (one && record.key.every((field) => field in one.input.shape)) {
      const [found] = rowsOf(one, await ask(one, key))
      return { data: withId(resource, found as Row) as never }
    }
    const list = endpoint(resource, 'list')
    const rows = rowsOf(list, await ask(list, key))
    const found = rows.find((row) => idOf(resource as ResourceName, row) === String(id))
    if (!found) throw asHttpError(new CallError('NOT_FOUND', `${resource} ${id}`))
    return { data: withId(resource, found) as never }
  },
  async create({ resource, variables, meta }) {
    const values = { ...scopeOf(resource, meta), ...(variables as Row) }
    const made = await ask(endpoint(resource, 'create'), values)
    const record = (Array.isArray(made) ? made[0] : made) as Row
    return { data: withId(resource, record) as never }
  },
  async update({ resource, id, variables }) {
    const values = { ...(variables as Row), ...keyOf(resource as ResourceName, id) }
    return { data: withId(resource, (await ask(endpoint(resource, 'update'), values)) as Row) as never }
  },
  async deleteOne({ resource, id }) {
    const key = keyOf(resource as ResourceName, id)
    return { data: withId(resource, (await ask(endpoint(resource, 'remove'), key)) as Row) as never }
  },
}

/**
 * What an answer under one of Refine's keys is of: ['data', provider, resource, 'list' or 'infinite', params], or with 'one',
 * an id and params.
 */
function readRefineKey([kind, , name, action, ...rest]: QueryKey): Shown | undefined {
  if (kind !== 'data' || typeof name !== 'string' || !(name in resources)) return undefined
  const resource = name as ResourceName
  const { operations } = resources[resource] as { operations: Partial<Record<Verb, AnyEndpoint>> }
  const isOne = action === 'one'
  if (isOne && operations.get) return { endpoint: operations.get, input: keyOf(resource, String(rest[0])) }
  // Beside filters, sorters and pages stands what a list was asked with as meta: its home.
  const params = (rest.at(-1) ?? {}) as Row & { filters?: CrudFilters }
  return { endpoint: endpoint(name, 'list'), input: { ...params, ...equalIn(params.filters ?? []) } }
}
oldAnswers.readKeysBy(readRefineKey)
