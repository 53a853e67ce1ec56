import { useCallback, useSyncExternalStore } from 'react'
import type { RunMessage } from '../../contract/automation/channels.ts'
import { controlRequest, type controlResponse } from '../../contract/devices/channels/control.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { RunState, SkipReason } from '../../contract/automation/run-calls.ts'
import type { RoomDevices } from '../../contract/automation/action.ts'
import { nextFrame } from '../lib/next-frame.ts'
import { NO_ANSWER_MS, type CommandView } from './commands.ts'

/** Where the last command of a run to one device stands. */
export type DeviceOutcome = Pick<CommandView, 'State' | 'Reason' | 'Detail'>

/** A run as this screen has heard of it; what it has not heard, `/ListAutomationRun` says. */
export interface RunProgress {
  RunID: string
  /** pending until the gateway has said anything. */
  State: RunState | 'pending'
  /** Why nothing came of it at all. */
  Reason: CommandView['Reason'] | SkipReason
  /** How many actions have ended either way and are still open, once the gateway has said so. */
  Actions: RunMessage['Actions'] | undefined
  /** By PeripheralUID. */
  devices: ReadonlyMap<string, DeviceOutcome>
}

/** What is controlled as one. */
export type RunTarget = { GroupID: string } | { SceneID: string } | { RoomID: number; Only: RoomDevices }

export const isFinished = ({ State }: Pick<RunProgress, 'State'>): boolean =>
  State !== 'pending' && State !== 'planned' && State !== 'running'

interface Ports {
  /** Sends over the realtime channel; rejects at once when it is not connected. */
  publish(topic: string, payload: object): Promise<void>
  rootId(): string | undefined
  randomId(): string
  schedule?: (flush: () => void) => void
}

/** Runs that are remembered. */
const KEPT = 100
/** A command of a run is called by its run, its place there and how often it was tried. */
const OF_RUN = /^(.+?)-\d+(?:-.+)?$/

/**
 * Begins runs of groups and rooms, and follows those and all others by what the realtime channel tells of them. Pure of any
 * screen: an answer may come before anybody knows the run that it is of.
 */
export function createRuns({ publish, rootId, randomId, schedule = nextFrame }: Ports) {
  const heard = new Map<string, RunProgress>()
  const listeners = new Set<() => void>()
  let telling = false

  function tellSoon() {
    if (telling) return
    telling = true
    schedule(() => {
      telling = false
      for (const listener of [...listeners]) listener()
    })
  }

  function put(RunID: string, change: Partial<RunProgress>) {
    const before = heard.get(RunID) ?? {
      RunID,
      State: 'pending' as const,
      Reason: null,
      Actions: undefined,
      devices: new Map(),
    }
    heard.set(RunID, { ...before, ...change })
    const [oldest] = heard.keys()
    if (heard.size > KEPT && oldest !== undefined) heard.delete(oldest)
    tellSoon()
  }

  /** It ends unless the gateway has said anything of it. */
  const giveUp = (RunID: string, Reason: RunProgress['Reason']) => {
    const run = heard.get(RunID)
    if (run?.State === 'pending' && run.devices.size === 0) put(RunID, { State: 'failed', Reason })
  }

  return {
    /**
     * Asks for devices to be set as one.
     *
     * values   what to set; undefined for a scene
     * returns  the RunID
     */
    send(homeId: string, target: RunTarget, values: Readonly<Record<string, unknown>> | undefined): string {
      const RequestID = randomId()
      put(RequestID, {})
      setTimeout(() => giveUp(RequestID, 'noAnswer'), NO_ANSWER_MS)
      const root = rootId()
      const sent = root
        ? publish(controlRequest.topic({ rootId: root, homeId }), {
            RequestID,
            ...target,
            ...(values && { Values: values }),
          })
        : Promise.reject(new Error('signed out'))
      sent.catch(() => giveUp(RequestID, 'notConnected'))
      return RequestID
    },
    /** News on automation/run. */
    news({ RunID, State, Actions, Reason }: RunMessage): void {
      put(RunID, { State, Actions, Reason })
    },
    /** An answer on control/response: of a command of a run, or of a run that was refused as a whole. */
    answer({ RequestID, PeripheralUID, State, Reason, Detail }: PayloadOf<typeof controlResponse>): void {
      const own = heard.get(RequestID)
      if (own) {
        if (State === 'failed' || State === 'timedOut') put(RequestID, { State: 'failed', Reason })
        return
      }
      const RunID = OF_RUN.exec(RequestID)?.[1]
      if (RunID === undefined) return
      const devices = new Map(heard.get(RunID)?.devices)
      put(RunID, { devices: devices.set(PeripheralUID, { State, Reason, Detail }) })
    },
    get: (RunID: string): RunProgress | undefined => heard.get(RunID),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Forgets everything: sign-out. */
    clear(): void {
      heard.clear()
      tellSoon()
    },
  }
}

export type Runs = ReturnType<typeof createRuns>

/** What was heard of a run; draws again when more is. */
export function useRunProgress(runs: Runs, runId: string | undefined): RunProgress | undefined {
  const get = useCallback(() => (runId === undefined ? undefined : runs.get(runId)), [runs, runId])
  return useSyncExternalStore(runs.subscribe, get)
}
