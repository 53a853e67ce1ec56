import { useCallback, useSyncExternalStore } from 'react'
import type { RunMessage } from '../../contract/automation/channels.ts'
import { topics } from '../../contract/channels/table.ts'
import type { controlResponse } from '../../contract/devices/channels/control.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { RunState, SkipReason } from '../../contract/automation/run-states.ts'
import type { RoomDevices } from '../../contract/devices/room-devices.ts'
import { nextFrame } from '../lib/next-frame.ts'
import { randomId } from '../lib/random-id.ts'
import { currentRootId, publishCommand } from './channel.ts'
import { assertMayControl, NO_ANSWER_MS, type CommandView } from './commands.ts'

/** Status of the last command of a run to one device. */
export type DeviceOutcome = Pick<CommandView, 'State' | 'Reason' | 'Detail'>

/** Progress of a run, as far as this screen has received it; `/ListAutomationRun` returns the whole. */
export interface RunProgress {
  RunID: string
  /** `pending` until the first message of the gateway. */
  State: RunState | 'pending'
  /** Reason why the run failed or was skipped as a whole. */
  Reason: CommandView['Reason'] | SkipReason
  /** Numbers of confirmed, failed and open actions; undefined before the first message of the gateway. */
  Actions: RunMessage['Actions'] | undefined
  /** By PeripheralUID. */
  devices: ReadonlyMap<string, DeviceOutcome>
}

/** A group, scene or room that is controlled as one. */
export type RunTarget = { GroupID: string } | { SceneID: string } | { RoomID: number; Only: RoomDevices }

export const isFinished = ({ State }: Pick<RunProgress, 'State'>): boolean =>
  State !== 'pending' && State !== 'planned' && State !== 'running'

interface Ports {
  /** Publishes over the realtime channel; rejects at once if it is not connected. */
  publish(topic: string, payload: object): Promise<void>
  rootId(): string | undefined
  randomId(): string
  schedule?: (flush: () => void) => void
}

/** Maximum number of runs kept in memory. */
const MAX_RUNS = 100
/** RequestID of a command of a run: the RunID, the index of the command, and a suffix if it was retried. */
const RUN_COMMAND_ID = /^(.+?)-\d+(?:-.+)?$/

/**
 * Starts runs of groups and rooms, and tracks the progress of all runs from messages of the realtime channel. Independent of any screen:
 * a message may arrive before a screen knows its run.
 */
export function createRuns({ publish, rootId, randomId, schedule = nextFrame }: Ports) {
  const byId = new Map<string, RunProgress>()
  const listeners = new Set<() => void>()
  let isScheduled = false

  function scheduleNotify() {
    if (isScheduled) return
    isScheduled = true
    schedule(() => {
      isScheduled = false
      for (const listener of [...listeners]) listener()
    })
  }

  function put(RunID: string, change: Partial<RunProgress>) {
    const before = byId.get(RunID) ?? {
      RunID,
      State: 'pending' as const,
      Reason: null,
      Actions: undefined,
      devices: new Map(),
    }
    byId.set(RunID, { ...before, ...change })
    const [oldest] = byId.keys()
    if (byId.size > MAX_RUNS && oldest !== undefined) byId.delete(oldest)
    scheduleNotify()
  }

  /** Fails a run about which no message of the gateway has arrived. */
  const failUnanswered = (RunID: string, Reason: RunProgress['Reason']) => {
    const run = byId.get(RunID)
    if (run?.State === 'pending' && run.devices.size === 0) put(RunID, { State: 'failed', Reason })
  }

  return {
    /**
     * Starts a run.
     *
     * values   values to set; undefined for a scene
     * returns  the RunID
     */
    send(homeId: string, target: RunTarget, values: Readonly<Record<string, unknown>> | undefined): string {
      const RequestID = randomId()
      put(RequestID, {})
      setTimeout(() => failUnanswered(RequestID, 'noAnswer'), NO_ANSWER_MS)
      const root = rootId()
      const request = root
        ? publish(topics.controlRequest.topic({ rootId: root, homeId }), {
            RequestID,
            ...target,
            ...(values && { Values: values }),
          })
        : Promise.reject(new Error('signed out'))
      request.catch(() => failUnanswered(RequestID, 'notConnected'))
      return RequestID
    },
    /** Handles a message on automation/run. */
    handleRun({ RunID, State, Actions, Reason }: RunMessage): void {
      put(RunID, { State, Actions, Reason })
    },
    /** Handles a message on control/response: about a command of a run, or about a run that was rejected as a whole. */
    handleResponse({
      RequestID,
      PeripheralUID,
      State,
      Reason,
      Detail,
    }: PayloadOf<typeof controlResponse>): void {
      const ownRun = byId.get(RequestID)
      if (ownRun) {
        if (State === 'failed' || State === 'timedOut') put(RequestID, { State: 'failed', Reason })
        return
      }
      const RunID = RUN_COMMAND_ID.exec(RequestID)?.[1]
      if (RunID === undefined) return
      const devices = new Map(byId.get(RunID)?.devices)
      put(RunID, { devices: devices.set(PeripheralUID, { State, Reason, Detail }) })
    },
    get: (RunID: string): RunProgress | undefined => byId.get(RunID),
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Removes all runs, at sign-out. */
    clear(): void {
      byId.clear()
      scheduleNotify()
    },
  }
}

/** Runs of scenes, groups, rooms and automations. */
export const runs = createRuns({ publish: publishCommand, rootId: currentRootId, randomId })

/**
 * Sets the devices of a group or a room as one.
 *
 * returns  the RunID; undefined without the right to control, which a notice reports
 */
export function sendToAll(
  homeId: string,
  target: RunTarget,
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  return assertMayControl() ? runs.send(homeId, target, values) : undefined
}

/** Progress of a run, as far as this screen has received it. Renders again only when it changes. */
export function useRunProgress(runId: string | undefined): RunProgress | undefined {
  const get = useCallback(() => (runId === undefined ? undefined : runs.get(runId)), [runId])
  return useSyncExternalStore(runs.subscribe, get)
}
