import { useId, useMemo, useRef, useState } from 'react'
import type { Floor, FloorPlan as Plan, FloorShape } from '../../../contract/homes/floor.ts'
import { twiceArea } from '../../../contract/homes/shapes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { useWidth } from '../../ui/page/use-width.ts'
import frame from '../../domain/floor/plan-frame.module.css'
import { widthForFingers } from '../../domain/floor/plan-geometry.ts'
import { PlanImage } from '../../domain/floor/plan-image.tsx'
import styles from './floor-plan.module.css'
import { placePinWords } from './pin-words.ts'
import { PlanRoom } from './plan-room.tsx'
import type { RoomBookings } from './use-room-bookings.ts'
import type { ShownRoom } from './use-room-look.ts'

/** Maximum width of a plan relative to its viewport. */
const MOST_FRAMES = 3

interface Props extends Pick<ShownRoom, 'store' | 'layer' | 'open'> {
  floor: Floor
  plan: Plan
  names: ReadonlyMap<number, string>
  booked: ReadonlyMap<number, RoomBookings>
}

/**
 * Plan of a floor with its rooms drawn over it; a room opens by click, Enter and Space. If rooms would be too small for a finger, the plan
 * is wider than its viewport.
 */
export function FloorPlan({ floor, plan, names, booked, ...shown }: Props) {
  const t = useT()
  const hatch = useId()
  const ref = useRef<HTMLDivElement>(null)
  const seen = useWidth(ref, 800)
  const { Width, Height } = plan
  const least = useMemo(
    () => Math.min(MOST_FRAMES * seen, widthForFingers(floor.Shapes, Height / Width)),
    [seen, floor.Shapes, Width, Height],
  )
  const width = Math.max(seen, least)
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
        style={{ maxWidth: `calc(max(480px, 100dvh - 320px) * ${Width / Height})` }}
      >
        <div className={frame.plan} style={{ aspectRatio: `${Width} / ${Height}`, minWidth: least }}>
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
