import type { Deps, Feature } from '../../kernel/deps.ts'
import { createIsGranted } from '../../domain/identity/grant.ts'
import { createRetentionJob } from '../../store/retention.ts'
import { serveOtaFiles } from './address.ts'
import { otaHandlers } from './calls.ts'
import { expiringUpdates } from './expiring.ts'
import { createLibrary } from './library.ts'
import { createOta } from './ota.ts'

/** Firmware: a company's files, and the updates of hubs and devices by them. */
export function ota(deps: Deps) {
  const { config, identity, keyFor } = deps
  const library = createLibrary({ ...deps, key: keyFor('firmware'), isGranted: createIsGranted(identity) })
  const updates = createOta({
    hasOthers: () => deps.gateways.others().length > 0,
    ...deps,
    library,
    publicUrl: config.publicUrl,
    https: config.https !== undefined,
  })
  return {
    handlers: { ota: otaHandlers(updates, library) },
    topics: { otaRequest: updates.receive, otaReport: updates.receive },
    addresses: (app) => serveOtaFiles(app, library),
    jobs: [createRetentionJob('firmware updates', deps, expiringUpdates(deps, config.keepDays.ota ?? 0))],
    recover: updates.recover,
    async close() {
      await updates.close()
      library.close()
    },
  } satisfies Feature
}
