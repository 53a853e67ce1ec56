import { createHubAccounts } from './broker/hub-accounts.ts'
import type { BrokerHooks, Client, Received } from './broker/port.ts'
import type { Identity } from './features/identity/identity.ts'
import type { Rooms } from './rooms.ts'
import type { Db } from './store/db.ts'

/** What the broker asks of the gateway: who connects, and where each message and each coming and going is heard. */
export function createBrokerHooks({
  db,
  identity,
  rooms,
}: {
  db: Db
  identity: Identity
  rooms: Rooms
}): BrokerHooks {
  const { access, accounts, announcer, control, hubSettings, ingest, modbusTables, ota, shadows } = rooms

  /** Each message from hubs and screens to the room it is for. */
  const receive = (message: Received): Promise<void> => {
    switch (message.match.name) {
      case 'statusReport':
      case 'meterReport':
        return ingest.receive(message)
      case 'statusRequest':
        return announcer.receive(message)
      case 'controlRequest':
      case 'controlAck':
        return control.receive(message)
      case 'otaRequest':
      case 'otaReport':
        return ota.receive(message)
      case 'modbusRequest':
        return modbusTables.receive(message)
      case 'settingsRequest':
        return hubSettings.receive(message)
      case 'accessScan':
      case 'accessPresence':
        return access.receive(message)
      case 'shadowGet':
      case 'shadowUpdate':
        return shadows.receive(message.match, message.payload, message.client)
      default:
        return Promise.resolve()
    }
  }
  const presence = (client: Client, online: boolean) => {
    if (client.party === 'hub') void shadows.setOnline(client.thingName, online)
    access.presence(client, online)
  }

  return {
    ...createHubAccounts(db),
    ...(accounts && { accounts }),
    async personOf(cognitoId) {
      const actor = await identity.loadActor(cognitoId)
      return actor && { tenant: actor.tenant, subject: actor }
    },
    sessionsOf: identity.sessionsOf,
    receive,
    connected: (client) => presence(client, true),
    disconnected: (client) => presence(client, false),
    subscribed: (client, filter) => void shadows.subscribed(client, filter),
  }
}
