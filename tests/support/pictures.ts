import sharp from 'sharp'

/** Complete picture of one color that can be decoded. */
export const picture = (format: 'png' | 'jpeg' | 'webp', width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#0a7d6d' } })
    .toFormat(format)
    .toBuffer()

/** Smallest PNG header of this size; only the header is read. */
export function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
  bytes.write('IHDR', 12)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

/** JPEG with an application segment before its frame header. */
export function jpeg(width: number, height: number): Buffer {
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3])
  bytes.writeUInt16BE(height, 13)
  bytes.writeUInt16BE(width, 15)
  return bytes
}

/** WebP of any of its three kinds. */
export function webp(width: number, height: number, kind: 'VP8 ' | 'VP8L' | 'VP8X' = 'VP8X'): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0)
  bytes.write('WEBP', 8)
  bytes.write(kind, 12)
  if (kind === 'VP8X') {
    bytes.writeUIntLE(width - 1, 24, 3)
    bytes.writeUIntLE(height - 1, 27, 3)
  } else if (kind === 'VP8L') {
    bytes[20] = 0x2f
    bytes.writeUInt32LE((((height - 1) << 14) | (width - 1)) >>> 0, 21)
  } else {
    bytes.set([0x9d, 0x01, 0x2a], 23)
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  }
  return bytes
}
