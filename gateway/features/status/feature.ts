import type { Deps, Feature } from '../../kernel/deps.ts'
import { createAnnouncer } from './announce/announcer.ts'
import { createHubSettings } from './hub-settings.ts'
import { createIngest } from './ingest/ingest.ts'
import type { NoteStates, Quarantine } from './ports.ts'
import { createShadows } from './shadow/shadows.ts'

/** The way up: what hubs and devices tell is parsed, put in order, stored and announced to screens. */
export function status(deps: Deps, ports: { quarantine: Quarantine; noteStates: NoteStates }) {
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
    subscribed: (client, filter) => void shadows.subscribed(client, filter),
    prepare: shadows.markAllOffline,
    async close() {
      await ingest.close()
      await announcer.close()
      shadows.close()
      hubSettings.close()
    },
  } satisfies Feature
}
