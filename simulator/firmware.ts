import { createHash } from 'node:crypto'
import type { otaCommand, otaReport } from '../contract/devices/channels/ota.ts'
import type { PayloadOf } from '../contract/kernel/define-channel.ts'
import { compareVersions } from '../contract/devices/firmware-version.ts'
import type { Clock } from '../device-link/clock.ts'

type Command = PayloadOf<typeof otaCommand>
type Answer = Omit<PayloadOf<typeof otaReport>, 'ThingName'>

/** What simulated hubs and devices run before anybody updates them. */
export const FACTORY_VERSION = '1.0.0'
/** Attempts to fetch a file; each goes on where the one before broke off. */
const ATTEMPTS = 3
/** Longest wait for the gateway to hear of the restart, in ms. */
const RESTART_TIMEOUT_MS = 5_000
/** Progress is told when it has grown by so many percent. */
const TELL_EVERY = 20

/** How long writing a firmware and starting again take, in ms. */
export interface FirmwarePace {
  install: number
  restart: number
}

export interface UpdaterOptions {
  /** Where the hub reaches the gateway. */
  host: string
  clock: Clock
  pace: FirmwarePace
  /** What the hub (null) or a device of its runs. */
  versionOf(uid: string | null): string
  /** Tells the gateway; resolves when it has it. */
  report(answer: Answer): Promise<void>
  /** The firmware is in place; a hub restarts now. */
  installed(uid: string | null, version: string): void
}

export type Updater = ReturnType<typeof createUpdater>

/** What went wrong, as a code of §8. */
class UpdateFailed extends Error {
  readonly code: 2 | 3
  constructor(code: 2 | 3) {
    super(`code ${code}`)
    this.code = code
  }
}

/**
 * Updates a simulated hub as a real one does: fetches the file, checks size and checksum before anything is written,
 * installs, restarts. One at a time; a command that comes again is answered and not done again.
 */
export function createUpdater({ host, clock, pace, versionOf, report, installed }: UpdaterOptions) {
  let current: { command: Command; answer: Answer; abort: AbortController } | undefined
  /** How the last command ended. */
  let last: Answer | undefined
  /** The gateway has what was told last. */
  let delivered = Promise.resolve()

  function tell(command: Command, rest: Omit<Answer, 'RequestID' | 'PeripheralUID'>): Answer {
    const answer = { RequestID: command.RequestID, PeripheralUID: command.PeripheralUID, ...rest }
    if (current?.command === command) current.answer = answer
    delivered = report(answer)
    return answer
  }

  async function update(command: Command, signal: AbortSignal): Promise<void> {
    const { PeripheralUID: uid, FirmwareVersion } = command
    try {
      await download(command, signal)
      for (const Progress of [0, 50]) {
        tell(command, { Code: 0, Step: 'installing', Progress })
        await wait(pace.install / 2, signal)
      }
      // As at its end: the same command after the restart is not done again.
      last = tell(command, { Code: 0, Step: 'restarting', Progress: 100 })
      await Promise.race([delivered, wait(RESTART_TIMEOUT_MS, signal)])
      current = undefined
      installed(uid, FirmwareVersion)
    } catch (error) {
      if (signal.aborted) return
      current = undefined
      last = tell(command, { Code: error instanceof UpdateFailed ? error.code : 3 })
    }
  }

  /** Fetches the whole file; UpdateFailed 2 when it cannot be had, 3 when it is not the one that was meant. */
  async function download(command: Command, signal: AbortSignal): Promise<void> {
    const { Url, HttpPort, Https, Size, Sha256 } = command
    const url = Url.startsWith('/') ? `http${Https ? 's' : ''}://${host}:${HttpPort}${Url}` : Url
    const hash = createHash('sha256')
    let received = 0
    let told = -TELL_EVERY
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
          if (progress < told + TELL_EVERY) continue
          told = progress
          tell(command, { Code: 0, Step: 'downloading', Progress: progress })
        }
        if (received < Size) throw new Error('The file ended early')
      } catch (error) {
        if (signal.aborted || error instanceof UpdateFailed) throw error
        if (attempt >= ATTEMPTS) throw new UpdateFailed(2)
        await wait(1_000, signal)
      }
    }
    if (hash.digest('hex') !== Sha256) throw new UpdateFailed(3)
  }

  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = clock.after(ms, resolve)
      signal.addEventListener('abort', () => {
        cancel()
        reject(new Error('aborted'))
      })
    })

  return {
    /** Begins an update, or says why not. */
    receive(command: Command): void {
      if (current?.command.RequestID === command.RequestID) return void report(current.answer)
      if (last?.RequestID === command.RequestID && last.Code !== 0) return void report(last)
      if (current) return void tell(command, { Code: 1 })
      const version = versionOf(command.PeripheralUID)
      if (compareVersions(command.FirmwareVersion, version) <= 0) {
        last = tell(command, { Code: 4, FirmwareVersion: version })
        return
      }
      const abort = new AbortController()
      const answer: Answer = { RequestID: command.RequestID, PeripheralUID: command.PeripheralUID, Code: 0 }
      current = { command, answer, abort }
      void report(answer)
      void update(command, abort.signal)
    },

    /** The power fails: what was under way is gone. */
    forget(): void {
      current?.abort.abort()
      current = undefined
    },
  }
}
