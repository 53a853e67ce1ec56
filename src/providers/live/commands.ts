import { useCallback, useSyncExternalStore } from 'react'
import { controlRequest, type controlResponse } from '../../../contract/channels/control.ts'
import type { PayloadOf } from '../../../contract/kernel/define-channel.ts'
import type { CommandFailure, CommandState } from '../../../contract/procedures/commands.ts'

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
}

export const isSettled = ({ State }: CommandView): boolean =>
  State === 'confirmed' || State === 'failed' || State === 'timedOut'

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
  publish(topic: string, payload: unknown): Promise<void>
  rootId(): string | undefined
  randomId(): string
}

/**
 * Sends commands and follows them. Nothing is shown as done before the device says so: a command is confirmed by the gateway
 * on the device's next report. A command that cannot be sent now is refused, never sent later.
 */
export function createCommands({ publish, rootId, randomId }: Ports) {
  const byRequest = new Map<string, CommandView>()
  const lastOf = new Map<string, CommandView>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const listeners = new Set<() => void>()
  const endings = new Map<string, (end: CommandView) => void>()

  function put(view: CommandView) {
    byRequest.set(view.RequestID, view)
    const last = lastOf.get(view.PeripheralUID)
    if (
      !last ||
      last.RequestID === view.RequestID ||
      byRequest.get(last.RequestID) === undefined ||
      view.State === 'pending'
    )
      lastOf.set(view.PeripheralUID, view)
    if (isSettled(view)) {
      clearTimeout(timers.get(view.RequestID))
      timers.delete(view.RequestID)
      endings.get(view.RequestID)?.(view)
      endings.delete(view.RequestID)
      byRequest.delete(view.RequestID)
    }
    for (const listener of [...listeners]) listener()
  }

  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return {
    send(homeId: string, uid: string, values: Readonly<Record<string, unknown>>): CommandHandle {
      const RequestID = randomId()
      let current: CommandView = {
        RequestID,
        PeripheralUID: uid,
        Values: values,
        State: 'pending',
        Reason: null,
      }
      const settled = new Promise<CommandView>((resolve) => endings.set(RequestID, resolve))
      const follow = subscribe(() => {
        current = byRequest.get(RequestID) ?? current
      })
      void settled.then((end) => {
        current = end
        follow()
      })
      put(current)
      timers.set(
        RequestID,
        setTimeout(() => {
          const view = byRequest.get(RequestID)
          if (view) put({ ...view, State: 'timedOut', Reason: 'noAnswer' })
        }, NO_ANSWER_MS),
      )
      const root = rootId()
      const sent = root
        ? publish(controlRequest.topic({ rootId: root, homeId }), {
            RequestID,
            PeripheralUID: uid,
            Values: values,
          })
        : Promise.reject(new Error('signed out'))
      sent.catch(() => {
        const view = byRequest.get(RequestID)
        if (view) put({ ...view, State: 'failed', Reason: 'notConnected' })
      })
      return { RequestID, get: () => byRequest.get(RequestID) ?? current, subscribe, settled }
    },
    /** An answer on control/response; those of other screens are not ours and are passed over. */
    answer({ RequestID, State, Reason }: PayloadOf<typeof controlResponse>) {
      const view = byRequest.get(RequestID)
      if (view) put({ ...view, State, Reason })
    },
    /** The last command of this screen to a device, settled or not. */
    last: (uid: string): CommandView | undefined => lastOf.get(uid),
    /** Forgets a settled command, e.g. when its message was closed. */
    dismiss(uid: string) {
      const view = lastOf.get(uid)
      if (!view || !isSettled(view)) return
      lastOf.delete(uid)
      for (const listener of [...listeners]) listener()
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      byRequest.clear()
      lastOf.clear()
      endings.clear()
      for (const listener of [...listeners]) listener()
    },
    subscribe,
  }
}

export type Commands = ReturnType<typeof createCommands>

/** Draws again when the last command to this device changes. */
export function useLastCommand(commands: Commands, uid: string): CommandView | undefined {
  const get = useCallback(() => commands.last(uid), [commands, uid])
  return useSyncExternalStore(commands.subscribe, get)
}
