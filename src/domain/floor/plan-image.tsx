import { useState } from 'react'
import type { FloorPlan } from '../../../contract/homes/floor.ts'
import { showsPaper } from './paper.ts'

interface Props {
  plan: FloorPlan
  alt: string
  failed: () => void
}

/** The longest side of a plan's small picture, px. */
const SMALL = 1_024

/** The drawing of a floor, in the size that is seen; one on paper is white on black where the page is dark. */
export const PlanImage = ({ plan: { Url, SmallUrl, Width, Height }, alt, failed }: Props) => {
  const [paper, setPaper] = useState<string>()
  const small = Math.round(Width * Math.min(1, SMALL / Math.max(Width, Height)))
  return (
    <img
      key={Url}
      src={SmallUrl}
      {...(small < Width && {
        srcSet: `${SmallUrl} ${small}w, ${Url} ${Width}w`,
        sizes: '(max-width: 767px) 100vw, 80vw',
      })}
      alt={alt}
      draggable={false}
      data-paper={paper === Url || undefined}
      onLoad={({ currentTarget }) => setPaper(showsPaper(currentTarget) ? Url : undefined)}
      onError={failed}
    />
  )
}
