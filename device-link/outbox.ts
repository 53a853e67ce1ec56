/** A message on its way to the gateway, kept until it is acknowledged. */
export interface Message {
  topic: string
  payload: string
}

/** Messages in the order they were put in; what has been sent and not acknowledged is sent again after a break. */
export interface Outbox<M extends Message> {
  put(message: M): void
  /** Hands out messages while the window has room. */
  next(): M | undefined
  acknowledge(message: M): void
  /** The connection broke: everything unacknowledged goes back to the front, in order. */
  rewind(): void
  readonly waiting: number
  readonly inFlight: number
  /** Messages given up because the box was full. */
  readonly dropped: number
}

/** A box of at most `capacity` waiting messages, of which the oldest give way, with `window` of them in flight. */
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
