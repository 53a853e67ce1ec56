import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { employee, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { visitor, type VisitorRow } from '../../../contract/access-control/visitor.ts'
import { user, type UserRow } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { hasScreen } from '../offered-pages.ts'
import type { SearchHit } from './search-index.ts'

/** Debounce interval of calls to the gateway, in ms. */
const DEBOUNCE_MS = 150
/** Maximum number of results per kind. */
const MAX_HITS = 8
/** Cache lifetime of a response, in ms. */
const ANSWER_TTL_MS = 60_000
/** Maximum length of a search text in the gateway's call. */
const MAX_SEARCH_LENGTH = 100

interface Answered {
  hits: readonly SearchHit[]
  /** Whether the results are of this text, not of the previous one. */
  isOfText: boolean
  searching: boolean
  failed: boolean
}

/** Search for people, employees and visitors, which are too many to load: calls the gateway when typing pauses. */
export function useSettledSearch(text: string): Answered {
  const searchText = text.trim().slice(0, MAX_SEARCH_LENGTH)
  const settledText = useSettled(searchText)
  const may = {
    people: useMay('user', 'Read') && hasScreen('editUser'),
    employees: useMay('access_control_employee', 'Read') && hasScreen('EmployeeEdit'),
    visitors: useMay('access_control_visitor', 'Read') && hasScreen('VisitorEdit'),
  }
  const input = { Search: settledText, Limit: MAX_HITS }
  const options = { gcTime: ANSWER_TTL_MS, placeholderData: keepPreviousData }
  const isOn = (allowed: boolean) => allowed && settledText !== ''
  const persons = useQuery({
    ...callQuery(user.operations.page, input),
    ...options,
    enabled: isOn(may.people),
  })
  const employees = useQuery({
    ...callQuery(employee.operations.list, input),
    ...options,
    enabled: isOn(may.employees),
  })
  const visitors = useQuery({
    ...callQuery(visitor.operations.list, input),
    ...options,
    enabled: isOn(may.visitors),
  })
  const all: readonly Pick<UseQueryResult, 'isFetching' | 'isError' | 'isPlaceholderData'>[] = [
    persons,
    employees,
    visitors,
  ]
  const canSearch = Object.values(may).some(Boolean) && searchText !== ''
  const hits = useMemo(
    () =>
      settledText === ''
        ? []
        : [
            ...(persons.data?.Rows ?? []).map(personFound),
            ...(employees.data?.Rows ?? []).map(employeeFound),
            ...(visitors.data?.Rows ?? []).map(visitorFound),
          ],
    [settledText, persons.data, employees.data, visitors.data],
  )
  return {
    hits,
    isOfText: settledText === searchText && !all.some(({ isPlaceholderData }) => isPlaceholderData),
    searching: canSearch && (settledText !== searchText || all.some(({ isFetching }) => isFetching)),
    failed: canSearch && all.some(({ isError }) => isError),
  }
}

/** Debounced text; an empty text is not delayed. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

const personFound = (row: UserRow): SearchHit => ({
  key: `person ${row.CognitoId}`,
  kind: 'person',
  title: displayName(row),
  where: row.Email,
  to: pathTo('editUser', { userID: row.CognitoId }),
})

const employeeFound = (row: EmployeeRow): SearchHit => ({
  key: `employee ${row.EmployeeID}`,
  kind: 'employee',
  title: row.EmployeeName,
  where: row.Department ?? row.Email,
  to: pathTo('EmployeeEdit', { employeeID: row.EmployeeID }),
})

const visitorFound = (row: VisitorRow): SearchHit => ({
  key: `visitor ${row.VisitorID}`,
  kind: 'visitor',
  title: row.VisitorName || row.Email,
  where: row.Company,
  to: pathTo('VisitorEdit', { visitorID: row.VisitorID }),
})
