import { imageTypeOf, type ImageType } from '../../lib/image-type.ts'

/** A picture that may become the logo, measured but not yet sent. */
export interface LogoChoice {
  file: File
  type: ImageType
  width: number
  height: number
}

/** Why a picture may not: a key of `company:problem` with what its text needs. */
export type LogoProblem =
  { reason: 'type' } | { reason: 'unreadable' } | { reason: 'shape'; width: number; height: number }

/**
 * Looks at a picture before anything is sent (§5): JPG, PNG or WebP by its first bytes, whatever it is named, square or wider than tall.
 *
 * measure  the size in pixels of what the browser can draw; rejects for what it cannot
 */
export async function readLogo(file: File, measure = measurePicture): Promise<LogoChoice | LogoProblem> {
  const type = await imageTypeOf(file)
  if (!type) return { reason: 'type' }
  let size: { width: number; height: number }
  try {
    size = await measure(file)
  } catch {
    return { reason: 'unreadable' }
  }
  const { width, height } = size
  return width < height ? { reason: 'shape', width, height } : { file, type, width, height }
}

async function measurePicture(file: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(file)
  const { width, height } = bitmap
  bitmap.close()
  return { width, height }
}
