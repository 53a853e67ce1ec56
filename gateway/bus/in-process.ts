import type { Transport, RequestFailure } from '../kernel/bus.ts'

/** Member's end of the in-process network. */
interface Member {
  subjects: Set<string>
  hear: (subject: string, bytes: Uint8Array, reply: string | undefined) => void
  state: (isUp: boolean) => void
  /** Disconnected: nothing is sent or received. */
  cut: boolean
}

export interface InProcessNetwork {
  join(): Transport & {
    /** Disconnects or reconnects this member. */
    cut(isCut: boolean): void
  }
  /** Returns true for subjects whose messages are lost. */
  loses: (subject: string) => boolean
}

/** In-process network for tests: like a real one, it delivers asynchronously, in order, and once to each subscriber. */
export function createNetwork(): InProcessNetwork {
  const members = new Set<Member>()
  const replies = new Map<string, (bytes: Uint8Array) => void>()
  let requestCount = 0

  function publish(from: Member, subject: string, bytes: Uint8Array, reply?: string): number {
    if (from.cut || network.loses(subject)) return 0
    const answer = replies.get(subject)
    if (answer) {
      setImmediate(answer, bytes)
      return 1
    }
    const receivers = [...members].filter(
      (member) =>
        member !== from &&
        !member.cut &&
        [...member.subjects].some((subscription) => isMatch(subscription, subject)),
    )
    for (const member of receivers)
      setImmediate(() => {
        if (!member.cut && members.has(member)) member.hear(subject, bytes, reply)
      })
    return receivers.length
  }

  const network: InProcessNetwork = {
    loses: () => false,
    join() {
      const member: Member = { subjects: new Set(), hear: () => {}, state: () => {}, cut: false }
      const request = (subject: string, bytes: Uint8Array, ms: number) =>
        new Promise<Uint8Array | RequestFailure>((resolve) => {
          if (member.cut) return resolve('away')
          const reply = `reply.${++requestCount}`
          const finish = (answer: Uint8Array | RequestFailure) => {
            clearTimeout(timer)
            replies.delete(reply)
            resolve(answer)
          }
          const timer = setTimeout(() => finish('silent'), ms)
          replies.set(reply, finish)
          if (publish(member, subject, bytes, reply) === 0 && !network.loses(subject)) finish('nobody')
        })
      return {
        async start(on) {
          Object.assign(member, { hear: on.message, state: on.state })
          members.add(member)
          on.state(true)
        },
        subscribe: (subject) => void member.subjects.add(subject),
        unsubscribe: (subject) => void member.subjects.delete(subject),
        publish(subject, bytes) {
          publish(member, subject, bytes)
          return !member.cut
        },
        request,
        flush: () => new Promise((resolve) => setImmediate(() => setImmediate(resolve))),
        isUp: () => !member.cut,
        cut(on) {
          member.cut = on
          member.state(!on)
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
