import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { Firmware, MAX_FIRMWARE_BYTES, MAX_FIRMWARES, ota } from '../../../contract/devices/ota-calls.ts'
import type { Actor } from '../../kernel/context.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Events } from '../../kernel/events.ts'
import { type Grant, grantOf, type IsGranted } from '../../domain/identity/grant.ts'
import type { Clock, Files, Log, Random } from '../../kernel/ports.ts'
import { readSigned, writeSigned } from '../../lib/seal.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Validity of upload and download addresses, ms. */
const ADDRESS_TTL_MS = 15 * 60_000
const DOWNLOAD_TTL_MS = 60 * 60_000
/** Maximum number of concurrent uploads per company: some stores keep each file in memory, and disks fill up. */
const AT_A_TIME = 4
const OTA_FILES = '/ota-files/'

interface UploadTicket {
  use: 'put'
  grant: Grant
  tenant: string
  firmwareId: string
  size: number
  expiresAt: number
}
interface DownloadTicket {
  use: 'download'
  fileKey: string
  sha256: string
  expiresAt: number
}

export interface LibraryOptions {
  db: Db
  files: Files
  events: Events
  clock: Clock
  random: Random
  log: Log
  /** Key that signs the tickets. */
  key: Uint8Array
  isGranted: IsGranted
}

/** A version that a user announces before uploading its file. */
export type AnnouncedFirmware = Pick<Firmware, 'Target' | 'FirmwareVersion' | 'Notes' | 'Size'>

export type Library = ReturnType<typeof createLibrary>

/** Firmware files of companies: uploaded once by ticket, downloaded by hubs with tickets that expire. */
export function createLibrary({ db, files, events, clock, random, log, key, isGranted }: LibraryOptions) {
  const unsubscribe = events.on('firmwareDropped', ({ fileKey }) => remove(fileKey))

  /** Versions that are being uploaded, by company. */
  const uploads = new Map<string, Set<string>>()

  /** Registers an upload; throws if this file is being uploaded, or too many of the company are. Returns a function that ends it. */
  function enter({ tenant, firmwareId }: UploadTicket): () => void {
    const now = uploads.get(tenant) ?? new Set()
    if (now.has(firmwareId)) throw new GatewayError('CONFLICT', 'This upload address is in use')
    if (now.size >= AT_A_TIME)
      throw new GatewayError('LIMIT_EXCEEDED', `At most ${AT_A_TIME} files can be uploaded at once`)
    uploads.set(tenant, now.add(firmwareId))
    return () => {
      now.delete(firmwareId)
      if (now.size === 0) uploads.delete(tenant)
    }
  }

  /** Deletes a file; after a failure of the store it only stays behind. */
  const remove = (fileKey: string) =>
    files.remove(fileKey).catch((err: unknown) => log.warn({ err, fileKey }, 'file not deleted'))

  function readTicket<T extends UploadTicket | DownloadTicket>(text: string, use: T['use']): T {
    const ticket = readSigned<T>(text, key)
    if (!ticket || ticket.use !== use || ticket.expiresAt <= clock.now()) throw expired()
    return ticket
  }

  return {
    /**
     * Announces a version and returns its upload address. Replaces an announced version that was never uploaded.
     *
     * errors  CONFLICT if the library has this version; LIMIT_EXCEEDED if it is full
     */
    async announce(tx: Db, actor: Actor, announced: AnnouncedFirmware) {
      const { tenant, name: by } = actor
      const now = clock.now()
      await tx.query(sql`select 1 from companies where tenant = ${tenant} for update`)
      await tx.query(sql`delete from firmwares where tenant = ${tenant} and uploaded_at is null
        and (requested_at <= ${now - ADDRESS_TTL_MS}::bigint
          or (target = ${announced.Target} and firmware_version = ${announced.FirmwareVersion}))`)
      const [{ count = 0 } = {}] = await tx.query<{ count: number }>(
        sql`select count(*)::int as count from firmwares where tenant = ${tenant}`,
      )
      if (count >= MAX_FIRMWARES) throw new GatewayError('LIMIT_EXCEEDED', 'The firmware library is full')
      const firmwareId = `fw-${random.uuid()}`
      const stored = await tx.query(sql`
        insert into firmwares (tenant, firmware_id, target, firmware_version, notes, size, requested_at, by)
        values (${tenant}, ${firmwareId}, ${announced.Target}, ${announced.FirmwareVersion}, ${announced.Notes},
          ${announced.Size}, ${now}, ${by}) on conflict do nothing returning 1`)
      if (!stored.length)
        throw new GatewayError('CONFLICT', 'The library has this version', { FirmwareVersion: 'taken' })
      const expiresAt = now + ADDRESS_TTL_MS
      const grant = grantOf(actor, ota.uploadFirmware.access)
      const ticket: UploadTicket = {
        use: 'put',
        grant,
        tenant,
        firmwareId,
        size: announced.Size,
        expiresAt,
      }
      return {
        FirmwareID: firmwareId,
        UploadUrl: OTA_FILES + writeSigned(ticket, key),
        MaxBytes: MAX_FIRMWARE_BYTES,
        ExpiresAt: expiresAt,
      }
    },

    /**
     * Checks an upload before the first byte. Errors: NOT_FOUND unless the ticket and its grant are valid; INVALID if the length differs
     * from the announced one.
     */
    async assertUpload(text: string, length: number | undefined): Promise<void> {
      const { size, grant } = readTicket<UploadTicket>(text, 'put')
      if (!(await isGranted(grant))) throw expired()
      if (length !== undefined) assertSize(length, size)
    },

    /**
     * Stores the file of a ticket, computes its checksum and adds the version to the library.
     *
     * errors   NOT_FOUND if the ticket is no longer valid; CONFLICT if it was or is being used; LIMIT_EXCEEDED if the company
     *          uploads too much at once; INVALID if the size differs from the announced one
     */
    async receive(text: string, source: Readable): Promise<Firmware> {
      const ticket = readTicket<UploadTicket>(text, 'put')
      const { tenant, firmwareId, size } = ticket
      const finishUpload = enter(ticket)
      const fileKey = `${tenant}/f-${Buffer.from(random.bytes(16)).toString('base64url')}.bin`
      const hash = createHash('sha256')
      let bytes = 0
      const measured = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length
          // Stops reading beyond the announced size.
          if (bytes > size) return done(sizeError('tooBig'))
          hash.update(chunk)
          done(null, chunk)
        },
        flush: (done) => done(bytes < size ? sizeError('tooSmall') : null),
      })
      source.on('error', (error) => measured.destroy(error))
      try {
        await files.putStream(fileKey, source.pipe(measured), 'application/octet-stream')
        // The upload may have taken a quarter of an hour.
        if (!(await isGranted(ticket.grant))) throw expired()
        const [record] = await db.query<Firmware>(sql`
          update firmwares set sha256 = ${hash.digest('hex')}, file_key = ${fileKey}, uploaded_at = ${clock.now()}
          where tenant = ${tenant} and firmware_id = ${firmwareId} and uploaded_at is null
          returning ${columnsOf(Firmware)}`)
        if (!record) throw new GatewayError('CONFLICT', 'This upload address was used')
        events.emit('dataChange', { tenant, name: 'firmware.add', record, by: null })
        return record
      } catch (error) {
        source.unpipe(measured)
        await remove(fileKey)
        throw error
      } finally {
        finishUpload()
      }
    },

    /** Download address of a file for hubs, valid for an hour: a path of the gateway. */
    address(fileKey: string, sha256: string): { path: string; expiresAt: number } {
      const expiresAt = clock.now() + DOWNLOAD_TTL_MS
      const ticket: DownloadTicket = { use: 'download', fileKey, sha256, expiresAt }
      return { path: OTA_FILES + writeSigned(ticket, key), expiresAt }
    },

    /** Opens the file of a download ticket from a byte on. Errors: NOT_FOUND. */
    async open(text: string, from: number): Promise<{ stream: Readable; size: number; sha256: string }> {
      const { fileKey, sha256 } = readTicket<DownloadTicket>(text, 'download')
      const file = await files.getStream(fileKey, from)
      if (!file) throw new GatewayError('NOT_FOUND', 'This file does not exist')
      return { ...file, sha256 }
    },

    close: () => void unsubscribe(),
  }
}

const expired = () => new GatewayError('NOT_FOUND', 'This address is not valid any more')

const sizeError = (reason: 'tooBig' | 'tooSmall') =>
  new GatewayError('INVALID', 'The file has another size than was announced', { file: reason })

function assertSize(actual: number, announced: number): void {
  if (actual !== announced) throw sizeError(actual > announced ? 'tooBig' : 'tooSmall')
}
