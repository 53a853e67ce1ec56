import { CATEGORIES } from '../../device-kinds/device-kind.ts'

/** What a row of the device list is grouped and counted by: a category, a hub, or a type this version does not know. */
export const ROW_KINDS = [...CATEGORIES, 'Hub', 'Other'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** What the device list can be sorted by. */
export const SORT_KEYS = ['name', 'kind', 'room'] as const
export type SortKey = (typeof SORT_KEYS)[number]

/** What the person narrowed the device list to, and its order; all of it lives in the address. */
export interface ListQuery {
  search: string
  kind: RowKind | undefined
  RoomID: number | undefined
  sort: SortKey
  descending: boolean
}

/**
 * Reads the device list's own parameters of an address, e.g. `q=燈&kind=LightSwitch&room=3&sort=-room`; others, and
 * values that no list has, are passed over.
 */
export function readListQuery(query: string): ListQuery {
  const values = readParameters(query)
  const room = values.get('room') ?? ''
  const sorted = values.get('sort') ?? ''
  return {
    search: values.get('q') ?? '',
    kind: ROW_KINDS.find((kind) => kind === values.get('kind')),
    RoomID: /^\d{1,9}$/.test(room) ? Number(room) : undefined,
    sort: SORT_KEYS.find((key) => key === sorted.replace(/^-/, '')) ?? 'name',
    descending: sorted.startsWith('-'),
  }
}

/** The parameters as they stand in an address; the same query always reads the same, and what every list has is left out. */
export function writeListQuery({ search, kind, RoomID, sort, descending }: ListQuery): string {
  const order = `${descending ? '-' : ''}${sort}`
  const parameters = { q: search, kind, room: RoomID?.toString(), sort: order === 'name' ? '' : order }
  return writeParameters(Object.entries(parameters))
}

/** The parameters of an address by name, the first of those that come twice; what is not encoded as addresses are is passed over. */
export function readParameters(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const pair of query.split('&')) {
    const at = pair.indexOf('=')
    const value = at < 0 ? undefined : decoded(pair.slice(at + 1))
    const name = pair.slice(0, at)
    if (value !== undefined && !values.has(name)) values.set(name, value)
  }
  return values
}

/** Parameters as they stand in an address; empty ones are left out. */
export const writeParameters = (parameters: readonly (readonly [string, string | undefined])[]): string =>
  parameters.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : [])).join('&')

/** Without a half character, which no address can hold; undefined when it is not encoded as addresses are. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replaceAll('+', ' ')).replace(/\p{Surrogate}/gu, '')
  } catch {
    return undefined
  }
}
