import { useState } from 'react'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { useNow } from '../../../../ui/page/use-now.ts'
import { CardFrame, Empty } from '../../cards/card-frame.tsx'
import { createEmptyTracker, type EmptyTracker } from '../../common/empty-since.ts'
import { RoomTile } from '../../tiles/tiles.tsx'
import type { CardProps } from './card-props.ts'
import { Bone } from '../../../../ui/page/skeleton.tsx'
import type { DeviceSnapshot } from '../../../../../contract/devices/peripheral.ts'
import { statuses } from '../../../../data/status-store.ts'
import { summarize, type Summary } from '../../common/summarize.ts'
import { linesOf } from '../../common/use-overview.ts'

/** Tile of one room; links to its devices. */
export default function RoomCard({ card: { HomeID, RoomID }, title, overview, morning }: CardProps<'room'>) {
  const t = useT()
  const now = useNow()
  const [emptySince] = useState(createEmptyTracker)
  const of = overview.find(({ home }) => home.HomeID === HomeID)
  const room = of?.home.RoomList.find((one) => one.RoomID === RoomID)
  if (!of || !room)
    return (
      <CardFrame title={title ?? t('boards:kinds.room.name')}>
        <Empty why={t('boards:roomGone')} />
      </CardFrame>
    )
  if (!of.snapshot)
    return (
      <CardFrame title={title ?? room.RoomName} busy={of.error === undefined}>
        {of.error === undefined ? <Bone /> : <Empty why={t('dashboard:homeFailed')} />}
      </CardFrame>
    )
  const summary = summaryOfRoom(of.snapshot, RoomID, now, emptySince)
  return (
    <RoomTile
      home={of.home}
      room={title === undefined ? room : { ...room, RoomName: title }}
      summary={summary}
      morning={morning}
    />
  )
}

/** Summary of one room. Meters that only sum up meters of other rooms are left out. */
function summaryOfRoom(
  snapshot: DeviceSnapshot,
  RoomID: number,
  now: number,
  emptySince: EmptyTracker,
): Summary {
  const lines = linesOf(snapshot)
  const parents = new Set(lines.map(({ device }) => device?.ParentMeter))
  return summarize(
    lines.filter((line) => line.RoomID === RoomID && line.device && !parents.has(line.device.PeripheralUID)),
    statuses.get,
    now,
    emptySince,
  )
}
