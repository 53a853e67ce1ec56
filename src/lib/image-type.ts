import { IMAGE_TYPES } from '../../contract/homes/upload-calls.ts'

export type ImageType = (typeof IMAGE_TYPES)[number]

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

const SIGNATURES: Record<ImageType, (bytes: Uint8Array) => boolean> = {
  'image/jpeg': ([first, second, third]) => first === 0xff && second === 0xd8 && third === 0xff,
  'image/png': (bytes) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n',
  'image/webp': (bytes) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP',
}

/** Type of a picture by its first bytes, whatever its extension; undefined for other files, including SVG. */
export async function imageTypeOf(file: Blob): Promise<ImageType | undefined> {
  const bytes = new Uint8Array(await file.slice(0, 12).arrayBuffer())
  return IMAGE_TYPES.find((type) => SIGNATURES[type](bytes))
}
