import { useT } from '../../../../lib/i18n/i18n.ts'
import { CardFrame, Empty } from '../../cards/card-frame.tsx'
import { RoomTile } from '../../tiles/tiles.tsx'
import type { CardProps } from './card-props.ts'
import { Bone } from '../../../../ui/page/skeleton.tsx'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import { useSnapshots } from '../../common/overview.ts'
import { useMemo } from 'react'

/** Tile of one room; links to its devices. */
export default function RoomCard({ card: { HomeID, RoomID }, title, homes }: CardProps<'room'>) {
  const t = useT()
  const home = homes.find((candidate) => candidate.HomeID === HomeID)
  const room = home?.RoomList.find((candidate) => candidate.RoomID === RoomID)
  const shownRoom = useMemo(
    () => room && (title === undefined ? room : { ...room, RoomName: title }),
    [room, title],
  )
  if (!home || !shownRoom)
    return (
      <CardFrame title={title ?? t('boards:kinds.room.name')}>
        <Empty why={t('boards:roomGone')} />
      </CardFrame>
    )
  return <Room home={home} homes={homes} room={shownRoom} />
}

function Room(props: {
  home: HomeWithRooms
  homes: readonly HomeWithRooms[]
  room: HomeWithRooms['RoomList'][number]
}) {
  const { home, homes, room } = props
  const t = useT()
  const [of] = useSnapshots(useMemo(() => [home], [home]))
  if (of?.snapshot) return <RoomTile home={home} homes={homes} room={room} />
  return (
    <CardFrame title={room.RoomName} busy={of?.error === undefined}>
      {of?.error === undefined ? <Bone /> : <Empty why={t('dashboard:homeFailed')} />}
    </CardFrame>
  )
}
