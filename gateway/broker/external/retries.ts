import type { Clock } from '../../ports.ts'
import type { createIntake, Lane } from '../intake.ts'
import type { BrokerRefusal } from '../refusals.ts'

/** Pauses before a message that could not be stored is tried again. */
const PAUSE = { first: 1_000, longest: 60_000 }
/**
 * Messages that are tried again, of one home or hub and of all: the broker gives 2,000 before it waits for an acknowledgement.
 * What fails after them is dropped and counted, or one sender would hold up the others.
 */
export const MOST = { ofLane: 500, ofAll: 1_500 }

/** A message of which its sender has let go: the broker has it, until it is acknowledged. */
export interface Taken {
  /** The same for a message that the broker gives again. */
  id: string
  lane: Lane
  topic: string
  qos: number
  run(): Promise<void>
  acknowledge(): void
  /** Called after each try. */
  tried(): void
}

/**
 * Takes messages to where they are stored, and acknowledges each then and no earlier. One that fails, though the database is
 * there, is tried again with growing pauses: the fault may be ours.
 */
export function createRetries(
  intake: ReturnType<typeof createIntake>,
  clock: Clock,
  refuse: (reason: BrokerRefusal, fields?: Record<string, unknown>) => void,
) {
  const waiting = new Map<string, Taken & { cancel: () => void }>()
  let closed = false

  function attempt(message: Taken, pause: number) {
    const { id, lane, topic, qos } = message
    const taken = intake.add(lane, {
      acknowledged: qos > 0,
      run: message.run,
      done(err) {
        message.tried()
        if (closed && err) return
        if (err) refuse('failed', { topic, err })
        if (err && qos > 0 && tryLater(message, pause)) return
        const { acknowledge } = waiting.get(id) ?? message
        waiting.delete(id)
        acknowledge()
      },
    })
    if (taken) return
    refuse('overload', { topic })
    if (qos > 0) tryLater(message, pause)
  }

  function tryLater(message: Taken, pause: number): boolean {
    const { id, lane, topic } = message
    const before = waiting.get(id)
    if (!before && !hasRoom(lane)) {
      refuse('overload', { topic })
      return false
    }
    const cancel = clock.after(pause, () => attempt(message, Math.min(pause * 2, PAUSE.longest)))
    waiting.set(id, { ...(before ?? message), cancel })
    return true
  }

  function hasRoom(lane: Lane): boolean {
    if (waiting.size >= MOST.ofAll) return false
    let same = 0
    for (const other of waiting.values()) if (other.lane === lane) same++
    return same < MOST.ofLane
  }

  return {
    take(message: Taken): void {
      const same = waiting.get(message.id)
      if (!same) return attempt(message, PAUSE.first)
      // Given again after a new connection, where the old acknowledgement says nothing; or said twice.
      const { acknowledge } = same
      same.acknowledge = () => {
        acknowledge()
        message.acknowledge()
      }
    },
    close(): void {
      closed = true
      for (const { cancel } of waiting.values()) cancel()
    },
  }
}
