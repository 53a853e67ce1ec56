import type { FloorShape } from '../../../contract/homes/floor.ts'
import { rectangleOf } from '../../domain/floor/plan-geometry.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Kind of a shape; an area whose corners form a rectangle is one. */
export type ShapeKind = 'rectangle' | 'polygon' | 'pin'

export const kindOf = (shape: FloorShape): ShapeKind =>
  'At' in shape ? 'pin' : rectangleOf(shape.Points) ? 'rectangle' : 'polygon'

/** Text for the place of a room, in ten-thousandths of the plan. */
export function useShapeWords() {
  const t = useT()
  return {
    describe(shape: FloorShape): string {
      if ('At' in shape) return t('floorEditor:at.pin', { x: shape.At[0], y: shape.At[1] })
      const box = rectangleOf(shape.Points)
      return box
        ? t('floorEditor:at.rectangle', { ...box })
        : t('floorEditor:at.polygon', { points: shape.Points.map(([x, y]) => `${x},${y}`).join(' ') })
    },
  }
}
