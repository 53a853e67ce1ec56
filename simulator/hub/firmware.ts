import { createHash } from 'node:crypto'
import type { otaCommand, otaReport } from '../../contract/devices/channels/ota.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import { compareVersions } from '../../contract/devices/firmware-version.ts'
import type { Clock } from '../../device-link/clock.ts'

type Command = PayloadOf<typeof otaCommand>
type UpdateReport = Omit<PayloadOf<typeof otaReport>, 'ThingName'>

/** Version of simulated hubs and devices before their first update. */
export const FACTORY_VERSION = '1.0.0'
/** Maximum number of download attempts; each continues where the previous one stopped. */
const ATTEMPTS = 3
/** Maximum wait in ms for the gateway to acknowledge the restart. */
const RESTART_TIMEOUT_MS = 5_000
/** Step in percent at which progress is reported. */
const PROGRESS_STEP = 20

/** Duration of installing a firmware and of restarting, in ms. */
export interface FirmwarePace {
  install: number
  restart: number
}

export interface UpdaterOptions {
  host: string
  clock: Clock
  pace: FirmwarePace
  /** Current version of the hub (null) or of one of its devices. */
  versionOf(uid: string | null): string
  /** Reports to the gateway; resolves when it has acknowledged. */
  report(update: UpdateReport): Promise<void>
  /** Called when the firmware is installed; a hub restarts now. */
  installed(uid: string | null, version: string): void
}

export type Updater = ReturnType<typeof createUpdater>

/** A failed update; the code is that of §8. */
class UpdateFailed extends Error {
  readonly code: 2 | 3
  constructor(code: 2 | 3) {
    super(`code ${code}`)
    this.code = code
  }
}

/**
 * Updates a simulated hub as a real one does: downloads the file, checks size and checksum before writing anything, installs,
 * restarts. One update at a time; a repeated command is answered but not executed again.
 */
export function createUpdater({ host, clock, pace, versionOf, report, installed }: UpdaterOptions) {
  let current: { command: Command; update: UpdateReport; abort: AbortController } | undefined
  let last: UpdateReport | undefined
  /** Resolves when the gateway has acknowledged the last report. */
  let delivered = Promise.resolve()

  function sendUpdate(
    command: Command,
    rest: Omit<UpdateReport, 'RequestID' | 'PeripheralUID'>,
  ): UpdateReport {
    const answer = { RequestID: command.RequestID, PeripheralUID: command.PeripheralUID, ...rest }
    if (current?.command === command) current.update = answer
    delivered = report(answer)
    return answer
  }

  async function update(command: Command, signal: AbortSignal): Promise<void> {
    const { PeripheralUID: uid, FirmwareVersion } = command
    try {
      await download(command, signal)
      for (const Progress of [0, 50]) {
        sendUpdate(command, { Code: 0, Step: 'installing', Progress })
        await sleep(pace.install / 2, signal)
      }
      // The same command after the restart is not executed again.
      last = sendUpdate(command, { Code: 0, Step: 'restarting', Progress: 100 })
      await Promise.race([delivered, sleep(RESTART_TIMEOUT_MS, signal)])
      current = undefined
      installed(uid, FirmwareVersion)
    } catch (error) {
      if (signal.aborted) return
      current = undefined
      last = sendUpdate(command, { Code: error instanceof UpdateFailed ? error.code : 3 })
    }
  }

  /** Downloads the whole file; UpdateFailed 2 if that fails, 3 if size or checksum differ. */
  async function download(command: Command, signal: AbortSignal): Promise<void> {
    const { Url, HttpPort, Https, Size, Sha256 } = command
    const url = Url.startsWith('/') ? `http${Https ? 's' : ''}://${host}:${HttpPort}${Url}` : Url
    const hash = createHash('sha256')
    let received = 0
    let lastReported = -PROGRESS_STEP
    for (let attempt = 1; received < Size; attempt++) {
      try {
        const response = await fetch(url, {
          signal,
          ...(received > 0 && { headers: { range: `bytes=${received}-` } }),
        })
        if (!response.ok || !response.body || (received > 0 && response.status !== 206))
          throw new Error(`HTTP ${response.status}`)
        for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
          hash.update(chunk)
          received += chunk.length
          if (received > Size) throw new UpdateFailed(3)
          const progress = Math.floor((received / Size) * 100)
          if (progress < lastReported + PROGRESS_STEP) continue
          lastReported = progress
          sendUpdate(command, { Code: 0, Step: 'downloading', Progress: progress })
        }
        if (received < Size) throw new Error('The file ended early')
      } catch (error) {
        if (signal.aborted || error instanceof UpdateFailed) throw error
        if (attempt >= ATTEMPTS) throw new UpdateFailed(2)
        await sleep(1_000, signal)
      }
    }
    if (hash.digest('hex') !== Sha256) throw new UpdateFailed(3)
  }

  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = clock.after(ms, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        reject(new Error('aborted'))
      })
    })

  return {
    /** Starts an update, or reports why it cannot. */
    receive(command: Command): void {
      if (current?.command.RequestID === command.RequestID) return void report(current.update)
      if (last?.RequestID === command.RequestID && last.Code !== 0) return void report(last)
      if (current) return void sendUpdate(command, { Code: 1 })
      const version = versionOf(command.PeripheralUID)
      if (compareVersions(command.FirmwareVersion, version) <= 0) {
        last = sendUpdate(command, { Code: 4, FirmwareVersion: version })
        return
      }
      const abort = new AbortController()
      const answer: UpdateReport = {
        RequestID: command.RequestID,
        PeripheralUID: command.PeripheralUID,
        Code: 0,
      }
      current = { command, update: answer, abort }
      void report(answer)
      void update(command, abort.signal)
    },

    /** Aborts the current update because the power failed. */
    abort(): void {
      current?.abort.abort()
      current = undefined
    },
  }
}
