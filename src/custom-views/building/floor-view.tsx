import { useMemo } from 'react'
import type { Floor } from '../../../contract/homes/floor.ts'
import type { RoomWithContents } from '../../../contract/homes/room.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { EmptyState } from '../../ui/page/states.tsx'
import { FloorPlan } from './floor-plan.tsx'
import { RoomWall, type WallProps } from './room-wall.tsx'

interface Props extends Omit<WallProps, 'rooms'> {
  floor: Floor
  rooms: readonly RoomWithContents[]
  /** Rooms that are placed on any floor. */
  placed: ReadonlySet<number>
}

/** One floor: its plan, or its rooms as tiles if it has none; and the rooms that are on no floor. */
export function FloorView({ floor, rooms, placed, ...shown }: Props) {
  const t = useT()
  const names = useMemo(() => new Map(rooms.map(({ RoomID, RoomName }) => [RoomID, RoomName])), [rooms])
  const here = new Set(floor.Shapes.map(({ RoomID }) => RoomID))
  const inside = rooms.filter(({ RoomID }) => here.has(RoomID))
  const nowhere = rooms.filter((room) => !placed.has(room.RoomID) && !isEmptyDefault(room))
  return (
    <>
      {floor.Plan ? (
        <FloorPlan floor={floor} plan={floor.Plan} names={names} {...shown} />
      ) : (
        <EmptyState why={t(inside.length > 0 ? 'building:noPlan' : 'building:noPlanNoRooms')} />
      )}
      {!floor.Plan && inside.length > 0 && <RoomWall rooms={inside} {...shown} />}
      {nowhere.length > 0 && (
        <section className={page.tightStack} aria-label={t('building:unplaced')}>
          <h2 className={page.hint}>{t('building:unplaced')}</h2>
          <RoomWall rooms={nowhere} {...shown} />
        </section>
      )}
    </>
  )
}

/** Every home has room 0, used or not. */
const isEmptyDefault = ({ RoomID, PeripheralList, ThingNameList }: RoomWithContents): boolean =>
  RoomID === 0 && PeripheralList.length + ThingNameList.length === 0
