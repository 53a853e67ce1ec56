import type { FieldReason } from '../../../contract/kernel/reasons.ts'
import type { IMAGE_TYPES, UploadTarget } from '../../../contract/procedures/uploads.ts'
import { CompanyProfile } from '../../../contract/procedures/company.ts'
import type { EmployeeKey } from '../../../contract/resources/employee.ts'
import { Peripheral } from '../../../contract/resources/peripheral.ts'
import { GatewayError } from '../../errors.ts'
import type { Events } from '../../events.ts'
import type { Grant, IsGranted } from '../../lib/grant.ts'
import type { Clock, Files, Log, Random } from '../../ports.ts'
import { columnsOf } from '../../store/columns.ts'
import type { z } from 'zod'
import { sql, type Db, type Sql } from '../../store/db.ts'
import type { Draw } from './drawing.ts'
import { readImageHeader } from './image-header.ts'
import { endingOf } from '../../lib/files/key.ts'
import { MAX_POINTS } from './re-encode.ts'
import { readTicket, type Ticket, type UploadPurpose, writeTicket } from './ticket.ts'

/** Largest picture in bytes. */
export const MAX_BYTES = 5 * 1024 * 1024
/** Largest width and height: what a browser can still draw. */
const MAX_SIDE = 16_384
const LIFE = 15 * 60_000
/** Where pictures are read; the rest of an ImageUrl is the store's key. */
const IMAGES = '/images/'

export interface UploadOptions {
  db: Db
  files: Files
  events: Events
  clock: Clock
  random: Random
  log: Log
  draw: Draw
  /** Signs the tickets. */
  key: Uint8Array
  isGranted: IsGranted
}

/** Takes pictures by ticket, and gives them back. */
export interface Uploads {
  /** A one-time address that takes the bytes of one picture, for as long as its grant stands. */
  createTicket(
    grant: Grant,
    purpose: UploadPurpose,
    contentType: (typeof IMAGE_TYPES)[number],
  ): Promise<z.infer<typeof UploadTarget>>
  /** Throws NOT_FOUND unless the ticket is valid and its grant stands; to be asked before the bytes are taken in. */
  requireTicket(ticket: string): Promise<void>
  /** Removes a stored picture by its ImageUrl; unknown ones are fine. */
  remove(imageUrl: string): Promise<void>
  /**
   * Stores the picture of a ticket and points its record at it.
   *
   * errors   NOT_FOUND when the ticket is not valid any more or its record is gone, CONFLICT when it was used, INVALID
   *          when the bytes are not the announced kind of picture or, for a logo, taller than wide, LIMIT_EXCEEDED
   *          when too many pictures of the company wait
   */
  receive(ticket: string, contentType: string | undefined, bytes: Uint8Array): Promise<{ ImageUrl: string }>
}

export function createUploads(options: UploadOptions): Uploads {
  const { db, files, events, clock, random, log, draw } = options
  /**
   * Keys of tickets that are used, until those expire. A file that is there says so too, also after a restart; but it goes
   * when the picture is replaced, and two requests at once both find none.
   */
  const taken = new Map<string, number>()

  function take({ key, expiresAt }: Ticket): void {
    for (const [old, until] of taken) if (until <= clock.now()) taken.delete(old)
    if (taken.has(key)) throw used()
    taken.set(key, expiresAt)
  }

  async function openTicket(text: string): Promise<Ticket> {
    const ticket = readTicket(text, options.key)
    if (!ticket || ticket.expiresAt <= clock.now() || !(await options.isGranted(ticket.grant)))
      throw new GatewayError('NOT_FOUND', 'This upload address is not valid any more')
    return ticket
  }

  /** A picture that nothing points at any more; a store that fails costs a forgotten file and no more. */
  async function remove(imageUrl: string): Promise<void> {
    if (!imageUrl.startsWith(IMAGES)) return
    const key = imageUrl.slice(IMAGES.length)
    await files.remove(key).catch((err: unknown) => log.warn({ err, key }, 'A picture could not be removed'))
  }

  /** Points the record at its new picture and tells the screens; answers the previous picture. */
  async function point(purpose: UploadPurpose, imageUrl: string): Promise<string | null> {
    const { tenant } = purpose
    if (purpose.kind === 'logo') {
      const where = sql`tenant = ${tenant}`
      const [before, record] = await swap<CompanyProfile>(
        sql`select logo_url as url from companies where ${where} for update`,
        sql`update companies set logo_url = ${imageUrl} where ${where} returning ${columnsOf(CompanyProfile)}`,
      )
      events.emit('dataChange', { tenant, name: 'company.update', record, by: null })
      return before
    }
    if (purpose.kind === 'employee') {
      const where = sql`tenant = ${tenant} and employee_id = ${purpose.EmployeeID}`
      const [before, record] = await swap<EmployeeKey>(
        sql`select photo_url as url from employees where ${where} for update`,
        sql`update employees set photo_url = ${imageUrl} where ${where} returning employee_id as "EmployeeID"`,
      )
      events.emit('dataChange', { tenant, name: 'employee.update', record, by: null })
      return before
    }
    const where = sql`tenant = ${tenant} and home_id = ${purpose.HomeID} and peripheral_uid = ${purpose.PeripheralUID}`
    const [before, record] = await swap<Peripheral>(
      sql`select peripheral_image_url as url from peripherals where ${where} for update`,
      sql`update peripherals set peripheral_image_url = ${imageUrl} where ${where} returning ${columnsOf(Peripheral)}`,
    )
    events.emit('dataChange', { tenant, name: 'peripheral.update', record, by: null })
    return before
  }

  const swap = <R extends object>(select: Sql, update: Sql): Promise<[string | null, R]> =>
    db.transaction(async (tx) => {
      const [before] = await tx.query<{ url: string | null }>(select)
      const [record] = await tx.query<R>(update)
      if (!before || !record)
        throw new GatewayError('NOT_FOUND', 'What this picture was for does not exist any more')
      return [before.url, record]
    })

  return {
    async createTicket(grant, purpose, contentType) {
      const name = Buffer.from(random.bytes(16)).toString('base64url')
      const key = `${purpose.tenant}/i-${name}.${endingOf(contentType)}`
      const expiresAt = clock.now() + LIFE
      return {
        UploadUrl: `/uploads/${writeTicket({ grant, purpose, contentType, key, expiresAt }, options.key)}`,
        ImageUrl: IMAGES + key,
        MaxBytes: MAX_BYTES,
        ExpiresAt: expiresAt,
      }
    },

    remove,

    requireTicket: async (text) => void (await openTicket(text)),

    async receive(text, contentType, bytes) {
      const ticket = await openTicket(text)
      const { key, purpose } = ticket
      check(bytes, ticket.contentType, contentType, purpose.kind === 'logo')
      take(ticket)
      const imageUrl = IMAGES + key
      let before: string | null
      try {
        if (await files.get(key)) throw used()
        await files.put(key, await draw(purpose.tenant, bytes, ticket.contentType), ticket.contentType)
        try {
          before = await point(purpose, imageUrl)
        } catch (error) {
          await remove(imageUrl)
          throw error
        }
      } catch (error) {
        taken.delete(key)
        throw error
      }
      if (before) await remove(before)
      return { ImageUrl: imageUrl }
    },
  }
}

const used = () => new GatewayError('CONFLICT', 'This upload address was used')

/** Throws INVALID unless the bytes are the picture that was announced; a logo is square or wider than tall (§5). */
function check(bytes: Uint8Array, wanted: string, sent: string | undefined, logo: boolean): void {
  const invalid = (text: string, reason: FieldReason) => new GatewayError('INVALID', text, { file: reason })
  if (bytes.length > MAX_BYTES) throw invalid('The picture is larger than 5 MiB', 'tooBig')
  const header = readImageHeader(bytes)
  if (!header || header.contentType !== wanted || sent !== wanted)
    throw invalid('The picture is not the JPG, PNG or webp that was announced', 'imageType')
  const { width, height } = header
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_POINTS)
    throw invalid('The picture is too large', 'tooBig')
  if (logo && height > width) throw invalid('A logo must be square or wider than tall', 'logoShape')
}
