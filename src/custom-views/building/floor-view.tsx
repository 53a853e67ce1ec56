import { useMemo, useId, useRef, useState } from 'react'
import type { Floor, FloorPlan as Plan, FloorShape } from '../../../contract/homes/floor.ts'
import type { RoomWithContents } from '../../../contract/homes/room.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { EmptyState } from '../../ui/page/states.tsx'
import { RoomList } from './room-list.tsx'
import { RoomWall, type WallProps } from './room-wall.tsx'
import { twiceArea } from '../../../contract/homes/shapes.ts'
import { useWidth } from '../../ui/page/use-width.ts'
import frame from '../../domain/floor/plan-frame.module.css'
import { widthForFingers } from '../../domain/floor/plan-geometry.ts'
import { PlanImage } from '../../domain/floor/plan-image.tsx'
import styles from './floor-plan.module.css'
import { placePinWords, PlanRoom } from './plan-room.tsx'
import type { RoomBookings } from './use-room-bookings.ts'
import type { ShownRoom } from './use-room-words.ts'

/** Maximum width of a plan relative to its viewport. */
const MAX_FRAME_WIDTHS = 3

interface FloorPlanProps extends Pick<ShownRoom, 'store' | 'layer' | 'open'> {
  floor: Floor
  plan: Plan
  names: ReadonlyMap<number, string>
  booked: ReadonlyMap<number, RoomBookings>
}

/**
 * Plan of a floor with its rooms drawn over it; a room opens by click, Enter and Space. If rooms would be too small for a finger, the plan
 * is wider than its viewport.
 */
function FloorPlan({ floor, plan, names, booked, ...shown }: FloorPlanProps) {
  const t = useT()
  const hatch = useId()
  const ref = useRef<HTMLDivElement>(null)
  const visibleWidth = useWidth(ref, 800)
  const { Width, Height } = plan
  const minWidth = useMemo(
    () => Math.min(MAX_FRAME_WIDTHS * visibleWidth, widthForFingers(floor.Shapes, Height / Width)),
    [visibleWidth, floor.Shapes, Width, Height],
  )
  const width = Math.max(visibleWidth, minWidth)
  const size = useMemo(() => ({ width, height: (width * Height) / Width }), [width, Width, Height])
  const [failed, setFailed] = useState<string>()
  // Small shapes lie over large ones.
  const shapes = useMemo(() => floor.Shapes.toSorted((a, b) => areaOf(b) - areaOf(a)), [floor.Shapes])
  const pinWords = useMemo(() => placePinWords(shapes, names, size), [shapes, names, size])
  return (
    <>
      {failed === plan.Url && (
        <p className={page.note} role="status">
          {t('building:planFailed')}
        </p>
      )}
      <div
        ref={ref}
        className={styles.scroller}
        style={{ maxWidth: `calc(max(480px, 100dvh - 280px) * ${Width / Height})` }}
      >
        <div className={frame.plan} style={{ aspectRatio: `${Width} / ${Height}`, minWidth }}>
          <PlanImage
            plan={plan}
            alt={t('building:planOf', { floor: floor.FloorName })}
            failed={() => setFailed(plan.Url)}
          />
          <svg
            viewBox={`0 0 ${size.width} ${size.height}`}
            role="group"
            aria-label={t('building:roomsOf', { floor: floor.FloorName })}
          >
            <defs>
              <pattern
                id={hatch}
                width={9}
                height={9}
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect className={styles.hatchLine} width={2} height={9} />
              </pattern>
            </defs>
            {shapes.map((shape) => {
              const name = names.get(shape.RoomID)
              return (
                name !== undefined && (
                  <PlanRoom
                    key={shape.RoomID}
                    {...shown}
                    RoomID={shape.RoomID}
                    name={name}
                    booked={booked.get(shape.RoomID)}
                    shape={shape}
                    size={size}
                    hatch={hatch}
                    pinWords={pinWords.get(shape.RoomID)}
                  />
                )
              )
            })}
          </svg>
        </div>
      </div>
    </>
  )
}

/** Twice the area of a shape; 0 for pins, so that they are on top. */
const areaOf = (shape: FloorShape): number => ('Points' in shape ? Math.abs(twiceArea(shape.Points)) : 0)

interface Props extends Omit<WallProps, 'rooms'> {
  floor: Floor
  rooms: readonly RoomWithContents[]
  /** Rooms that are placed on any floor. */
  placed: ReadonlySet<number>
}

/** One floor: its plan next to a list of its rooms, or its rooms as tiles if it has none; and the rooms that are on no floor. */
export function FloorView({ floor, rooms, placed, ...shown }: Props) {
  const t = useT()
  const names = useMemo(() => new Map(rooms.map(({ RoomID, RoomName }) => [RoomID, RoomName])), [rooms])
  const inside = useMemo(() => {
    const placedHere = new Set(floor.Shapes.map(({ RoomID }) => RoomID))
    return rooms.filter(({ RoomID }) => placedHere.has(RoomID))
  }, [floor.Shapes, rooms])
  const unplacedRooms = useMemo(
    () => rooms.filter((room) => !placed.has(room.RoomID) && !isEmptyDefault(room)),
    [rooms, placed],
  )
  const { store, open } = shown
  return (
    <div className={`${page.page} ${styles.floor}`}>
      <div className={page.stack}>
        {floor.Plan ? (
          <FloorPlan floor={floor} plan={floor.Plan} names={names} {...shown} />
        ) : (
          <EmptyState message={t(inside.length > 0 ? 'building:noPlan' : 'building:noPlanNoRooms')} />
        )}
        {!floor.Plan && inside.length > 0 && <RoomWall rooms={inside} {...shown} />}
      </div>
      <div className={`${page.stack} ${styles.rooms}`}>
        {floor.Plan && (
          <RoomList
            title={t('building:roomsOf', { floor: floor.FloorName })}
            rooms={inside}
            store={store}
            open={open}
          />
        )}
        <RoomList title={t('building:unplaced')} rooms={unplacedRooms} store={store} open={open} />
      </div>
    </div>
  )
}

/** Every home has room 0, used or not. */
const isEmptyDefault = ({ RoomID, PeripheralList, ThingNameList }: RoomWithContents): boolean =>
  RoomID === 0 && PeripheralList.length + ThingNameList.length === 0
