import type {
  CameraFault,
  CameraSource as AnsweredSource,
  LiveStream,
} from '../../../contract/devices/camera-and-ir-calls.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Grant, IsGranted } from '../../domain/identity/grant.ts'
import type { Clock } from '../../kernel/ports.ts'
import { type Sealer, readSigned, writeSigned } from '../../lib/seal.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { CameraError } from './request.ts'
import { variantsOf } from './hls.ts'
import type { CameraAdapter, CameraSource, StreamPart } from './port.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

export interface CameraOptions {
  db: Db
  clock: Clock
  sealer: Sealer
  /** Key that signs the addresses of streams. */
  key: Uint8Array
  isGranted: IsGranted
  /** Adapters by make of camera. */
  adapters: readonly CameraAdapter[]
}

/** Stream settings of a camera; an absent password keeps the stored one. */
export interface CameraSettings {
  StreamUrl: string
  UserName: string | null
  Password?: string | undefined
}

/** Validity of a stream address, ms; a screen that watches longer requests a new one. */
const STREAM_TTL_MS = 4 * 3_600_000
/** Timeout for a camera's response, ms. */
const ANSWER_TIMEOUT_MS = 10_000

/** Right to watch one camera until `expiresAt`, epoch ms, while its grant is valid. */
interface Ticket {
  grant: Grant
  tenant: string
  uid: string
  expiresAt: number
}

export type Cameras = ReturnType<typeof createCameras>

/** Camera streams: their addresses are stored, video is passed through and not recorded. */
export function createCameras({ db, clock, sealer, key, isGranted, adapters }: CameraOptions) {
  const context = (tenant: string, uid: string) => `camera ${tenant} ${uid}`
  const names = createPartNames(key)

  /** Verifies a ticket. Errors: NOT_FOUND if it is invalid or expired. */
  async function readTicket(text: string): Promise<Ticket> {
    const ticket = readSigned<Ticket>(text, key)
    if (!ticket || ticket.expiresAt <= clock.now() || !(await isGranted(ticket.grant)))
      throw new GatewayError('NOT_FOUND', 'This stream address is not valid any more')
    return ticket
  }

  /** Decrypted password; undefined without one, or if another SECRET sealed it, in which case the camera rejects the request. */
  function unseal(sealed: string | null, tenant: string, uid: string): string | undefined {
    try {
      return sealed === null ? undefined : sealer.open(sealed, context(tenant, uid))
    } catch {
      return undefined
    }
  }

  /** Stream source of a camera and its adapter. Errors: NOT_FOUND if it is deleted or has no stream. */
  async function readSource(
    tenant: string,
    uid: string,
  ): Promise<{ source: CameraSource; adapter: CameraAdapter }> {
    const [row] = await db.query<{ url: string; userName: string | null; sealed: string | null }>(sql`
      select stream_url as url, user_name as "userName", sealed_password as sealed from cameras
      where tenant = ${tenant} and peripheral_uid = ${uid}`)
    const url = row && new URL(row.url)
    const adapter = url && adapters.find(({ accepts }) => accepts(url))
    if (!adapter) throw new GatewayError('NOT_FOUND', 'This camera has no stream')
    return { source: { url, userName: row.userName, password: unseal(row.sealed, tenant, uid) }, adapter }
  }

  /** Runs a request whose response must begin within `ANSWER_WITHIN`; the body may take longer. */
  async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const timeout = new AbortController()
    const cancel = clock.after(ANSWER_TIMEOUT_MS, () => timeout.abort())
    try {
      return await work(timeout.signal)
    } finally {
      cancel()
    }
  }

  return {
    /**
     * Stores the stream settings of a camera, in the transaction of the call.
     *
     * errors  INVALID `{ Password: 'required' }` if the stored password would be sent to another host, as the caller may not know it
     */
    async configure(tx: Db, tenant: string, uid: string, { StreamUrl, UserName, Password }: CameraSettings) {
      if (Password === undefined) {
        const [stored] = await tx.query<{ url: string }>(sql`select stream_url as url from cameras
          where tenant = ${tenant} and peripheral_uid = ${uid} and sealed_password is not null`)
        if (stored && new URL(stored.url).origin !== new URL(StreamUrl).origin)
          throw new GatewayError('INVALID', 'Another host needs the password again', { Password: 'required' })
      }
      const sealed = Password ? sealer.seal(Password, context(tenant, uid)) : null
      await tx.query(sql`
        insert into cameras as c (tenant, peripheral_uid, stream_url, user_name, sealed_password)
        values (${tenant}, ${uid}, ${StreamUrl}, ${UserName}, ${sealed})
        on conflict (tenant, peripheral_uid) do update set stream_url = excluded.stream_url,
          user_name = excluded.user_name,
          sealed_password = case when ${Password === undefined} then c.sealed_password else excluded.sealed_password end`)
    },

    /** Stream source of a camera without its password; null if none is configured. */
    async readSource(tx: Db, tenant: string, uid: string): Promise<AnsweredSource | null> {
      const [row] = await tx.query<AnsweredSource>(sql`
        select stream_url as "StreamUrl", user_name as "UserName", sealed_password is not null as "HasPassword"
        from cameras where tenant = ${tenant} and peripheral_uid = ${uid}`)
      return row ?? null
    },

    /** Watch addresses of those cameras that have a stream. */
    async openStreams(tx: Db, tenant: string, grant: Grant, uids: readonly string[]): Promise<LiveStream[]> {
      const ExpiresAt = clock.now() + STREAM_TTL_MS
      const rows = await tx.query<{ uid: string }>(sql`select peripheral_uid as uid from cameras
        where tenant = ${tenant} and peripheral_uid = any(${uids}) order by peripheral_uid`)
      return rows.map(({ uid }) => ({
        PeripheralUID: uid,
        Url: `/camera/${writeSigned({ grant, tenant, uid, expiresAt: ExpiresAt } satisfies Ticket, key)}/live`,
        ExpiresAt,
      }))
    },

    /**
     * Fetches one file of a live stream.
     *
     * name    `live` for the first playlist, otherwise a name from a playlist
     * errors  NOT_FOUND for an invalid or expired ticket, a deleted camera, and a name that no playlist contained;
     *         DEVICE_UNREACHABLE
     */
    async fetchPart(ticket: string, name: string): Promise<StreamPart> {
      const { tenant, uid } = await readTicket(ticket)
      const { source, adapter } = await readSource(tenant, uid)
      const owner = { tenant, uid, origin: source.url.origin }
      const part = name === 'live' ? undefined : names.read(owner, name)
      if (name !== 'live' && part === undefined)
        throw new GatewayError('NOT_FOUND', 'The stream has no such part')
      return inTime((signal) => adapter.fetch(source, part, (found) => names.make(owner, found), signal))
    },

    /**
     * Checks whether a camera can be watched: null if its response is a stream that browsers can play, according to its playlists.
     *
     * errors  NOT_FOUND if no stream is configured
     */
    async readFault(tenant: string, uid: string): Promise<CameraFault | null> {
      const { source, adapter } = await readSource(tenant, uid)
      const read = async (part?: string) => {
        const { body } = await inTime((signal) => adapter.fetch(source, part, (found) => found, signal))
        if (body instanceof Uint8Array) return Buffer.from(body).toString()
        body.destroy()
        return ''
      }
      try {
        const { first, unplayable } = variantsOf(await read())
        if (unplayable) return 'codec'
        if (first !== undefined) await read(first)
        return null
      } catch (error) {
        if (error instanceof CameraError) return error.fault
        throw error
      }
    },
  }
}

/** Owner of a stream part; the same path at another origin is another part. */
interface PartOwner {
  tenant: string
  uid: string
  origin: string
}

/**
 * Signed names for the parts of streams: a viewer can fetch only what the camera's playlists name, as the gateway would sign in to
 * any other page of the camera, too.
 */
function createPartNames(key: Uint8Array) {
  // A ticket's text contains no line breaks, so a part's signature is never valid for a ticket.
  const codeOf = ({ tenant, uid, origin }: PartOwner, part: string) =>
    createHmac('sha256', key).update(['part', tenant, uid, origin, part].join('\n')).digest()

  return {
    make: (owner: PartOwner, part: string): string =>
      `${Buffer.from(part).toString('base64url')}.${codeOf(owner, part).toString('base64url')}`,

    /** Part for a name; undefined unless the gateway signed it for this owner. */
    read(owner: PartOwner, name: string): string | undefined {
      const [body = '', code = ''] = name.split('.')
      const part = Buffer.from(body, 'base64url').toString()
      const actual = Buffer.from(code, 'base64url')
      const expected = codeOf(owner, part)
      return actual.length === expected.length && timingSafeEqual(actual, expected) ? part : undefined
    },
  }
}
