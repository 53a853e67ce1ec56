import { useId } from 'react'
import { useThemeMode } from '../theme/theme-mode.ts'
import styles from './chart.module.css'
import type { TimeSeries } from './model.ts'
import { DASHES, MARK_OPACITY, MARKS, TILE } from './textures.ts'

const SIZE = 12
const STROKE = { length: 22, width: 3 }

/** Sample of a series' bar or line, shown next to its name. */
export function Swatch({ color, draw, faint = false }: Pick<TimeSeries, 'color' | 'draw' | 'faint'>) {
  const mode = useThemeMode()
  const pattern = useId()
  const { texture, [mode]: paint } = color
  const opacity = faint ? 0.5 : 1
  if (draw !== 'bars')
    return (
      <svg className={styles.swatch} width={STROKE.length} height={SIZE} aria-hidden="true">
        <line
          x2={STROKE.length}
          y1={SIZE / 2}
          y2={SIZE / 2}
          stroke={paint}
          strokeWidth={STROKE.width}
          opacity={opacity}
          {...(texture && { strokeDasharray: DASHES[texture].join(' ') })}
        />
      </svg>
    )
  return (
    <svg className={styles.swatch} width={SIZE} height={SIZE} aria-hidden="true">
      {faint ? (
        <rect
          {...{ x: 0.5, y: 0.5, width: SIZE - 1, height: SIZE - 1, rx: 2.5 }}
          fill={paint}
          fillOpacity={0.25}
          stroke={paint}
        />
      ) : (
        <rect width={SIZE} height={SIZE} rx={3} fill={paint} />
      )}
      {texture && (
        <>
          <pattern id={pattern} width={TILE} height={TILE} patternUnits="userSpaceOnUse">
            <rect {...MARKS[texture]} opacity={MARK_OPACITY} className={styles.ground ?? ''} />
          </pattern>
          <rect width={SIZE} height={SIZE} rx={3} fill={`url(#${pattern})`} />
        </>
      )}
    </svg>
  )
}
