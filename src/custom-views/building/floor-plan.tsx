import { useId, useMemo, useRef, useState } from 'react'
import type { Floor, FloorPlan as Plan, FloorShape } from '../../../contract/resources/floor.ts'
import { twiceArea } from '../../../contract/rules/floor/shapes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { useWidth } from '../../ui/page/use-width.ts'
import frame from '../../domain/floor/plan-frame.module.css'
import { PlanImage } from '../../domain/floor/plan-image.tsx'
import styles from './floor-plan.module.css'
import { PlanRoom } from './plan-room.tsx'
import type { RoomBookings } from './use-room-bookings.ts'
import type { ShownRoom } from './use-room-look.ts'

interface Props extends Pick<ShownRoom, 'store' | 'layer' | 'open'> {
  floor: Floor
  plan: Plan
  names: ReadonlyMap<number, string>
  booked: ReadonlyMap<number, RoomBookings>
}

/** A floor as its plan with its rooms drawn over it; a room opens by click, Enter and Space. */
export function FloorPlan({ floor, plan, names, booked, ...shown }: Props) {
  const t = useT()
  const hatch = useId()
  const ref = useRef<HTMLDivElement>(null)
  const width = useWidth(ref, 800)
  const { Width, Height } = plan
  const size = useMemo(() => ({ width, height: (width * Height) / Width }), [width, Width, Height])
  const [failed, setFailed] = useState<string>()
  // What is small lies over what is large.
  const shapes = useMemo(() => floor.Shapes.toSorted((a, b) => areaOf(b) - areaOf(a)), [floor.Shapes])
  return (
    <>
      {failed === plan.Url && (
        <p className={page.note} role="status">
          {t('building:planFailed')}
        </p>
      )}
      <div
        ref={ref}
        className={frame.plan}
        style={{
          aspectRatio: `${Width} / ${Height}`,
          maxWidth: `calc(max(480px, 100dvh - 320px) * ${Width / Height})`,
        }}
      >
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
                />
              )
            )
          })}
        </svg>
      </div>
    </>
  )
}

/** Twice the area of a shape; pins lie on top. */
const areaOf = (shape: FloorShape): number => ('Points' in shape ? Math.abs(twiceArea(shape.Points)) : 0)
