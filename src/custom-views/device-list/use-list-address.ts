import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { readListQuery, type ListQuery } from '../../../contract/rules/list/list-query.ts'

export interface ListAddress extends ListQuery {
  /** Changes part of it, or which device's panel is open over the list; what is undefined leaves the address. */
  change: (next: Partial<ListQuery> & { device?: string | undefined }) => void
  /** The address with this device's panel open: a link that can be sent. */
  linkTo: (id: string) => string
}

/**
 * Filters, order and open device as they stand in the address, e.g. `?q=燈&kind=LightSwitch&room=3&sort=-room`.
 *
 * returns  `list` stays the same while only the open device changes: what draws the list is not drawn again for it
 */
export function useListAddress(): { device: string | undefined; list: ListAddress } {
  const [params, setParams] = useSearchParams()
  // The router makes a new one for each address.
  const latest = useRef(setParams)
  useLayoutEffect(() => {
    latest.current = setParams
  })
  const change = useCallback<ListAddress['change']>(
    (next) =>
      latest.current(
        (now) => {
          const all = new URLSearchParams(now)
          const put = (name: string, value: string | undefined) =>
            value ? all.set(name, value) : all.delete(name)
          if ('search' in next) put('q', next.search)
          if ('kind' in next) put('kind', next.kind)
          if ('RoomID' in next) put('room', next.RoomID?.toString())
          if ('device' in next) put('device', next.device)
          if (next.sort) put('sort', `${next.descending ? '-' : ''}${next.sort}`.replace(/^name$/, ''))
          return all
        },
        // Opening a panel is a step that Back undoes; typing a search is not.
        { replace: !('device' in next) },
      ),
    [],
  )
  const without = new URLSearchParams(params)
  without.delete('device')
  const listParams = without.toString()
  const list = useMemo<ListAddress>(
    () => ({
      ...readListQuery(listParams),
      change,
      linkTo(id) {
        const all = new URLSearchParams(listParams)
        all.set('device', id)
        return `?${all}`
      },
    }),
    [listParams, change],
  )
  return { device: params.get('device') ?? undefined, list }
}
