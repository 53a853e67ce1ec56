import { readListQuery, readParameters, writeListQuery, writeParameters } from './list-query.ts'

/** Lists with saved views, and the URL parameters that belong to a view of each, in the order in which they are written. */
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
