import { type SendDeps, type SendPorts, sendMessage, type ClaimedMessage, claimMessages } from './send.ts'

/** Most messages under way at a time, and of one lane. */
const AT_ONCE = 8
const OF_A_LANE = 2

/**
 * Sends what is due, several at a time: what is slow holds up no other.
 *
 * which  `life` sends what endangers life, `other` the rest, each with capacity of its own
 */
export function createPump(deps: SendDeps, ports: SendPorts, which: 'life' | 'other') {
  /** How many are under way of each lane. */
  const lanes = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  let closed = false
  let looking: Promise<void> | undefined
  let again = false

  /** Sends what is due as far as there is room, and looks again as soon as there is more. */
  function look(): Promise<void> {
    if (looking) again = !closed
    else
      looking = fill()
        .catch((err: unknown) => deps.log.warn({ err }, 'message queue failed, will retry'))
        .finally(() => {
          looking = undefined
        })
    return looking as Promise<void>
  }

  async function fill(): Promise<void> {
    do {
      again = false
      const most = AT_ONCE - underWay.size
      if (closed || most === 0) return
      const of = (count: number) => [...lanes].flatMap(([lane, busy]) => (busy === count ? [lane] : []))
      const taken = await claimMessages(deps, {
        which,
        most,
        perLane: OF_A_LANE,
        full: of(OF_A_LANE),
        half: of(1),
      })
      for (const one of taken) begin(one)
      again ||= taken.length > 0
    } while (again)
  }

  function begin(taken: ClaimedMessage): void {
    lanes.set(taken.lane, (lanes.get(taken.lane) ?? 0) + 1)
    const sending = sendMessage(deps, ports, taken)
      .catch((err: unknown) => deps.log.warn({ err, way: taken.way }, 'message not sent, will retry'))
      .finally(() => {
        underWay.delete(sending)
        const left = (lanes.get(taken.lane) ?? 1) - 1
        if (left > 0) lanes.set(taken.lane, left)
        else lanes.delete(taken.lane)
        void look()
      })
    underWay.add(sending)
  }

  /** Resolves when nothing is under way. */
  async function idle(): Promise<void> {
    await looking
    await Promise.all(underWay)
    if (looking || underWay.size > 0) await idle()
  }

  return {
    look,
    idle,
    /** Begins no more; resolves when what is under way has ended. */
    async close(): Promise<void> {
      closed = true
      await looking
      await Promise.all(underWay)
    },
  }
}
