import type { z } from 'zod'
import { type IMAGE_TYPES, type UploadTarget, uploads } from '../../../contract/homes/upload-calls.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Events } from '../../kernel/events.ts'
import { type Grant, type IsGranted, grantOf } from '../../domain/identity/grant.ts'
import type { Clock, Files, Log, Random } from '../../kernel/ports.ts'
import { extensionOf } from '../../lib/files/key.ts'
import { type Db, sql, type Sql } from '../../kernel/db.ts'
import type { HandlersOf } from '../../kernel/context.ts'
import { CompanyProfile } from '../../../contract/people/company-calls.ts'
import type { EmployeeKey } from '../../../contract/access-control/employee.ts'
import type { FloorKey, FloorPlan } from '../../../contract/homes/floor.ts'
import { Peripheral } from '../../../contract/devices/peripheral.ts'
import { columnsOf } from '../../store/sql.ts'
import { checkPicture, maxBytesOf } from './check-picture.ts'
import { type RunDrawing, drawPlan, reEncode } from './re-encode.ts'
import { type PhotoAddresses, readTicket, type Ticket, type UploadPurpose, writeTicket } from './addresses.ts'
import type { PicturedDevices } from './ports.ts'

interface Deps {
  db: Db
  events: Events
}

/** Address of a picture, with the size of a plan. */
type StoredPicture = Pick<FloorPlan, 'Url'> & Partial<FloorPlan>

/**
 * Sets the new picture in the record of an upload and publishes the change.
 *
 * returns  previous addresses
 * errors   NOT_FOUND if the record was deleted
 */
async function setPicture(
  { db, events }: Deps,
  purpose: UploadPurpose,
  stored: StoredPicture,
): Promise<readonly string[]> {
  const { tenant } = purpose
  const { Url } = stored
  switch (purpose.kind) {
    case 'logo': {
      const where = sql`tenant = ${tenant}`
      const [before, record] = await swap<CompanyProfile, string>(
        db,
        sql`select logo_url as old from companies where ${where} for update`,
        sql`update companies set logo_url = ${Url} where ${where} returning ${columnsOf(CompanyProfile)}`,
      )
      events.emit('dataChange', { tenant, name: 'company.update', record, by: null })
      return before === null ? [] : [before]
    }
    case 'employee': {
      const where = sql`tenant = ${tenant} and employee_id = ${purpose.EmployeeID}`
      const [before, record] = await swap<EmployeeKey, string>(
        db,
        sql`select photo_url as old from employees where ${where} for update`,
        sql`update employees set photo_url = ${Url} where ${where} returning employee_id as "EmployeeID"`,
      )
      events.emit('dataChange', { tenant, name: 'employee.update', record, by: null })
      return before === null ? [] : [before]
    }
    case 'floorPlan': {
      const where = sql`tenant = ${tenant} and home_id = ${purpose.HomeID} and floor_id = ${purpose.FloorID}`
      const [before, record] = await swap<FloorKey, FloorPlan>(
        db,
        sql`select plan as old from floors where ${where} for update`,
        sql`update floors set plan = ${JSON.stringify(stored)}::jsonb where ${where}
          returning home_id as "HomeID", floor_id as "FloorID"`,
      )
      events.emit('dataChange', { tenant, name: 'floor.update', record, by: null })
      return before === null ? [] : [before.Url, before.SmallUrl]
    }
    case 'peripheral': {
      const where = sql`tenant = ${tenant} and home_id = ${purpose.HomeID} and peripheral_uid = ${purpose.PeripheralUID}`
      const [before, record] = await swap<Peripheral, string>(
        db,
        sql`select peripheral_image_url as old from peripherals where ${where} for update`,
        sql`update peripherals set peripheral_image_url = ${Url} where ${where} returning ${columnsOf(Peripheral)}`,
      )
      events.emit('dataChange', { tenant, name: 'peripheral.update', record, by: null })
      return before === null ? [] : [before]
    }
  }
}

const swap = <Record extends object, Old>(db: Db, select: Sql, update: Sql): Promise<[Old | null, Record]> =>
  db.transaction(async (tx) => {
    const [before] = await tx.query<{ old: Old | null }>(select)
    const [record] = await tx.query<Record>(update)
    if (!before || !record)
      throw new GatewayError('NOT_FOUND', 'What this picture was for does not exist any more')
    return [before.old, record]
  })

const TICKET_TTL_MS = 15 * 60_000
/** Content type of stored plans, regardless of the uploaded type. */
const PLAN_TYPE = 'image/webp'
/** Path of pictures; the rest of an ImageUrl is the storage key. */
export const IMAGES = '/images/'
/** Prefix of the file name of a person's photo, so that its address needs a signature even if no record refers to it. */
const PHOTO = 'p-'

interface UploadOptions {
  db: Db
  files: Files
  events: Events
  clock: Clock
  random: Random
  log: Log
  draw: RunDrawing
  /** Key that signs the tickets. */
  key: Uint8Array
  photoAddresses: PhotoAddresses
  isGranted: IsGranted
}

interface Uploads {
  /** Creates a one-time upload address for one picture, valid while its grant is. */
  createTicket(
    grant: Grant,
    purpose: UploadPurpose,
    contentType: (typeof IMAGE_TYPES)[number],
  ): Promise<z.infer<typeof UploadTarget>>
  /** Throws NOT_FOUND unless the ticket and its grant are valid; call it before reading the body. */
  assertTicket(ticket: string): Promise<void>
  /** Whether a stored picture is a photo of a person. */
  isPhoto(key: string): Promise<boolean>
  /** Deletes a stored picture by its ImageUrl; unknown ones are ignored. */
  remove(imageUrl: string): Promise<void>
  /**
   * Stores the picture of a ticket and sets it in its record.
   *
   * errors   NOT_FOUND if the ticket is no longer valid or its record was deleted; CONFLICT if it was used; INVALID if the bytes do
   *          not fit the ticket (`checkPicture`) or cannot be decoded; LIMIT_EXCEEDED if the company has too many queued pictures
   */
  receive(ticket: string, contentType: string | undefined, bytes: Uint8Array): Promise<{ ImageUrl: string }>
}

export function createUploads(options: UploadOptions): Uploads {
  const { db, files, events, clock, random, log, draw, photoAddresses } = options
  const shown = (kind: UploadPurpose['kind'], url: string) =>
    kind === 'employee' ? photoAddresses.addressOf(url) : url

  /**
   * Keys of used tickets, until those expire. A stored file also shows that a ticket was used, even after a restart; but it is deleted
   * when the picture is replaced, and two concurrent requests both find none.
   */
  const usedTickets = new Map<string, number>()

  function consumeTicket({ key, expiresAt }: Ticket): void {
    for (const [old, until] of usedTickets) if (until <= clock.now()) usedTickets.delete(old)
    if (usedTickets.has(key)) throw used()
    usedTickets.set(key, expiresAt)
  }

  async function openTicket(text: string): Promise<Ticket> {
    const ticket = readTicket(text, options.key)
    if (!ticket || ticket.expiresAt <= clock.now() || !(await options.isGranted(ticket.grant)))
      throw new GatewayError('NOT_FOUND', 'This upload address is not valid any more')
    return ticket
  }

  /** Deletes an unreferenced picture; after a failure of the store the file only stays behind. */
  async function remove(imageUrl: string): Promise<void> {
    if (!imageUrl.startsWith(IMAGES)) return
    const key = imageUrl.slice(IMAGES.length)
    await files.remove(key).catch((err: unknown) => log.warn({ err, key }, 'picture not deleted'))
  }

  /** Re-encodes the picture of a ticket and stores it; returns its address. */
  async function store({ key, purpose, contentType }: Ticket, bytes: Uint8Array): Promise<StoredPicture> {
    if (purpose.kind !== 'floorPlan') {
      await files.put(key, await draw(purpose.tenant, () => reEncode(bytes, contentType)), contentType)
      return { Url: IMAGES + key }
    }
    const { large, small, width, height } = await draw(purpose.tenant, () => drawPlan(bytes))
    const smallKey = key.replace(/\.\w+$/, '-small$&')
    await files.put(smallKey, small, PLAN_TYPE)
    try {
      await files.put(key, large, PLAN_TYPE)
    } catch (error) {
      await remove(IMAGES + smallKey)
      throw error
    }
    return { Url: IMAGES + key, SmallUrl: IMAGES + smallKey, Width: width, Height: height }
  }

  return {
    async createTicket(grant, purpose, contentType) {
      const name = Buffer.from(random.bytes(16)).toString('base64url')
      const stored = purpose.kind === 'floorPlan' ? PLAN_TYPE : contentType
      const key = `${purpose.tenant}/${purpose.kind === 'employee' ? PHOTO : 'i-'}${name}.${extensionOf(stored)}`
      const expiresAt = clock.now() + TICKET_TTL_MS
      return {
        UploadUrl: `/uploads/${writeTicket({ grant, purpose, contentType, key, expiresAt }, options.key)}`,
        ImageUrl: shown(purpose.kind, IMAGES + key),
        MaxBytes: maxBytesOf(purpose.kind),
        ExpiresAt: expiresAt,
      }
    },

    remove,

    async isPhoto(key) {
      const [tenant = '', name = ''] = key.split('/')
      if (name.startsWith(PHOTO)) return true
      // Photos from before release 1.2 have no prefix.
      const found = await db.query(sql`
        select 1 as one from employees where tenant::text = ${tenant} and photo_url = ${IMAGES + key} limit 1`)
      return found.length > 0
    },

    assertTicket: async (text) => void (await openTicket(text)),

    async receive(text, contentType, bytes) {
      const ticket = await openTicket(text)
      const { key, purpose } = ticket
      checkPicture(bytes, { kind: purpose.kind, declaredType: ticket.contentType, contentType })
      consumeTicket(ticket)
      let before: readonly string[]
      try {
        if (await files.get(key)) throw used()
        const stored = await store(ticket, bytes)
        try {
          before = await setPicture({ db, events }, purpose, stored)
        } catch (error) {
          await remove(stored.Url)
          if (stored.SmallUrl) await remove(stored.SmallUrl)
          throw error
        }
      } catch (error) {
        usedTickets.delete(key)
        throw error
      }
      for (const imageUrl of before) await remove(imageUrl)
      return { ImageUrl: shown(purpose.kind, IMAGES + key) }
    },
  }
}

const used = () => new GatewayError('CONFLICT', 'This upload address was used')

export const uploadHandlers = (
  { createTicket }: Pick<Uploads, 'createTicket'>,
  devices: PicturedDevices,
): HandlersOf<typeof uploads> => ({
  uploadPeripheralImage: async ({ ContentType, ...key }, context) => {
    await devices.lockPeripheral(key, context)
    return createTicket(
      grantOf(context.actor, uploads.uploadPeripheralImage.access),
      { kind: 'peripheral', tenant: context.actor.tenant, ...key },
      ContentType,
    )
  },

  deletePeripheralImage: async (key, context) => {
    const before = await devices.lockPeripheral(key, context)
    await context.db.query(sql`update peripherals set peripheral_image_url = null
      where tenant = ${context.actor.tenant} and peripheral_uid = ${key.PeripheralUID}`)
    devices.deletePicture(before, context)
    context.change('peripheral.update', { ...before, PeripheralImageUrl: null })
    context.audit({ before: { PeripheralImageUrl: before.PeripheralImageUrl } })
    return key
  },

  uploadCompanyLogo: ({ ContentType }, { actor }) =>
    createTicket(
      grantOf(actor, uploads.uploadCompanyLogo.access),
      { kind: 'logo', tenant: actor.tenant },
      ContentType,
    ),
})
