import type { CommandFailure, CommandState } from '../../../contract/devices/command-calls.ts'
import type { Events } from '../../kernel/events.ts'
import type { Clock, Log } from '../../kernel/ports.ts'
import type { CommandStore } from './command-store.ts'
import { isSettled, type CommandTransition, type TrackedCommand } from './command.ts'

/** Before a state that could not be stored is tried again, in ms. */
const RETRY_MS = 1_000

/** One command under way. */
export interface Track extends TrackedCommand {
  /**
   * Enters a state at once; it is stored and then told. Does nothing once the command is settled.
   *
   * detail  what the hub said of it; told and not stored
   */
  enter(state: CommandState, reason?: CommandFailure, detail?: string): void
  /** Runs the task unless the command is in another state by then. */
  within(ms: number, task: () => void): void
  /** Resolves when every state entered is stored, or waits for the database to come back. */
  stored(): Promise<void>
  stop(): void
}

/**
 * Follows one command. States are stored in their order and told after that; while one is being stored, those that come
 * next go together, so that a quick device does not wait for the disk once per state.
 *
 * onSettled  hears of the end, as soon as it is entered
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
  /** What the hub said of the end. */
  let said: string | undefined
  /** Where the table stands. */
  let base = command.State
  let writing: Promise<void> | undefined
  let cancelTimer = () => {}
  let cancelRetry = () => {}

  async function write(): Promise<void> {
    while (pending.length > 0) {
      const steps = pending
      pending = []
      try {
        if (!(await store.advance({ tracked, from: base, steps }))) {
          // Another gateway on this database has moved the command and follows it.
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
        cancelRetry = clock.after(RETRY_MS, begin)
        return
      }
      base = (steps.at(-1) as CommandTransition).State
      for (const step of steps) tell(step)
    }
    writing = undefined
  }

  function begin() {
    writing ??= write()
  }

  function tell({ State, Reason, Timestamp }: CommandTransition) {
    const { RequestID, HomeID, PeripheralUID, Values } = command
    const response = {
      RequestID,
      HomeID,
      PeripheralUID,
      State,
      Reason,
      ...(isSettled(State) && said !== undefined && { Detail: said }),
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
      said = detail
      cancelTimer()
      if (isSettled(state)) {
        command.SettledAt = now
        onSettled(track)
      }
      pending.push({ State: state, Reason: command.Reason, Timestamp: now })
      begin()
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
