import { useCallback, useMemo } from 'react'
import { readListQuery, writeWatts, type ListQuery } from '../../../contract/lists/list-query.ts'
import { putParam, useAddressParams } from '../../ui/page/use-address.ts'

export interface ListAddress extends ListQuery {
  /** Changes some parameters, or the device whose panel is open; undefined removes a parameter. */
  change: (next: Partial<ListQuery> & { device?: string | undefined }) => void
  /** Address with this device's panel open, for sharing. */
  linkTo: (id: string) => string
}

/**
 * Filters, order and open device in the address, e.g. `?q=燈&state=on&kind=LightSwitch&room=3&sort=-room`.
 *
 * returns  `list` keeps its identity while only the open device changes, so that the list does not render again
 */
export function useListAddress(): { device: string | undefined; list: ListAddress } {
  const { params, change: edit } = useAddressParams()
  const change = useCallback<ListAddress['change']>(
    (next) =>
      edit(
        (all) => {
          if ('search' in next) putParam(all, 'q', next.search)
          if ('state' in next) putParam(all, 'state', next.state)
          if ('kind' in next) putParam(all, 'kind', next.kind)
          if ('RoomID' in next) putParam(all, 'room', next.RoomID?.toString())
          if ('hub' in next) putParam(all, 'hub', next.hub)
          if ('watts' in next) putParam(all, 'watts', writeWatts(next.watts))
          if ('device' in next) putParam(all, 'device', next.device)
          if (next.sort)
            putParam(all, 'sort', `${next.descending ? '-' : ''}${next.sort}`.replace(/^name$/, ''))
        },
        Object.keys(next).join() === 'search' ? 'typing' : 'choice',
      ),
    [edit],
  )
  const remaining = new URLSearchParams(params)
  remaining.delete('device')
  const listParams = remaining.toString()
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
