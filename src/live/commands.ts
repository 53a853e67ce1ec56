import { useCallback, useSyncExternalStore } from 'react'
import { topics } from '../../contract/channels/table.ts'
import type { controlResponse } from '../../contract/devices/channels/control.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import type { CommandFailure, CommandState } from '../../contract/devices/command-calls.ts'
import { isRegression } from '../../contract/devices/command-order.ts'
import { mergeStatus, commonPaths } from '../../contract/devices/status-order.ts'
import { notices } from '../data/notices.ts'
import { mayNow } from '../data/session.ts'
import { nextFrame } from '../lib/next-frame.ts'
import { randomId } from '../lib/random-id.ts'
import { currentRootId, publishCommand } from './channel.ts'

/** Time without an answer after which a command fails, ms; the gateway itself gives up earlier and reports that. */
export const NO_ANSWER_MS = 30_000

/** Status of a command of this screen; `pending` until the first answer. */
export interface CommandView {
  RequestID: string
  PeripheralUID: string
  Values: Readonly<Record<string, unknown>>
  State: 'pending' | CommandState
  /** A key of `errors.command`; notConnected when it was never sent. */
  Reason: CommandFailure | 'notConnected' | null
  /** The hub's own description of a failure. */
  Detail?: string | undefined
}

const isFailed = ({ State }: CommandView): boolean => State === 'failed' || State === 'timedOut'
export const isSettled = (view: CommandView): boolean => view.State === 'confirmed' || isFailed(view)

/** A command that was sent. */
export interface CommandHandle {
  readonly RequestID: string
  get(): CommandView
  subscribe(listener: () => void): () => void
  /** Resolves with the final view; never rejects. */
  readonly settled: Promise<CommandView>
}

interface Ports {
  /** Publishes over the realtime channel; rejects at once if it is not connected. */
  publish(topic: string, payload: object): Promise<void>
  rootId(): string | undefined
  randomId(): string
  /** Schedules the notification of listeners; batches answers that arrive together. */
  schedule?: (flush: () => void) => void
}

/**
 * Sends commands and tracks their status. The gateway confirms a command on the device's next report; until then it is not shown as
 * done. A command that cannot be sent now is rejected, never sent later.
 */
export function createCommands({ publish, rootId, randomId, schedule = nextFrame }: Ports) {
  /** Commands that have not ended, by RequestID. */
  const open = new Map<string, Cell>()
  const lastOf = new Map<string, Cell>()
  /** Merged values of the open commands, by PeripheralUID. */
  const pendingOf = new Map<string, Readonly<CommandValues>>()
  const listeners = new Set<() => void>()
  let isScheduled = false

  function scheduleNotify() {
    if (isScheduled) return
    isScheduled = true
    schedule(() => {
      isScheduled = false
      notify()
    })
  }

  function notify() {
    for (const listener of [...listeners]) listener()
  }

  function updatePending(uid: string) {
    const views = [...open.values()].map(({ view }) => view).filter((view) => view.PeripheralUID === uid)
    if (views.length === 0) pendingOf.delete(uid)
    else
      pendingOf.set(
        uid,
        views.map(({ Values }) => Values).reduce((all, next) => mergeStatus(all, next)),
      )
  }

  function put(cell: Cell, view: CommandView) {
    cell.view = view
    if (isSettled(view)) {
      clearTimeout(cell.timer)
      open.delete(view.RequestID)
      updatePending(view.PeripheralUID)
      // Show a failure even if a later command set other fields of the device.
      const last = lastOf.get(view.PeripheralUID)
      if (view.State !== 'confirmed' && last && !commonPaths(last.view.Values, view.Values))
        lastOf.set(view.PeripheralUID, cell)
      cell.end(view)
    }
    scheduleNotify()
  }

  /** Fails a command that is still open. */
  function fail(cell: Cell, State: 'failed' | 'timedOut', Reason: CommandView['Reason']) {
    if (!isSettled(cell.view)) put(cell, { ...cell.view, State, Reason })
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return {
    send(homeId: string, uid: string, values: Readonly<Record<string, unknown>>): CommandHandle {
      const RequestID = randomId()
      let end: Cell['end'] = () => {}
      const settled = new Promise<CommandView>((resolve) => {
        end = resolve
      })
      const cell: Cell = {
        view: { RequestID, PeripheralUID: uid, Values: values, State: 'pending', Reason: null },
        timer: setTimeout(() => fail(cell, 'timedOut', 'noAnswer'), NO_ANSWER_MS),
        end,
      }
      open.set(RequestID, cell)
      lastOf.set(uid, cell)
      updatePending(uid)
      notify()
      const root = rootId()
      const request = root
        ? publish(topics.controlRequest.topic({ rootId: root, homeId }), {
            RequestID,
            PeripheralUID: uid,
            Values: values,
          })
        : Promise.reject(new Error('signed out'))
      request.catch(() => fail(cell, 'failed', 'notConnected'))
      return { RequestID, get: () => cell.view, subscribe, settled }
    },
    /** Handles a message on control/response; ignores commands of other screens and answers that are out of order. */
    handleResponse({ RequestID, State, Reason, Detail }: PayloadOf<typeof controlResponse>) {
      const cell = open.get(RequestID)
      const previous = cell?.view.State
      if (previous !== undefined && previous !== 'pending' && isRegression(previous, State)) return
      if (cell) put(cell, { ...cell.view, State, Reason, Detail })
    },
    /** The last command of this screen to a device, ended or not. */
    last: (uid: string): CommandView | undefined => lastOf.get(uid)?.view,
    /** Merged values of all open commands to a device. */
    pending: (uid: string): Readonly<CommandValues> | undefined => pendingOf.get(uid),
    /** Removes an ended command, e.g. when its message was closed. */
    dismiss(uid: string) {
      const cell = lastOf.get(uid)
      if (!cell || !isSettled(cell.view)) return
      lastOf.delete(uid)
      notify()
    },
    /** Fails all open commands and removes all others, at sign-out. */
    clear() {
      for (const cell of [...open.values()]) fail(cell, 'failed', 'notConnected')
      lastOf.clear()
      notify()
    },
    subscribe,
  }
}

/** A command's current view, its timeout, and the resolver of `settled`. */
interface Cell {
  view: CommandView
  timer: ReturnType<typeof setTimeout>
  end: (view: CommandView) => void
}

/** Commands of this screen. */
export const commands = createCommands({ publish: publishCommand, rootId: currentRootId, randomId })

/**
 * Sends a command to a device. Fails with Reason notConnected while the channel is down; without the right to control it is not sent,
 * and a notice says so.
 */
export function sendCommand(
  homeId: string,
  uid: string,
  values: Readonly<Record<string, unknown>>,
): CommandHandle | undefined {
  return assertMayControl() ? commands.send(homeId, uid, values) : undefined
}

/** Whether the user may control devices; if not, shows a notice. */
export function assertMayControl(): boolean {
  if (mayNow('device_control', 'Control')) return true
  notices.refused({ feature: 'device_control', operation: 'Control' })
  return false
}

/** The last command of this screen to a device, if it failed. Renders again only when that changes. */
export function useCommandFailure(uid: string): CommandView | undefined {
  const get = useCallback(() => {
    const last = commands.last(uid)
    return last && isFailed(last) ? last : undefined
  }, [uid])
  return useSyncExternalStore(commands.subscribe, get)
}

/** Values that this screen requested from a device and that it has not confirmed yet. Renders again only when they change. */
export function usePendingValues(uid: string): Readonly<CommandValues> | undefined {
  const get = useCallback(() => commands.pending(uid), [uid])
  return useSyncExternalStore(commands.subscribe, get)
}
