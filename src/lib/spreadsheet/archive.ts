import { FileRefused } from './file-fault.ts'

/** Maximum number of entries of an archive. */
const MAX_ENTRIES = 2_000
const [STORED, DEFLATED] = [0, 8]
/** Maximum ratio of deflate. */
const MAX_RATIO = 1_032
const ENCRYPTED = 1
/** Field values of sizes and offsets that are stored as 64 bits elsewhere. */
const IN_ZIP64 = 0xffff_ffff
const ZIP64_FIELD = 0x0001
const END_LENGTH = 22
const MAX_COMMENT_LENGTH = 0xffff

/** A file in a zip archive, as the central directory describes it. */
export interface ArchiveEntry {
  name: string
  isEncrypted: boolean
  method: number
  compressedSize: number
  /** Unpacked size as stated, which cannot be trusted. */
  size: number
  /** Position of its local header. */
  offset: number
}

/** Files in a zip archive, without folders. Errors: FileRefused. */
export function listEntries(bytes: Uint8Array): ArchiveEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOfDirectory(view)
  const count = view.getUint16(end + 10, true)
  if (count > MAX_ENTRIES) throw new FileRefused('bomb')
  try {
    let at = view.getUint32(end + 16, true)
    const entries: ArchiveEntry[] = []
    for (let index = 0; index < count; index++) {
      const nameLength = view.getUint16(at + 28, true)
      const extraLength = view.getUint16(at + 30, true)
      entries.push({
        name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength)),
        isEncrypted: (view.getUint16(at + 8, true) & ENCRYPTED) !== 0,
        method: view.getUint16(at + 10, true),
        ...sizesOf(view, at, at + 46 + nameLength, extraLength),
      })
      at += 46 + nameLength + extraLength + view.getUint16(at + 32, true)
    }
    return entries.filter(({ name }) => !name.endsWith('/'))
  } catch {
    throw new FileRefused('notRead')
  }
}

function endOfDirectory(view: DataView): number {
  const last = view.byteLength - END_LENGTH
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_LENGTH); at--)
    if (view.getUint32(at, true) === 0x0605_4b50) return at
  throw new FileRefused('notRead')
}

/** Sizes and offset of an entry, from its 64-bit field where the 32-bit ones say so. */
function sizesOf(
  view: DataView,
  at: number,
  extra: number,
  extraLength: number,
): Pick<ArchiveEntry, 'compressedSize' | 'size' | 'offset'> {
  let field = extra
  while (field + 4 <= extra + extraLength && view.getUint16(field, true) !== ZIP64_FIELD)
    field += 4 + view.getUint16(field + 2, true)
  let next = field + 4
  const read = (value: number): number => {
    if (value !== IN_ZIP64) return value
    next += 8
    return Number(view.getBigUint64(next - 8, true))
  }
  const size = read(view.getUint32(at + 24, true))
  const compressedSize = read(view.getUint32(at + 20, true))
  return { size, compressedSize, offset: read(view.getUint32(at + 42, true)) }
}

/**
 * Content of a file in an archive. The stated size is its maximum, so that an archive bomb costs no more than it states.
 *
 * errors  FileRefused: `bomb` if it is larger than stated or than `maxBytes`
 */
export async function unpackEntry(
  bytes: Uint8Array<ArrayBuffer>,
  { isEncrypted, method, compressedSize, size, offset }: ArchiveEntry,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  if (isEncrypted) throw new FileRefused('passwordProtected')
  if (size > maxBytes) throw new FileRefused('bomb')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + 30 > bytes.length) throw new FileRefused('notRead')
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  const packed = bytes.subarray(start, start + compressedSize)
  if (packed.length !== compressedSize) throw new FileRefused('notRead')
  if (method === STORED) {
    if (packed.length !== size) throw new FileRefused(packed.length > size ? 'bomb' : 'notRead')
    return packed
  }
  if (method !== DEFLATED || size > packed.length * MAX_RATIO) throw new FileRefused('notRead')
  const content = await decompress(packed, 'deflate-raw', size, size)
  if (content.length !== size) throw new FileRefused('notRead')
  return content
}

/** First capacity for the content of a gzip file, which states no size that can be used. */
const GZIP_RATIO = 8

/** Content of a gzip file. Errors: FileRefused: `bomb` if it is larger than `maxBytes`. */
export const gunzip = (bytes: Uint8Array<ArrayBuffer>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> =>
  decompress(bytes, 'gzip', Math.min(maxBytes, bytes.length * GZIP_RATIO), maxBytes)

async function decompress(
  packed: Uint8Array<ArrayBuffer>,
  format: CompressionFormat,
  capacity: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader()
  let content = new Uint8Array(capacity)
  let length = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return content.subarray(0, length)
      const end = length + value.length
      if (end > maxBytes) throw new FileRefused('bomb')
      if (end > content.length) {
        const larger = new Uint8Array(Math.min(maxBytes, Math.max(2 * content.length, end)))
        larger.set(content)
        content = larger
      }
      content.set(value, length)
      length = end
    }
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused('notRead')
  } finally {
    void reader.cancel().catch(() => {})
  }
}
