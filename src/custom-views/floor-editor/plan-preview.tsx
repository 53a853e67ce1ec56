import { useMemo, useRef } from 'react'
import type { Floor } from '../../../contract/homes/floor.ts'
import planFrame from '../../domain/floor/plan-frame.module.css'
import { toPixels, type Size } from '../../domain/floor/plan-geometry.ts'
import { PlanImage } from '../../domain/floor/plan-image.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { useWidth } from '../../ui/page/use-width.ts'
import { AreaFace, PinFace } from './editor-shape.tsx'
import styles from './floor-editor.module.css'

interface Props {
  record: Floor
  /** All rooms of the home, by RoomID. */
  names: ReadonlyMap<number, string>
}

/** Plan of a floor with its rooms, to look at. */
export function PlanPreview({ record: { FloorName, Plan, Shapes }, names }: Props) {
  const t = useT()
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 360)
  const { Width, Height } = Plan ?? { Width: 4, Height: 3 }
  const size = useMemo<Size>(() => ({ width, height: (width * Height) / Width }), [width, Width, Height])
  return (
    <div
      ref={frame}
      className={`${planFrame.plan} ${styles.plan}`}
      data-blank={Plan === null || undefined}
      style={{ aspectRatio: `${Width} / ${Height}` }}
    >
      {Plan && (
        <PlanImage plan={Plan} alt={t('floorEditor:planOf', { floor: FloorName })} failed={() => undefined} />
      )}
      <svg viewBox={`0 0 ${size.width} ${size.height}`} role="list" aria-label={FloorName} data-tool="select">
        {Shapes.map((shape) => {
          const name = names.get(shape.RoomID) ?? ''
          return (
            <g key={shape.RoomID} className={styles.shape} role="listitem" aria-label={name}>
              <g>
                {'Points' in shape ? (
                  <AreaFace points={shape.Points.map((point) => toPixels(point, size))} name={name} />
                ) : (
                  <PinFace at={toPixels(shape.At, size)} name={name} />
                )}
              </g>
            </g>
          )
        })}
      </svg>
    </div>
  )
}
