import { CATEGORIES } from '../devices/kinds/device-kind.ts'

/** Kinds by which rows of the device list are grouped and counted: a category, a hub, or a type that this version does not know. */
export const ROW_KINDS = [...CATEGORIES, 'Hub', 'Other'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/**
 * States by which the device list is filtered; a row may have several.
 *
 * alarm      has an alarm that needs immediate action
 * attention  needs action; includes alarms
 * offline    its hub, or the hub itself, is not connected
 * silent     its hub is connected, but the device has not reported for longer than allowed
 * unknown    current state is not known: offline, silent, or never reported
 * on, off    reported as on or off, and its hub is connected
 */
export const LIST_STATES = ['alarm', 'attention', 'offline', 'silent', 'unknown', 'on', 'off'] as const
export type ListState = (typeof LIST_STATES)[number]

/** Sort keys of the device list; live values are `state` (worst first), `age` (of the last report) and `power`. */
export const SORT_KEYS = ['name', 'state', 'age', 'power', 'room', 'kind'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export const LIVE_SORT_KEYS: readonly SortKey[] = ['state', 'age', 'power']

/** Range of power in W, both limits inclusive; a missing limit is open. */
export interface Watts {
  from?: number
  through?: number
}

/** Filters and order of the device list; all of them are stored in the URL. */
export interface ListQuery {
  search: string
  state: ListState | undefined
  kind: RowKind | undefined
  RoomID: number | undefined
  /** ThingName: shows the hub itself and its devices. */
  hub: string | undefined
  watts: Watts | undefined
  sort: SortKey
  descending: boolean
}

/** Device list without filters, in its default order. */
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
 * Reads the parameters of the device list from a query string, e.g. `q=燈&state=on&kind=LightSwitch&room=3&watts=100..&sort=-room`.
 * Ignores other parameters and invalid values.
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

/** Query string of a list query: equal queries give equal strings, and defaults are left out. */
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

/** Parses a range of power, `100..`, `..0` or `100..500`; undefined if the text is invalid or the range is reversed. */
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

/** Parameters of a query string by name. The first of duplicates wins; wrongly encoded values are ignored. */
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

/** Query string of these parameters; empty ones are left out. */
const writeParameters = (parameters: readonly (readonly [string, string | undefined])[]): string =>
  parameters.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : [])).join('&')

/** Decodes a parameter and removes lone surrogates, which a URL cannot contain; undefined if the encoding is invalid. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value.replaceAll('+', ' ')).replace(/\p{Surrogate}/gu, '')
  } catch {
    return undefined
  }
}

/** Lists and other pages with saved views, and the URL parameters that belong to a view of each, in the order in which they are written. */
const PARAMETERS = {
  device: ['q', 'state', 'kind', 'room', 'hub', 'watts', 'sort'],
  user: ['q', 'dept', 'state', 'sort'],
  department: ['q', 'sort'],
  employee: ['q', 'dept', 'state', 'sort'],
  visitor: ['q', 'state', 'from', 'to', 'sort'],
  scanner: ['q', 'sort'],
  conferenceRoom: ['q', 'sort'],
  audit: ['q', 'from', 'to', 'by', 'call'],
  scan: ['q', 'from', 'to', 'scanner', 'kind', 'result'],
  electricity: ['range', 'compare', 'by', 'measure', 'bars', 'meters', 'part', 'rank', 'order'],
} as const

export type ViewedList = keyof typeof PARAMETERS
export const VIEWED_LISTS = Object.keys(PARAMETERS) as [ViewedList, ...ViewedList[]]

export const viewParameters = (list: ViewedList): readonly string[] => PARAMETERS[list]

/**
 * Part of a query string that belongs to a view of the list; equal filters and order give equal strings.
 *
 * query  e.g. `state=off&sort=-rank&tab=x`, without the question mark
 */
export function viewQuery(list: ViewedList, query: string): string {
  if (list === 'device') return writeListQuery(readListQuery(query))
  const values = readParameters(query)
  return writeParameters(PARAMETERS[list].map((name) => [name, values.get(name)] as const))
}
