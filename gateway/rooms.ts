import type { Registry } from 'prom-client'
import { decide } from '../contract/features.ts'
import { createAccess } from './features/access/access.ts'
import { createAnnouncer } from './features/status/announce/announcer.ts'
import { createWithheldNews } from './features/energy/rollup/withheld-news.ts'
import { createBookings } from './features/bookings/bookings.ts'
import { createOutsideAccounts } from './broker/external/outside-accounts.ts'
import { createCameras } from './features/cameras/cameras.ts'
import { createControl } from './features/control/control.ts'
import { createBills } from './features/tariffs/bills.ts'
import { createEnergy } from './features/energy/query/energy.ts'
import type { Events } from './events.ts'
import { createDrawing } from './features/uploads/drawing.ts'
import { createUploads } from './features/uploads/uploads.ts'
import type { Holds } from './lib/holder.ts'
import { createTurns } from './http/turns.ts'
import type { Identity } from './features/identity/identity.ts'
import { deriveKey } from './lib/seal.ts'
import { createIngest } from './features/status/ingest/ingest.ts'
import { createModbusTables } from './features/modbus/tables.ts'
import { createLibrary } from './features/ota/library.ts'
import { createOta } from './features/ota/ota.ts'
import { otaRecords } from './features/ota/records.ts'
import type { GatewayParts } from './parts.ts'
import { createSealer } from './lib/sealer.ts'
import type { Services } from './services.ts'
import { createHubSettings } from './features/status/hub-settings.ts'
import { createShadows } from './features/status/shadow/shadows.ts'
import type { Db } from './store/db.ts'
import { settle } from './features/energy/rollup/energy-store.ts'

/** What the rooms are made of: the gateway's parts, and what all of them share. */
export interface RoomParts extends Omit<GatewayParts, 'pool' | 'outbox'> {
  events: Events
  registry: Registry
  identity: Identity
  /** The port that calls are answered on; 0 while there is none. */
  httpPort(): number
}

export type Rooms = ReturnType<typeof createRooms>

const DAY = 86_400_000

/** Makes the rooms of a gateway and has them hear each other's events; `services` is what calls reach of them. */
export function createRooms(parts: RoomParts) {
  const { db, broker, clock, random, files, log, mail, config, events, registry, identity } = parts
  const keyFor = (purpose: string) => deriveKey(config.secret, purpose)
  const holds: Holds = async ({ cognitoId, sessionId, access }) => {
    const actor = await identity.loadActor(cognitoId, sessionId ? { originJti: sessionId } : {})
    return decide(access, actor) === true
  }
  const withheld = (meterIds: readonly number[]) => events.emit('readingsWithheld', { meterIds })
  const settled = (on: Db, meterIds?: readonly number[]) => settle(on, meterIds, withheld)

  const announcer = createAnnouncer({ events, broker, db, log, clock })
  const withheldNews = createWithheldNews({ db, events, clock, log })
  const ingest = createIngest({ db, events, clock, log, metrics: registry })
  const control = createControl({ db, broker, events, clock, log, metrics: registry })
  const modbusTables = createModbusTables({ db, broker, events, clock, log })
  const hubSettings = createHubSettings({ db, broker, events, log })
  const access = createAccess({
    db,
    broker,
    events,
    clock,
    log,
    mail,
    key: keyFor('passes'),
    keep: { visitors: config.keepDays.visitors * DAY, scans: config.keepDays.scans * DAY },
  })
  events.on('hubEnrolled', ({ secret, ...hub }) => broker.enrol({ party: 'hub', ...hub }, secret))
  const bookings = createBookings({ db, events, clock, log, mail })
  const shadows = createShadows({ db, broker, events, clock, log, registry })
  const draw = createDrawing(createTurns)
  const uploads = createUploads({
    db,
    files,
    events,
    clock,
    random,
    log,
    draw,
    key: keyFor('upload tickets'),
    holds,
  })
  events.on('pictureDropped', ({ imageUrl }) => uploads.remove(imageUrl))
  const firmwareLibrary = createLibrary({
    db,
    files,
    events,
    clock,
    random,
    log,
    key: keyFor('firmware'),
    holds,
  })
  const ota = createOta({
    db,
    broker,
    library: firmwareLibrary,
    events,
    clock,
    random,
    log,
    metrics: registry,
    publicUrl: config.publicUrl,
    httpPort: parts.httpPort,
    https: config.https !== undefined,
  })
  const accounts = broker.keepsAccounts
    ? createOutsideAccounts({ db, clock, sealer: createSealer(config.secret, 'enrolments') })
    : undefined
  const cameras = createCameras({
    db,
    clock,
    sealer: createSealer(config.secret, 'cameras'),
    key: keyFor('camera addresses'),
    holds,
  })

  const services: Services = {
    energy: createEnergy({ db, clock, settle: settled }),
    bills: createBills({ db, clock, settle: settled }),
    settle: settled,
    identity,
    uploads,
    broker,
    cameras,
    control,
    ota: {
      start: ota.start,
      cancel: ota.cancel,
      resume: ota.resume,
      announce: firmwareLibrary.announce,
      jobs: otaRecords,
    },
    access,
  }

  return {
    announcer,
    ingest,
    control,
    modbusTables,
    hubSettings,
    access,
    shadows,
    uploads,
    firmwareLibrary,
    ota,
    accounts,
    cameras,
    services,
    withheld,

    /** Takes up again what was open when the gateway ended. */
    async recover(): Promise<void> {
      await control.recover()
      await ota.recover()
    },

    /** Finishes what was accepted and begins nothing more. */
    async close(): Promise<void> {
      await bookings.close()
      await ingest.close()
      await control.close()
      await ota.close()
      firmwareLibrary.close()
      withheldNews.close()
      announcer.close()
      shadows.close()
      modbusTables.close()
      hubSettings.close()
      await access.close()
    },
  }
}
