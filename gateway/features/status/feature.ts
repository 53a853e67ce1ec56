import type { Deps } from '../deps.ts'
import type { Feature } from '../../kernel/feature.ts'
import { createAnnouncer } from './announce/announcer.ts'
import { createIngest } from './ingest/ingest.ts'
import type { UpdateStateAlarms, Quarantine } from './ingest/ports.ts'
import { createShadows } from './shadow/shadows.ts'
import { HubSettings, MAX_SETTINGS, settingsOf } from '../../../contract/devices/channels/settings.ts'
import type { Broker, HubClient, ReceivedMessage } from '../../kernel/broker.ts'
import type { DataChangeEvent, Events } from '../../kernel/events.ts'
import type { Log } from '../../kernel/ports.ts'
import { columnsOf } from '../../store/sql.ts'
import { type Db, sql } from '../../kernel/db.ts'

/** Reports of hubs and devices: parsed, ordered, stored and announced to screens. */
export function status(
  deps: Deps,
  ports: { quarantineReading: Quarantine; updateStateAlarms: UpdateStateAlarms },
) {
  const announcer = createAnnouncer(deps)
  const ingest = createIngest({ ...deps, ...ports })
  const hubSettings = createHubSettings(deps)
  const shadows = createShadows(deps)
  return {
    topics: {
      statusReport: ingest.receive,
      meterReport: ingest.receive,
      statusRequest: announcer.receive,
      settingsRequest: hubSettings.receive,
      shadowGet: ({ match, payload, client }) => shadows.receive(match, payload, client),
      shadowUpdate: ({ match, payload, client }) => shadows.receive(match, payload, client),
    },
    presence: { hub: shadows.presence },
    onSubscribed: (client, filter) => void shadows.subscribed(client, filter),
    prepare: shadows.markAllOffline,
    async close() {
      await ingest.close()
      await announcer.close()
      shadows.close()
      hubSettings.close()
    },
  } satisfies Feature
}

interface HubSettingsOptions {
  db: Db
  broker: Pick<Broker, 'publish'>
  events: Events
  log: Log
}

/**
 * Sends hubs the settings of their devices: on request, when a device was added and when its settings changed. An
 * offline hub requests them when it reconnects.
 */
function createHubSettings({ db, broker, events, log }: HubSettingsOptions) {
  const publishSettings = (
    hub: Pick<HubClient, 'tenant' | 'homeId' | 'thingName'>,
    Settings: HubSettings[],
  ) => {
    const topic = settingsOf.topic({ rootId: hub.tenant, homeId: hub.homeId, thingName: hub.thingName })
    return broker.publish(topic, { Settings }, { qos: 1 })
  }

  /** A failure is only logged: the hub requests the settings when it next connects. */
  async function onDataChange({ tenant, name, record }: DataChangeEvent): Promise<void> {
    if ((name !== 'peripheral.add' && name !== 'peripheral.update') || !record.ThingName) return
    try {
      const hub = { tenant, homeId: record.HomeID, thingName: record.ThingName }
      await publishSettings(hub, [HubSettings.parse(record)])
    } catch (err) {
      log.warn({ err, tenant, change: name }, 'device settings not published to hub')
    }
  }
  const unsubscribe = events.on('dataChange', onDataChange)

  return {
    /**
     * Receives a hub's `settings/request` and answers with the settings of all its added devices.
     *
     * errors  UNAVAILABLE while the database is unavailable: the broker holds the hub's message
     */
    async receive({ client }: Pick<ReceivedMessage, 'client'>): Promise<void> {
      if (client.party !== 'hub') return
      const settings =
        await db.query<HubSettings>(sql`select ${columnsOf(HubSettings, 'p')} from peripherals p
        where p.tenant = ${client.tenant} and p.home_id = ${client.homeId} and p.thing_name = ${client.thingName}
        order by p.peripheral_uid`)
      for (let from = 0; from < settings.length; from += MAX_SETTINGS)
        await publishSettings(client, settings.slice(from, from + MAX_SETTINGS))
    },
    close: unsubscribe,
  }
}
