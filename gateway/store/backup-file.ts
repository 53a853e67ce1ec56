import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'

/**
 * Format of a backup file: a line with the format version and the length and sha256 of the header, the header as JSON, then one gzip
 * member for each table in the header's order, containing PostgreSQL's binary COPY.
 */
const FORMAT = 1
const LABEL = 'gateway-backup'
const FIRST_LINE = new RegExp(`^${LABEL} (\\d+) (\\d{8}) ([0-9a-f]{64})\\n$`)
const FIRST_LINE_LENGTH = firstLine(0, '0'.repeat(64)).length

const name = z.string().min(1).max(63)
const count = z.number().int().min(0)

/** Literal of a partition bound; anything else would allow SQL injection by a file. */
const literal = String.raw`(?:'[^'\\]*'|-?\d+|MINVALUE|MAXVALUE)`
const literals = String.raw`\(${literal}(?:, ${literal})*\)`
const bound = new RegExp(`^(?:DEFAULT|FOR VALUES (?:FROM ${literals} TO ${literals}|IN ${literals}))$`)

const Header = z.object({
  format: z.literal(FORMAT),
  createdAt: z.string(),
  /** Migrations of the schema, in order; their number is the schema version. */
  migrations: z.array(z.object({ version: count, name: z.string(), sha256: z.string() })).min(1),
  /** `bytes` is the length of the table's gzip member. */
  tables: z.array(z.object({ name, columns: z.array(name).min(1), rows: count, bytes: count })),
  partitions: z.array(z.object({ name, parent: name, bound: z.string().regex(bound) })),
  /** Next value of each sequence: `value`, or the one after it if `called`. */
  sequences: z.array(z.object({ name, value: count, called: z.boolean() })),
  /** Hash of everything after the header. */
  sha256: z.string(),
})
export type BackupHeader = z.infer<typeof Header>
export type BackupTable = BackupHeader['tables'][number]

export interface BackupWriter {
  /** Adds a table's binary COPY as the next gzip member; returns its length. */
  add(copy: NodeJS.ReadableStream): Promise<number>
  /** Writes the header and renames the file to its final name. */
  finish(header: Omit<BackupHeader, 'format' | 'sha256'>): Promise<void>
  /** Deletes the unfinished file. */
  discard(): Promise<void>
}

/**
 * Begins a backup file under a temporary name, which `finish` replaces.
 *
 * headerLength  space reserved for the header, which is complete only at the end
 */
export const writeBackup = async (path: string, headerLength: number): Promise<BackupWriter> => {
  const draft = `${path}.partial`
  const file = await open(draft, 'w', 0o600)
  const hash = createHash('sha256')
  let position = FIRST_LINE_LENGTH + headerLength
  return {
    add: async (copy) => {
      const start = position
      let writeError: unknown
      await pipeline(
        copy,
        createGzip({ level: 1, chunkSize: 65_536 }),
        async (compressed: AsyncIterable<Buffer>) => {
          for await (const chunk of compressed) {
            hash.update(chunk)
            await writeAll(file, chunk, position).catch((error: unknown) => {
              writeError = error
              throw error
            })
            position += chunk.length
          }
        },
      ).catch((error: unknown) => {
        // The interrupted COPY fails first, without the cause.
        throw writeError ?? error
      })
      return position - start
    },
    finish: async (content) => {
      const header: BackupHeader = { format: FORMAT, ...content, sha256: hash.digest('hex') }
      const text = Buffer.alloc(headerLength, ' ')
      if (text.write(JSON.stringify(header)) === headerLength)
        throw new Error('The header has outgrown its room')
      await writeAll(file, Buffer.from(firstLine(headerLength, sha256(text))), 0)
      await writeAll(file, text, FIRST_LINE_LENGTH)
      await file.sync()
      await file.close()
      await rename(draft, path)
    },
    discard: async () => {
      await file.close().catch(() => {})
      await rm(draft, { force: true })
    },
  }
}

export interface BackupReader {
  header: BackupHeader
  /** Pipes a table's binary COPY into a stream. */
  copyTable(table: BackupTable, target: NodeJS.WritableStream): Promise<void>
}

/**
 * Opens a backup file and verifies every byte.
 *
 * errors    if it is not a backup, has an unknown format, or is incomplete or modified
 */
export const readBackup = async (path: string): Promise<BackupReader> => {
  const { header, length } = await readHeader(path)
  const body = header.tables.reduce((sum, { bytes }) => sum + bytes, 0)
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of createReadStream(path, { start: length }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    size += chunk.length
  }
  if (size !== body) throw new Error(`The backup file is incomplete: ${size} of ${body} bytes of data`)
  if (hash.digest('hex') !== header.sha256) throw damagedError()
  return {
    header,
    copyTable: async (table, target) => {
      const index = header.tables.indexOf(table)
      const start = length + header.tables.slice(0, index).reduce((sum, { bytes }) => sum + bytes, 0)
      const compressed = createReadStream(path, {
        start,
        end: start + table.bytes - 1,
        highWaterMark: 262_144,
      })
      await pipeline(compressed, createGunzip({ chunkSize: 262_144 }), target)
    },
  }
}

const readHeader = async (path: string): Promise<{ header: BackupHeader; length: number }> => {
  const file = await open(path, 'r')
  try {
    const [, format, digits, digest] =
      FIRST_LINE.exec((await read(file, FIRST_LINE_LENGTH, 0)).toString()) ?? []
    if (!digits || !digest) throw new Error(`${path} is not a backup of the gateway`)
    if (Number(format) !== FORMAT)
      throw new Error(`${path} has the format ${format}, this program reads ${FORMAT}`)
    const text = await read(file, Number(digits), FIRST_LINE_LENGTH)
    if (sha256(text) !== digest) throw damagedError()
    return { header: Header.parse(JSON.parse(text.toString())), length: FIRST_LINE_LENGTH + text.length }
  } finally {
    await file.close()
  }
}

function firstLine(headerLength: number, digest: string): string {
  return `${LABEL} ${FORMAT} ${String(headerLength).padStart(8, '0')} ${digest}\n`
}

const damagedError = () => new Error('The backup file is damaged: its content does not match its checksum')

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const read = async (file: FileHandle, length: number, position: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let written = 0; written < bytes.length;)
    written += (await file.write(bytes, written, bytes.length - written, position + written)).bytesWritten
}
