import type { z } from 'zod'
import { otaCommand, otaResponse } from '../../../contract/devices/channels/ota.ts'
import type { Broker } from '../../kernel/broker.ts'
import type { Log } from '../../kernel/ports.ts'
import { type Db, sql } from '../../kernel/db.ts'
import type { Library } from './library.ts'
import { markUnsent, ofRequests, readJobs, readUpdates, type Sendable } from './store.ts'

/** Maximum number of updates in one message to screens. */
const CHUNK_SIZE = 200

export interface OtaMessageOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  library: Pick<Library, 'address'>
  log: Log
  /** Public address from which hubs download files; undefined for the host at which they reach the gateway. */
  publicUrl: string | undefined
  httpPort(): number
  /** Whether the gateway uses https there. */
  https: boolean
}

export function createOtaMessages({
  db,
  broker,
  library,
  log,
  publicUrl,
  httpPort,
  https,
}: OtaMessageOptions) {
  /** Publishes to the screens of a home, without waiting. */
  async function publish(
    tenant: string,
    homeId: string,
    payload: z.input<typeof otaResponse.payload>,
  ): Promise<void> {
    const topic = otaResponse.topic({ rootId: tenant, homeId })
    await broker
      .publish(topic, payload, { qos: 1 })
      .catch((err: unknown) => log.warn({ err, topic }, 'announcement lost'))
  }

  return {
    publish,

    /** Publishes the state of a job and of these updates to screens. */
    async publishUpdates(tenant: string, jobId: string, requestIds: readonly string[]): Promise<void> {
      const [Job] = await readJobs(db, sql`j.tenant = ${tenant} and j.ota_job_id = ${jobId}`, 1)
      if (!Job) return
      for (let i = 0; i === 0 || i < requestIds.length; i += CHUNK_SIZE) {
        const part = requestIds.slice(i, i + CHUNK_SIZE)
        const Updates = part.length ? await readUpdates(db, ofRequests(tenant, part), CHUNK_SIZE) : []
        await publish(tenant, Job.HomeID, { Job, Updates })
      }
    },

    /** Sends update commands to hubs; marks those that could not be sent. */
    async send(tenant: string, updates: readonly Sendable[]): Promise<void> {
      for (const update of updates) {
        const { requestId, thingName, homeId, uid, target, fileKey, sha256, size } = update
        if (fileKey === null || sha256 === null) continue
        const { path, expiresAt } = library.address(fileKey, sha256)
        const payload: z.input<typeof otaCommand.payload> = {
          RequestID: requestId,
          PeripheralUID: uid || null,
          FirmwareVersion: target,
          Url: (publicUrl ?? '') + path,
          HttpPort: httpPort(),
          Https: https,
          Size: size,
          Sha256: sha256,
          ExpiresAt: expiresAt,
        }
        try {
          await broker.publish(otaCommand.topic({ rootId: tenant, homeId, thingName }), payload, { qos: 1 })
        } catch (err) {
          log.warn({ err, thingName }, 'firmware command not sent')
          await markUnsent(db, requestId)
        }
      }
    },
  }
}
