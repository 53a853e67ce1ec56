import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { readListQuery, type ListQuery } from '../../../contract/rules/list-query.ts'

export interface ListAddress extends ListQuery {
  /** The device whose panel is open over the list. */
  device: string | undefined
  /** Changes part of it; what is undefined leaves the address. */
  change: (next: Partial<Omit<ListAddress, 'change'>>) => void
  /** The address with this device's panel open: a link that can be sent. */
  linkTo: (id: string) => string
}

/** Filters, order and open device as they stand in the address, e.g. `?q=燈&kind=LightSwitch&room=3&sort=-room`. */
export function useListAddress(): ListAddress {
  const [params, setParams] = useSearchParams()
  // The same function while the address stays: whatever draws links is drawn again when it changes.
  const linkTo = useCallback(
    (id: string) => {
      const all = new URLSearchParams(params)
      all.set('device', id)
      return `?${all}`
    },
    [params],
  )
  const change = useCallback<ListAddress['change']>(
    (next) =>
      setParams(
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
    [setParams],
  )
  return {
    ...readListQuery(params.toString()),
    device: params.get('device') ?? undefined,
    change,
    linkTo,
  }
}
