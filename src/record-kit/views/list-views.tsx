import type { FC } from 'react'
import { useSearchParams } from 'react-router'
import type { SavedView } from '../../../contract/people/personal-calls.ts'
import {
  readParameters,
  viewParameters,
  viewQuery,
  type ViewedList,
} from '../../../contract/lists/list-query.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { ViewsMenu } from './views-menu.tsx'

/** Returns a parameter of a view, '' if absent. */
export type ViewParameter = (name: string) => string

interface Props {
  list: ViewedList
  /** Titles of the sortable columns, by their name in the address. */
  sorts?: Readonly<Record<string, string>>
  /** Texts of the list's own filters, in addition to search, days and order. */
  describe?: (get: ViewParameter) => readonly (string | false | undefined)[]
}

/** Saved views of a company's list, which stores its filters and order in the address. */
export const ListViews: FC<Props> = ({ list, sorts = {}, describe }) => {
  const t = useT()
  const date = useFormatDate()
  const [params, setParams] = useSearchParams()

  const openView = ({ Query }: SavedView) =>
    setParams((now) => {
      const all = new URLSearchParams(now)
      for (const name of viewParameters(list)) all.delete(name)
      for (const [name, value] of readParameters(Query)) all.set(name, value)
      return all
    })
  const wordsOf = ({ Query }: SavedView) => {
    const values = readParameters(Query)
    const get: ViewParameter = (name) => values.get(name) ?? ''
    const [search, from, to, sort] = [get('q'), get('from'), get('to'), get('sort')]
    const column = sorts[sort.replace(/^-/, '')]
    return [
      search && t('lists:views.search', { search }),
      ...(describe?.(get) ?? []),
      (from || to) && t('lists:views.days', { from: date(from), to: date(to) }),
      column && t(sort.startsWith('-') ? 'lists:views.descending' : 'lists:views.by', { column }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <ViewsMenu
      now={{ List: list, Query: viewQuery(list, params.toString()), HomeID: null }}
      openView={openView}
      describe={wordsOf}
    />
  )
}
