import { FileRefused } from './file-fault.ts'
import type { JsonColumns } from './json-rows.ts'
import { type JsonPath, keyOfPath, MAX_LIST_DEPTH } from './json-scan.ts'

type JsonObject = Readonly<Record<string, unknown>>
type JsonList = readonly unknown[]

/** Lists of a file whose elements become rows, and what is next to them. */
export interface JsonTable {
  /** Lists at the same depth; `constants` are columns of every row of a list. */
  lists: readonly { path: JsonPath; elements: JsonList; constants: JsonColumns }[]
  /** Values next to the lists that are not columns. */
  others: readonly { path: JsonPath; value: unknown }[]
  /** Columns of an element; undefined if it cannot be a row, none if it is the heading. */
  columnsOf(element: unknown): JsonColumns | undefined
}

const isList = (value: unknown): value is JsonList => Array.isArray(value)
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value)
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)

const NO_COLUMNS: JsonColumns = new Map()

/** The table in a JSON value; undefined if its structure is unknown. Errors: FileRefused: `empty`. */
export function findTable(value: unknown): JsonTable | undefined {
  if (isObject(value)) return telemetryTable(value) ?? objectTable(value)
  if (!isList(value)) return undefined
  if (value.length === 0) throw new FileRefused('empty')
  if (value.some(isStateHistory)) return stateTable(value)
  return groupTable([], value, NO_COLUMNS, []) ?? plainTable([], value, NO_COLUMNS, [])
}

const plainTable = (
  path: JsonPath,
  elements: JsonList,
  constants: JsonColumns,
  others: JsonTable['others'],
): JsonTable => ({ lists: [{ path, elements, constants }], others, columnsOf: columnsOfElements(elements) })

/**
 * List of series, each an object with one list of points and texts that name it: answers of Prometheus, energy details of SolarEdge, several
 * feeds of emoncms. The texts are columns of every row of their series.
 */
function groupTable(
  path: JsonPath,
  groups: JsonList,
  constants: JsonColumns,
  others: JsonTable['others'],
): JsonTable | undefined {
  const lists = groups.flatMap((group, index) => {
    const members = isObject(group) ? Object.entries(group) : []
    const [points, ...more] = members.filter(([, member]) => isList(member))
    const columns = flatColumns(Object.fromEntries(members.filter(([, member]) => !isList(member))))
    if (!points || more.length > 0 || !columns || !(points[1] as JsonList).every((each) => !isScalar(each)))
      return []
    const [key, elements] = points as [string, JsonList]
    const names = [...columns].filter(([, value]) => value !== null && value !== '')
    return [{ path: [...path, index, key], elements, constants: new Map([...constants, ...names]) }]
  })
  const elements = lists.flatMap((list) => list.elements.slice(0, 2))
  if (lists.length < groups.length || elements.length === 0) return undefined
  return { lists, others, columnsOf: columnsOfElements(elements) }
}

/** Whether a list is the history of an entity of Home Assistant. */
const isStateHistory = (value: unknown): boolean =>
  isList(value) && isObject(value[0]) && 'entity_id' in value[0] && 'state' in value[0]

/** History of Home Assistant: a list for each entity. */
const stateTable = (histories: JsonList): JsonTable => ({
  lists: histories.map((history, index) => ({
    path: [index],
    elements: isList(history) ? statesOf(history) : [history],
    constants: NO_COLUMNS,
  })),
  others: [],
  columnsOf: flatColumns,
})

/** States of an entity with its name and unit, which only its first state needs to have. */
function statesOf(history: JsonList): JsonList {
  const entity: Record<string, unknown> = {}
  return history.map((state) => {
    if (!isObject(state) || !('state' in state)) return [state]
    const attributes = isObject(state['attributes']) ? state['attributes'] : {}
    entity['entity_id'] = state['entity_id'] ?? entity['entity_id']
    for (const name of ['unit_of_measurement', 'state_class']) entity[name] = attributes[name] ?? entity[name]
    return {
      entity_id: entity['entity_id'],
      last_changed: state['last_changed'] ?? state['last_updated'],
      state: state['state'],
      unit_of_measurement: entity['unit_of_measurement'],
      state_class: entity['state_class'],
    }
  })
}

/** Telemetry of ThingsBoard: a list of times and values for each key. */
function telemetryTable(value: JsonObject): JsonTable | undefined {
  const isPoint = (point: unknown) => isObject(point) && 'ts' in point && 'value' in point
  const series = Object.entries(value).map(([key, points]) => ({
    path: [key],
    elements: isList(points) ? points : [points],
    constants: new Map([['key', key]]),
  }))
  if (!series.every(({ elements }) => elements.every(isPoint))) return undefined
  if (!series.some(({ elements }) => elements.length > 0)) return undefined
  return { lists: series, others: [], columnsOf: flatColumns }
}

/** A text that could be taken for a time or a value if every row had it. */
const FIGURE = /^[-+\d\s.,:/TZ]*$/

/**
 * Object with one list of objects or pairs. Texts next to the list, such as meter and zone, are columns of every row; those in `Units`
 * are the units of the columns with their names.
 */
function objectTable(value: JsonObject): JsonTable | undefined {
  const lists: { path: JsonPath; elements: JsonList }[] = []
  const neighbors: { path: JsonPath; value: unknown }[] = []
  const visit = (object: JsonObject, above: JsonPath) => {
    for (const [key, member] of Object.entries(object)) {
      const path = [...above, key]
      if (isList(member) && !isScalar(member[0])) lists.push({ path, elements: member })
      else if (isObject(member) && path.length < MAX_LIST_DEPTH) visit(member, path)
      else neighbors.push({ path, value: member })
    }
  }
  visit(value, [])
  const [list, ...moreLists] = lists
  if (!list && neighbors.some(({ value: other }) => isList(other) && other.length === 0))
    throw new FileRefused('empty')
  if (!list || moreLists.length > 0) return undefined
  const folder = keyOfPath(list.path.slice(0, -1))
  const nameOf = (path: JsonPath) =>
    keyOfPath(path.slice(0, -1)) === folder ? String(path.at(-1)) : path.join('.')
  const isUnit = ({ path, value: unit }: { path: JsonPath; value: unknown }) =>
    path.length > 1 && /^units$/i.test(String(path.at(-2))) && typeof unit === 'string'
  const units = new Map(
    neighbors.filter(isUnit).map((other) => [String(other.path.at(-1)), String(other.value)]),
  )
  const rest = neighbors.filter((other) => !isUnit(other))
  const isColumn = (other: unknown) => typeof other === 'string' && !FIGURE.test(other)
  const constants = new Map(
    rest.filter((other) => isColumn(other.value)).map((other) => [nameOf(other.path), other.value]),
  )
  const others = rest.filter((other) => !isColumn(other.value) && !isEmpty(other.value))
  const groups = groupTable(list.path, list.elements, constants, others)
  return withUnits(groups ?? plainTable(list.path, list.elements, constants, others), units)
}

/** The table with units in the names of its columns, `kWh (kWh)`. */
function withUnits(table: JsonTable, units: ReadonlyMap<string, string>): JsonTable {
  if (units.size === 0) return table
  const named = new Map([...units].map(([name, unit]) => [name, `${name} (${unit})`]))
  return {
    ...table,
    columnsOf(element) {
      const columns = table.columnsOf(element)
      return columns && new Map(Array.from(columns, ([name, value]) => [named.get(name) ?? name, value]))
    },
  }
}

/** Columns of elements that are objects, or lists of scalars, as the first one is. */
export function columnsOfElements(elements: JsonList): JsonTable['columnsOf'] {
  const [first] = elements
  if (!isList(first)) return flatColumns
  const isHeading =
    elements.length > 1 &&
    first.length > 1 &&
    first.every((name) => typeof name === 'string' && !FIGURE.test(name))
  const names = isHeading
    ? first.map((name, at) => (first.indexOf(name) === at ? String(name) : `${name} ${at + 1}`))
    : []
  return (element) => {
    if (isHeading && element === first) return NO_COLUMNS
    if (!isList(element) || element.length < 2 || !element.every(isScalar)) return undefined
    const valueName = (at: number) => (element.length === 2 ? 'value' : `value${at}`)
    return new Map(element.map((value, at) => [names[at] ?? (at === 0 ? 'time' : valueName(at)), value]))
  }
}

/** Fields of an object and of the objects in it, `reading.value`; undefined if there is more in it. A list of scalars is its JSON. */
function flatColumns(element: unknown): JsonColumns | undefined {
  if (!isObject(element)) return undefined
  const columns = new Map<string, unknown>()
  for (const [key, value] of Object.entries(element)) {
    const members = isObject(value)
      ? Object.entries(value).map(([inner, member]) => [`${key}.${inner}`, member] as const)
      : [[key, value] as const]
    for (const [name, member] of members) {
      if (columns.has(name) || isObject(member) || (isList(member) && !member.every(isScalar)))
        return undefined
      columns.set(name, isList(member) ? JSON.stringify(member) : member)
    }
  }
  return columns
}
