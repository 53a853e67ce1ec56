import { ExportFailed } from './fault.ts'

/** A file that is being written into an archive. */
export interface ZipEntry {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  end(): Promise<void>
}

interface Written {
  name: Uint8Array<ArrayBuffer>
  crc: number
  size: number
  compressedSize: number
  offset: number
  method: number
}

/** Maximum of sizes and offsets, which are 32 bits. */
const MAX_UINT32 = 0xffff_ffff
const DEFLATE = 8
const UTF8_NAMES = 0x0800
const VERSION = 20
/** 1980-01-01: equal contents result in equal archives at any time. */
const DATE = 0x0021

/**
 * Writer of a zip archive, one file after the other. Compressed data goes into blobs, which the browser may store on disk.
 *
 * errors  ExportFailed, `tooLarge`, if the archive would exceed 4 GB
 */
export function createZip() {
  const parts: Blob[] = []
  const written: Written[] = []
  let length = 0

  function append(...pieces: BlobPart[]): void {
    const blob = new Blob(pieces)
    length += blob.size
    if (length > MAX_UINT32) throw new ExportFailed('tooLarge', 'The archive is larger than 4 GB')
    parts.push(blob)
  }

  return {
    /** Begins a file; the previous one must have ended. */
    entry(name: string): ZipEntry {
      const packer = new CompressionStream('deflate-raw')
      const writer = packer.writable.getWriter()
      const compressed = new Response(packer.readable).blob()
      let crc = -1
      let size = 0
      return {
        async write(bytes) {
          crc = crcOf(crc, bytes)
          size += bytes.length
          await writer.write(bytes)
        },
        async end() {
          await writer.close()
          const content = await compressed
          const entry: Written = {
            name: new TextEncoder().encode(name),
            crc: ~crc >>> 0,
            size,
            compressedSize: content.size,
            offset: length,
            method: DEFLATE,
          }
          if (size > MAX_UINT32)
            throw new ExportFailed('tooLarge', 'A file of the archive is larger than 4 GB')
          append(localHeader(entry), entry.name, content)
          written.push(entry)
        },
      }
    },

    end(type: string): Blob {
      const centralStart = length
      for (const entry of written) append(centralHeader(entry), entry.name)
      append(endRecord(written.length, length - centralStart, centralStart))
      return new Blob(parts, { type })
    },
  }
}

function localHeader({ crc, size, compressedSize, name, method }: Written): Uint8Array<ArrayBuffer> {
  return record(30, [
    [4, 0x0403_4b50],
    [2, VERSION],
    [2, UTF8_NAMES],
    [2, method],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, compressedSize],
    [4, size],
    [2, name.length],
    [2, 0],
  ])
}

function centralHeader({
  crc,
  size,
  compressedSize,
  name,
  offset,
  method,
}: Written): Uint8Array<ArrayBuffer> {
  return record(46, [
    [4, 0x0201_4b50],
    [2, VERSION],
    [2, VERSION],
    [2, UTF8_NAMES],
    [2, method],
    [2, 0],
    [2, DATE],
    [4, crc],
    [4, compressedSize],
    [4, size],
    [2, name.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, offset],
  ])
}

const endRecord = (count: number, size: number, offset: number): Uint8Array<ArrayBuffer> =>
  record(22, [
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, offset],
    [2, 0],
  ])

function record(length: number, fields: readonly (readonly [2 | 4, number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += width
  }
  return bytes
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1
  return value >>> 0
})

/** CRC-32 updated with more bytes, before the final inversion. */
function crcOf(crc: number, bytes: Uint8Array): number {
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return crc
}
