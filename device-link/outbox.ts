/** A message to the gateway, kept until it is acknowledged. */
export interface Message {
  topic: string
  payload: string
}

/** FIFO queue of messages; those sent but not acknowledged are sent again after a disconnect. */
export interface Outbox<M extends Message> {
  put(message: M): void
  /** Takes the next message while the window has room. */
  next(): M | undefined
  acknowledge(message: M): void
  /** Moves all unacknowledged messages back to the front, in order, after a disconnect. */
  rewind(): void
  readonly waiting: number
  readonly inFlight: number
  /** Number of messages dropped because the queue was full. */
  readonly dropped: number
}

/** An outbox of at most `capacity` buffered messages, the oldest of which are dropped first, with at most `window` in flight. */
export function createOutbox<M extends Message = Message>(capacity: number, window: number): Outbox<M> {
  let queue: M[] = []
  let head = 0
  let dropped = 0
  const flying = new Set<M>()

  return {
    put(message) {
      queue.push(message)
      if (queue.length - head > capacity) {
        head++
        dropped++
      }
    },
    next() {
      if (flying.size >= window || head >= queue.length) return undefined
      const message = queue[head++] as M
      if (head > 1024 && head * 2 > queue.length) {
        queue = queue.slice(head)
        head = 0
      }
      flying.add(message)
      return message
    },
    acknowledge: (message) => void flying.delete(message),
    rewind() {
      queue = [...flying, ...queue.slice(head)]
      head = 0
      flying.clear()
    },
    get waiting() {
      return queue.length - head
    },
    get inFlight() {
      return flying.size
    },
    get dropped() {
      return dropped
    },
  }
}
