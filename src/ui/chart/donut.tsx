import { Pie } from '@ant-design/charts'
import { useMemo } from 'react'
import { colors, type Mode } from '../theme/theme.ts'

export interface Slice {
  name: string
  kWh: number
  color: string
}

const SIZE = 168
/** Drawn larger than shown, to be sharp on paper too: the library does not redraw in time for printing. */
const PIXEL_RATIO = 2

/** Ring chart of shares; the caller shows the figures next to it. */
export default function Donut({ slices, mode }: { slices: readonly Slice[]; mode: Mode }) {
  // The library compares its configuration deeply at every render; an identical object is compared at once.
  const config = useMemo(
    () => ({
      width: SIZE * PIXEL_RATIO,
      height: SIZE * PIXEL_RATIO,
      data: [...slices],
      angleField: 'kWh',
      colorField: 'name',
      radius: 1,
      innerRadius: 0.62,
      legend: false as const,
      label: false as const,
      tooltip: false as const,
      animate: false,
      scale: { color: { domain: slices.map(({ name }) => name), range: slices.map(({ color }) => color) } },
      style: { stroke: colors[mode].surface, lineWidth: 2 * PIXEL_RATIO },
      theme:
        mode === 'dark' ? { type: 'classicDark', view: { viewFill: 'transparent' } } : { type: 'classic' },
    }),
    [slices, mode],
  )
  return (
    <div style={{ zoom: 1 / PIXEL_RATIO }}>
      <Pie {...config} />
    </div>
  )
}
