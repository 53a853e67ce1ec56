import { CATEGORIES } from '../devices/kinds/device-kind.ts'

/** What a row of the device list is grouped and counted by: a category, a hub, or a type this version does not know. */
export const ROW_KINDS = [...CATEGORIES, 'Hub', 'Other'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/**
 * What a row of the device list may be in; several at a time.
 *
 * alarm      somebody is needed at once
 * attention  somebody is needed, as alarms are among it
 * offline    its hub, or the hub itself, is not connected
 * silent     its hub is there, and it has said nothing for as long as makes it silent
 * unknown    nobody can say how it is now: it is offline, silent, or has never reported
 * on, off    it says so, and its hub is there
 */
export const LIST_STATES = ['alarm', 'attention', 'offline', 'silent', 'unknown', 'on', 'off'] as const
export type ListState = (typeof LIST_STATES)[number]

/** What the device list can be sorted by; the live ones are `state` (the worst first), `age` (of the last report) and `power`. */
export const SORT_KEYS = ['name', 'state', 'age', 'power', 'room', 'kind'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export const LIVE_SORT_KEYS: readonly SortKey[] = ['state', 'age', 'power']

/** Power in W, both ends included; an end that is not given is open. */
export interface Watts {
  from?: number
  through?: number
}

/** What the person narrowed the device list to, and its order; all of it lives in the address. */
export interface ListQuery {
  search: string
  state: ListState | undefined
  kind: RowKind | undefined
  RoomID: number | undefined
  /** A ThingName: the hub itself and what it speaks for. */
  hub: string | undefined
  watts: Watts | undefined
  sort: SortKey
  descending: boolean
}

/** A device list that is not narrowed, in its usual order. */
export const WHOLE_LIST: ListQuery = {
  search: '',
  state: undefined,
  kind: undefined,
  RoomID: undefined,
  hub: undefined,
  watts: undefined,
  sort: 'name',
  descending: false,
}

/**
 * Reads the device list's own parameters of an address, e.g. `q=燈&state=on&kind=LightSwitch&room=3&watts=100..&sort=-room`;
 * others, and values that no list has, are passed over.
 */
export function readListQuery(query: string): ListQuery {
  const values = readParameters(query)
  const room = values.get('room') ?? ''
  const sorted = values.get('sort') ?? ''
  const sort = SORT_KEYS.find((key) => key === sorted.replace(/^-/, ''))
  return {
    search: values.get('q') ?? '',
    state: LIST_STATES.find((state) => state === values.get('state')),
    kind: ROW_KINDS.find((kind) => kind === values.get('kind')),
    RoomID: /^\d{1,9}$/.test(room) ? Number(room) : undefined,
    hub: values.get('hub') || undefined,
    watts: readWatts(values.get('watts') ?? ''),
    sort: sort ?? 'name',
    descending: sorted.startsWith('-') && sort !== undefined,
  }
}

/** The parameters as they stand in an address; the same query always reads the same, and what every list has is left out. */
export function writeListQuery({ sort, descending, ...filter }: ListQuery): string {
  const order = `${descending ? '-' : ''}${sort}`
  const parameters = {
    q: filter.search,
    state: filter.state,
    kind: filter.kind,
    room: filter.RoomID?.toString(),
    hub: filter.hub,
    watts: writeWatts(filter.watts),
    sort: order === 'name' ? '' : order,
  }
  return writeParameters(Object.entries(parameters))
}

const WATTS = /^(-?\d{1,9})?\.\.(-?\d{1,9})?$/

/** Power as it stands in an address, `100..`, `..0` or `100..500`; undefined for what is none, or begins after its end. */
export function readWatts(text: string): Watts | undefined {
  const [, from, through] = WATTS.exec(text) ?? []
  if (from === undefined && through === undefined) return undefined
  if (from !== undefined && through !== undefined && Number(from) > Number(through)) return undefined
  return {
    ...(from !== undefined && { from: Number(from) }),
    ...(through !== undefined && { through: Number(through) }),
  }
}

export const writeWatts = (watts: Watts | undefined): string | undefined =>
  watts && `${watts.from ?? ''}..${watts.through ?? ''}`

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
