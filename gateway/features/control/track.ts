import type { CommandFailure, CommandState } from '../../../contract/devices/command-calls.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import type { CommandStore } from './command-store.ts'
import { isSettled, type CommandTransition, type TrackedCommand } from './command.ts'

/** Delay before a failed write of a state is repeated, in ms. */
const RETRY_MS = 1_000

/** A command that is being tracked. */
export interface Track extends TrackedCommand {
  /**
   * Enters a state at once, then stores and announces it. Does nothing once the command is settled.
   *
   * detail  the hub's explanation; announced and not stored
   */
  enter(state: CommandState, reason?: CommandFailure, detail?: string): void
  /** Runs the task after `ms`, unless the state has changed by then. */
  within(ms: number, task: () => void): void
  /** Resolves when every entered state is stored, or waits for the database to recover. */
  stored(): Promise<void>
  stop(): void
}

/**
 * Tracks one command. States are stored in order and then announced; those that are entered during a write are stored
 * together, so that a fast device does not wait for one write per state.
 *
 * onSettled  called as soon as a final state is entered
 */
export function trackCommand(
  tracked: TrackedCommand,
  {
    store,
    clock,
    events,
    log,
    onSettled,
  }: { store: CommandStore; clock: Clock; events: Events; log: Log; onSettled: (track: Track) => void },
): Track {
  const { command } = tracked
  let pending: CommandTransition[] = []
  /** The hub's explanation of the final state. */
  let reportedDetail: string | undefined
  /** State in the table. */
  let storedState = command.State
  let writing: Promise<void> | undefined
  let cancelTimer = () => {}
  let cancelRetry = () => {}

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const steps = pending
      pending = []
      try {
        if (!(await store.advance({ tracked, from: storedState, steps }))) {
          // Another gateway of this database has advanced the command and tracks it.
          stop()
          pending = []
          writing = undefined
          onSettled(track)
          return
        }
      } catch (error) {
        log.warn({ err: error, requestId: command.RequestID }, 'command state not stored')
        pending = [...steps, ...pending]
        writing = undefined
        cancelRetry = clock.after(RETRY_MS, startWriting)
        return
      }
      storedState = (steps.at(-1) as CommandTransition).State
      for (const step of steps) emitChange(step)
    }
    writing = undefined
  }

  function startWriting() {
    writing ??= write()
  }

  function emitChange({ State, Reason, Timestamp }: CommandTransition) {
    const { RequestID, HomeID, PeripheralUID, Values } = command
    const response = {
      RequestID,
      HomeID,
      PeripheralUID,
      State,
      Reason,
      ...(isSettled(State) && reportedDetail !== undefined && { Detail: reportedDetail }),
      Values,
      Timestamp,
    }
    events.emit('commandChanged', { tenant: tracked.tenant, homeId: HomeID, response })
  }

  function stop() {
    cancelTimer()
    cancelRetry()
  }

  const track: Track = {
    ...tracked,
    enter(state, reason, detail) {
      if (isSettled(command.State)) return
      const now = clock.now()
      command.State = state
      command.Reason = reason ?? null
      reportedDetail = detail
      cancelTimer()
      if (isSettled(state)) {
        command.SettledAt = now
        onSettled(track)
      }
      pending.push({ State: state, Reason: command.Reason, Timestamp: now })
      startWriting()
    },
    within(ms, task) {
      const { State } = command
      cancelTimer()
      cancelTimer = clock.after(Math.max(0, ms), () => {
        if (command.State === State) task()
      })
    },
    stored: () => writing ?? Promise.resolve(),
    stop,
  }
  return track
}
