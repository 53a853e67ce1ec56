import { useState } from 'react'
import type { FloorPlan } from '../../../contract/homes/floor.ts'

/** Width and height of the sample of a plan, px. */
const SIDE = 32
/** Mean lightness (0 to 1) from which a plan counts as a drawing on paper, not a photograph. */
const PAPER = 0.7

/** Whether a picture is mostly light, like a drawing on paper. `pixels` are RGBA values from 0 to 255. */
export function isPaper(pixels: ArrayLike<number>): boolean {
  let sum = 0
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const [red = 0, green = 0, blue = 0, opacity = 0] = [
      pixels[i],
      pixels[i + 1],
      pixels[i + 2],
      pixels[i + 3],
    ]
    // Treat transparent pixels as white paper.
    const light = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
    sum += light * (opacity / 255) + (1 - opacity / 255)
  }
  return pixels.length > 0 && sum / (pixels.length / 4) >= PAPER
}

/** Whether a loaded image is mostly light; false if its pixels cannot be read, e.g. from another origin. */
function showsPaper(image: HTMLImageElement): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return false
  try {
    context.drawImage(image, 0, 0, SIDE, SIDE)
    return isPaper(context.getImageData(0, 0, SIDE, SIDE).data)
  } catch {
    return false
  }
}

interface Props {
  plan: FloorPlan
  alt: string
  failed: () => void
}

/** Longest side of a plan's thumbnail, px. */
const SMALL = 1_024

/** Drawing of a floor in a suitable resolution; a drawing on paper is inverted in dark mode. */
export const PlanImage = ({ plan: { Url, SmallUrl, Width, Height }, alt, failed }: Props) => {
  const [paper, setPaper] = useState<string>()
  const scaledWidth = Math.round(Width * Math.min(1, SMALL / Math.max(Width, Height)))
  return (
    <img
      key={Url}
      src={SmallUrl}
      {...(scaledWidth < Width && {
        srcSet: `${SmallUrl} ${scaledWidth}w, ${Url} ${Width}w`,
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
