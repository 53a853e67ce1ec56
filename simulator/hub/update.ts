import { createUpdater, FACTORY_VERSION, type Updater } from './firmware.ts'
import { sendUntilAcknowledged } from './report.ts'
import type { HubOptions, HubState } from './state.ts'

/** Current version of the hub (null) or of one of its devices. */
export const firmwareOf = ({ hub, firmware }: HubOptions, uid: string | null): string =>
  firmware[uid ?? hub.ThingName] ?? FACTORY_VERSION

/** Announces the hub's devices; the gateway answers each message by its clientToken. */
export function announce(state: HubState): void {
  const { hub } = state.options
  const announcements = state.say.announce(
    hub.devices.map((device) => ({
      ...device,
      FirmwareVersion: firmwareOf(state.options, device.PeripheralUID),
    })),
  )
  state.awaited = new Set(announcements.map((_, number) => `${hub.ThingName}-${number}`.slice(-64)))
  for (const message of announcements) state.session.send(message)
}

/**
 * Updates the firmware of a hub and its devices.
 *
 * state  called only in callbacks, so that the updater can be a part of it
 */
export function createHubUpdater(options: HubOptions, state: () => HubState): Updater {
  return createUpdater({
    host: new URL(options.url).hostname,
    clock: options.clock,
    pace: options.firmwarePace,
    versionOf: (uid) => firmwareOf(options, uid),
    report: (report) => sendUntilAcknowledged(state(), state().say.ota(report)),
    installed(uid, version) {
      options.firmware[uid ?? options.hub.ThingName] = version
      options.keep()
      options.on.updated(uid, version)
      if (uid === null) state().session.die(options.firmwarePace.restart)
      else announce(state())
    },
  })
}
