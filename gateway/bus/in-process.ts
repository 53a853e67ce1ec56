import type { Transport, RequestFailure } from '../kernel/bus.ts'

/** Member's end of the in-process network. */
interface Member {
  subjects: Set<string>
  onMessage: (subject: string, bytes: Uint8Array, reply: string | undefined) => void
  onStateChange: (isUp: boolean) => void
  /** Disconnected: nothing is sent or received. */
  isCut: boolean
}

export interface InProcessNetwork {
  join(): Transport & {
    /** Disconnects or reconnects this member. */
    setCut(isCut: boolean): void
  }
  /** Returns true for subjects whose messages are lost. */
  isLost: (subject: string) => boolean
}

/** In-process network for tests: like a real one, it delivers asynchronously, in order, and once to each subscriber. */
export function createNetwork(): InProcessNetwork {
  const members = new Set<Member>()
  const replies = new Map<string, (bytes: Uint8Array) => void>()
  let requestCount = 0

  function publish(from: Member, subject: string, bytes: Uint8Array, reply?: string): number {
    if (from.isCut || network.isLost(subject)) return 0
    const answer = replies.get(subject)
    if (answer) {
      setImmediate(answer, bytes)
      return 1
    }
    const receivers = [...members].filter(
      (member) =>
        member !== from &&
        !member.isCut &&
        [...member.subjects].some((subscription) => isMatch(subscription, subject)),
    )
    for (const member of receivers)
      setImmediate(() => {
        if (!member.isCut && members.has(member)) member.onMessage(subject, bytes, reply)
      })
    return receivers.length
  }

  const network: InProcessNetwork = {
    isLost: () => false,
    join() {
      const member: Member = {
        subjects: new Set(),
        onMessage: () => {},
        onStateChange: () => {},
        isCut: false,
      }
      const request = (subject: string, bytes: Uint8Array, ms: number) =>
        new Promise<Uint8Array | RequestFailure>((resolve) => {
          if (member.isCut) return resolve('away')
          const reply = `reply.${++requestCount}`
          const finish = (answer: Uint8Array | RequestFailure) => {
            clearTimeout(timer)
            replies.delete(reply)
            resolve(answer)
          }
          const timer = setTimeout(() => finish('silent'), ms)
          replies.set(reply, finish)
          if (publish(member, subject, bytes, reply) === 0 && !network.isLost(subject)) finish('nobody')
        })
      return {
        async start(handlers) {
          Object.assign(member, { onMessage: handlers.onMessage, onStateChange: handlers.onStateChange })
          members.add(member)
          handlers.onStateChange(true)
        },
        subscribe: (subject) => void member.subjects.add(subject),
        unsubscribe: (subject) => void member.subjects.delete(subject),
        publish(subject, bytes) {
          publish(member, subject, bytes)
          return !member.isCut
        },
        request,
        flush: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
        isUp: () => !member.isCut,
        setCut(isCut) {
          member.isCut = isCut
          member.onStateChange(!isCut)
        },
        close: async () => void members.delete(member),
      }
    },
  }
  return network
}

/** Whether a subscription, in which `*` stands for one level, matches a subject. */
const isMatch = (subscription: string, subject: string): boolean => {
  const levels = subscription.split('.')
  const subjectLevels = subject.split('.')
  return (
    levels.length === subjectLevels.length &&
    levels.every((level, i) => level === '*' || level === subjectLevels[i])
  )
}
