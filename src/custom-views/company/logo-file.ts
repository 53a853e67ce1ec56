import { imageTypeOf, type ImageType } from '../../lib/image-type.ts'

/** A valid logo picture, measured but not uploaded. */
export interface LogoChoice {
  file: File
  type: ImageType
  width: number
  height: number
}

/** Reason that a picture is invalid: a key of `company:problem` with the values of its text. */
export type LogoProblem =
  { reason: 'type' } | { reason: 'unreadable' } | { reason: 'shape'; width: number; height: number }

/**
 * Checks a picture before it is uploaded (§5): JPG, PNG or WebP by its first bytes, regardless of its name, and not taller than wide.
 *
 * measure  size in pixels; rejects for pictures that the browser cannot draw
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
