import { useSearchParams } from 'react-router'
import { ROW_KINDS, SORT_KEYS, type DeviceFilter, type RowKind, type SortKey } from './device-rows.ts'

interface ListAddress extends DeviceFilter {
  sort: SortKey
  descending: boolean
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
  const kind = ROW_KINDS.find((name) => name === params.get('kind'))
  const room = params.get('room')
  const RoomID = room !== null && /^\d+$/.test(room) ? Number(room) : undefined
  const sorted = params.get('sort') ?? 'name'
  const descending = sorted.startsWith('-')
  const sort = SORT_KEYS.find((key) => key === sorted.replace(/^-/, '')) ?? 'name'
  return {
    search: params.get('q') ?? '',
    kind: kind as RowKind | undefined,
    RoomID,
    sort,
    descending,
    device: params.get('device') ?? undefined,
    change: (next) =>
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
    linkTo: (id) => {
      const all = new URLSearchParams(params)
      all.set('device', id)
      return `?${all}`
    },
  }
}
