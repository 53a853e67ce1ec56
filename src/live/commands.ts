import { useCallback, useSyncExternalStore } from 'react'
import { controlRequest, type controlResponse } from '../../contract/devices/channels/control.ts'
import type { PayloadOf } from '../../contract/kernel/define-channel.ts'
import type { CommandValues } from '../../contract/devices/capabilities/capability.ts'
import type { CommandFailure, CommandState } from '../../contract/devices/command-calls.ts'
import { isRegression } from '../../contract/devices/command-order.ts'
import { mergeStatus, commonPaths } from '../../contract/devices/merge-status.ts'
import { nextFrame } from '../lib/next-frame.ts'

/** Silence after this is a failure: the gateway itself gives up earlier and says so. */
export const NO_ANSWER_MS = 30_000

/** Where a command of this screen stands; `pending` until the first answer. */
export interface CommandView {
  RequestID: string
  PeripheralUID: string
  Values: Readonly<Record<string, unknown>>
  State: 'pending' | CommandState
  /** A key of `errors.command`; notConnected when it was never sent. */
  Reason: CommandFailure | 'notConnected' | null
  /** What the hub said of a failure, in its own words. */
  Detail?: string | undefined
}

const isFailed = ({ State }: CommandView): boolean => State === 'failed' || State === 'timedOut'
export const isSettled = (view: CommandView): boolean => view.State === 'confirmed' || isFailed(view)

/** A command that was given: look at it, follow it, wait for its end. */
export interface CommandHandle {
  readonly RequestID: string
  get(): CommandView
  subscribe(listener: () => void): () => void
  /** Resolves with the end state, whatever it is; never rejects. */
  readonly settled: Promise<CommandView>
}

interface Ports {
  /** Sends over the realtime channel; rejects at once when it is not connected. */
  publish(topic: string, payload: object): Promise<void>
  rootId(): string | undefined
  randomId(): string
  /** When answers are told: many come in one moment when many devices are commanded. */
  schedule?: (flush: () => void) => void
}

/**
 * Sends commands and follows them. Nothing is shown as done before the device says so: a command is confirmed by the gateway
 * on the device's next report. A command that cannot be sent now is refused, never sent later.
 */
export function createCommands({ publish, rootId, randomId, schedule = nextFrame }: Ports) {
  /** Commands that have not ended. */
  const open = new Map<string, Cell>()
  const lastOf = new Map<string, Cell>()
  /** What the open commands to a device ask for together. */
  const askedOf = new Map<string, Readonly<CommandValues>>()
  const listeners = new Set<() => void>()
  let telling = false

  function tellSoon() {
    if (telling) return
    telling = true
    schedule(() => {
      telling = false
      tell()
    })
  }

  function tell() {
    for (const listener of [...listeners]) listener()
  }

  function gather(uid: string) {
    const asked = [...open.values()].map(({ view }) => view).filter((view) => view.PeripheralUID === uid)
    if (asked.length === 0) askedOf.delete(uid)
    else
      askedOf.set(
        uid,
        asked.map(({ Values }) => Values).reduce((all, next) => mergeStatus(all, next)),
      )
  }

  function put(cell: Cell, view: CommandView) {
    cell.view = view
    if (isSettled(view)) {
      clearTimeout(cell.timer)
      open.delete(view.RequestID)
      gather(view.PeripheralUID)
      // A failure is shown even if another part of the device was commanded since.
      const last = lastOf.get(view.PeripheralUID)
      if (view.State !== 'confirmed' && last && !commonPaths(last.view.Values, view.Values))
        lastOf.set(view.PeripheralUID, cell)
      cell.end(view)
    }
    tellSoon()
  }

  /** Ends a command that has not ended yet. */
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
      gather(uid)
      tell()
      const root = rootId()
      const sent = root
        ? publish(controlRequest.topic({ rootId: root, homeId }), {
            RequestID,
            PeripheralUID: uid,
            Values: values,
          })
        : Promise.reject(new Error('signed out'))
      sent.catch(() => fail(cell, 'failed', 'notConnected'))
      return { RequestID, get: () => cell.view, subscribe, settled }
    },
    /** An answer on control/response; those of other screens are not ours and are passed over. */
    answer({ RequestID, State, Reason, Detail }: PayloadOf<typeof controlResponse>) {
      const cell = open.get(RequestID)
      const stands = cell?.view.State
      if (stands !== undefined && stands !== 'pending' && isRegression(stands, State)) return
      if (cell) put(cell, { ...cell.view, State, Reason, Detail })
    },
    /** The last command of this screen to a device, ended or not. */
    last: (uid: string): CommandView | undefined => lastOf.get(uid)?.view,
    /** The values asked of a device that it has not shown yet, of all open commands together. */
    asked: (uid: string): Readonly<CommandValues> | undefined => askedOf.get(uid),
    /** Forgets an ended command, e.g. when its message was closed. */
    dismiss(uid: string) {
      const cell = lastOf.get(uid)
      if (!cell || !isSettled(cell.view)) return
      lastOf.delete(uid)
      tell()
    },
    /** Ends what is open without an answer: sign-out. */
    clear() {
      for (const cell of [...open.values()]) fail(cell, 'failed', 'notConnected')
      lastOf.clear()
      tell()
    },
    subscribe,
  }
}

/** One command's current view and what its end sets free. */
interface Cell {
  view: CommandView
  timer: ReturnType<typeof setTimeout>
  end: (view: CommandView) => void
}

export type Commands = ReturnType<typeof createCommands>

/** The last command to this device if it failed. Draws again only when that changes. */
export function useFailedCommand(commands: Commands, uid: string): CommandView | undefined {
  const get = useCallback(() => {
    const last = commands.last(uid)
    return last && isFailed(last) ? last : undefined
  }, [commands, uid])
  return useSyncExternalStore(commands.subscribe, get)
}

/** Draws again when what is asked of this device changes. */
export function useAskedValues(commands: Commands, uid: string): Readonly<CommandValues> | undefined {
  const get = useCallback(() => commands.asked(uid), [commands, uid])
  return useSyncExternalStore(commands.subscribe, get)
}
