import type { FC } from 'react'
import { useNavigate } from 'react-router'
import type { SavedView } from '../../../../contract/people/personal-calls.ts'
import { readListQuery, writeListQuery, type ListQuery } from '../../../../contract/lists/list-query.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { useHomes } from '../../../data/homes.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ViewsMenu } from '../../../record-kit/views/views-menu.tsx'
import { useViewWords } from './use-view-words.ts'

interface Props {
  homeId: string
  query: ListQuery
  /** What the route itself says: it is no part of a view. */
  fixed: { kind: boolean; room: boolean }
}

/** The saved views of the device list. */
export const DeviceViews: FC<Props> = ({ homeId, query, fixed }) => {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const inWords = useViewWords()
  const own: ListQuery = {
    ...query,
    ...(fixed.kind && { kind: undefined }),
    ...(fixed.room && { RoomID: undefined }),
  }
  // Rooms and hubs are of one home.
  const HomeID = own.RoomID === undefined && own.hub === undefined ? null : homeId

  /** A view that sets what this route fixes is one of the list of all devices. */
  const go = (view: SavedView) => {
    const { kind, RoomID } = readListQuery(view.Query)
    const here =
      (view.HomeID ?? homeId) === homeId && !(fixed.kind && kind) && !(fixed.room && RoomID !== undefined)
    const pathname = pathTo('DeviceList', { HomeID: view.HomeID ?? homeId })
    void navigate({ ...(!here && { pathname }), search: view.Query })
  }
  const nameOf = (view: SavedView) => {
    if (view.HomeID === null || view.HomeID === homeId) return view.Name
    // A home that is gone, or that the person may not see any more, has no list.
    const home = homes?.find((one) => one.HomeID === view.HomeID)
    return home && t('lists:views.elsewhere', { name: view.Name, home: home.HomeName })
  }
  return (
    <ViewsMenu
      now={{ List: 'device', Query: writeListQuery(own), HomeID }}
      go={go}
      inWords={inWords}
      nameOf={nameOf}
    />
  )
}
