import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBus } from '../../../gateway/bus/bus.ts'
import type { BusMetrics } from '../../../gateway/bus/metrics.ts'
import type {
  BusResponse,
  Bus,
  BusMessage,
  BusNotice,
  BusRequest,
  Transport,
} from '../../../gateway/kernel/bus.ts'
import { type BusRefusal, sealMessage } from '../../../gateway/bus/seal.ts'
import { createLogBook } from '../../support/log-book.ts'
import { createSteadyClock, type SteadyClock } from '../../support/steady-clock.ts'
import { PATIENT } from '../../support/patient.ts'

/** Network that gateways join. */
export interface Rig {
  join(): Promise<Transport & { setCut(isCut: boolean): Promise<void> | void }>
  stop(): Promise<void>
}

const TENANT = '11111111-1111-4111-8111-111111111111'
const home = (homeId: string | null) => ({ tenant: TENANT, homeId })
const CARRIED = {
  tenant: TENANT,
  RequestID: 'r',
  PeripheralUID: 'u',
  HomeID: 'h',
  ThingName: 't',
  RequestedAt: 1,
}
const news = (text: string): BusMessage => ({
  Topic: `${TENANT}/home-1/statusChange`,
  Payload: { text },
  Qos: 0,
})
const idOf = (n: number) => `g-${String(n).padStart(14, '0')}`

/** Gateway with only its bus. */
interface Member {
  id: string
  bus: Bus
  transport: Awaited<ReturnType<Rig['join']>>
  news: string[]
  notices: BusNotice[]
  gaps: boolean[]
  /** Number of hubs connected to it. */
  hubs: number
  refused: BusRefusal[]
  /** Whether messages published now are lost in transit. */
  losesPart: (() => boolean) | undefined
  /** Whether the network rejects the next publish. */
  refusesNext: boolean
  answer: (asked: BusRequest) => Promise<BusResponse>
}

export function behavesAsABus(open: () => Promise<Rig>) {
  describe('a bus', () => {
    let rig: Rig
    let clock: SteadyClock
    let members: Member[]
    /** Gateways recently seen by the database. */
    let living: string[]
    beforeEach(async () => {
      rig = await open()
      clock = createSteadyClock()
      members = []
      living = []
    })
    afterEach(async () => {
      for (const { bus } of members) await bus.close()
      clock.stop()
      await rig.stop()
    })

    async function join(): Promise<Member> {
      const id = idOf(members.length + 1)
      const joined = await rig.join()
      const transport: typeof joined = {
        ...joined,
        publish(subject, bytes) {
          if (member.losesPart?.()) return true
          if (!member.refusesNext) return joined.publish(subject, bytes)
          member.refusesNext = false
          return false
        },
      }
      const refused: BusRefusal[] = []
      const metrics: BusMetrics = {
        recordSent: () => {},
        recordReceived: () => {},
        recordRejection: (reason) => refused.push(reason),
        recordGap: () => {},
        startRequest: () => () => {},
        setSource: () => {},
      }
      living.push(id)
      const bus = createBus({
        transport,
        peers: {
          readOwnId: () => id,
          others: () => living.flatMap((one) => (one === id ? [] : [{ id: one, age: 0 }])),
          isKnown: async (one) => living.includes(one),
          reachesDatabase: () => true,
          countHubs: () => member.hubs,
        },
        installation: 'test',
        key: Buffer.alloc(32, 1),
        clock,
        log: createLogBook(),
        metrics,
      })
      const member: Member = {
        id,
        bus,
        transport,
        news: [],
        notices: [],
        gaps: [],
        hubs: 0,
        refused,
        losesPart: undefined,
        refusesNext: false,
        answer: async () => ({ carried: 'sent' }),
      }
      members.push(member)
      await bus.start({
        onRequest: (asked) => member.answer(asked),
        onNotice: (notice) => void member.notices.push(notice),
        onMessage: ({ Payload }) => void member.news.push((Payload as { text: string }).text),
        onGap: ({ isOver }) => void member.gaps.push(isOver),
      })
      return member
    }
    /** Two members that have received each other's heartbeat. */
    async function joinTwo(): Promise<[Member, Member]> {
      const two: [Member, Member] = [await join(), await join()]
      for (const { bus } of two)
        await vi.waitFor(() => expect(bus.othersReachDatabase() && !bus.currentGap()).toBe(true), PATIENT)
      for (const { gaps } of two) gaps.length = 0
      return two
    }
    const wanted = (bus: Bus, homeId: string | null) =>
      vi.waitFor(() => expect(bus.isWantedElsewhere(home(homeId))).toBe(true), PATIENT)

    it('brings news once, in order, to those whose screens want them, and to nobody else', async () => {
      const [one, two] = await joinTwo()
      const three = await join()
      await vi.waitFor(() => expect(three.bus.othersReachDatabase()).toBe(true), PATIENT)
      expect(one.bus.isWantedElsewhere(home('home-1'))).toBe(false)
      await two.bus.setInterest(home('home-1'), true)
      await two.bus.setInterest(home('*'), true)
      await three.bus.setInterest(home('home-2'), true)
      await wanted(one.bus, 'home-1')
      await wanted(one.bus, 'home-2')
      for (let i = 0; i < 20; i++) one.bus.publish(home('home-1'), news(String(i)))
      await vi.waitFor(() => expect(two.news).toHaveLength(20), PATIENT)
      expect(two.news).toEqual(Array.from({ length: 20 }, (_, i) => String(i)))
      expect(three.news).toEqual([])
    })

    it('says of what is wanted since a moment that others may not know of it, but not of what they still know', async () => {
      const alone = await join()
      await alone.bus.setInterest(home('home-1'), true)
      expect(alone.bus.isNewInterest(home('home-1'))).toBe(false)
      const other = await join()
      for (const { bus } of [alone, other])
        await vi.waitFor(() => expect(bus.othersReachDatabase()).toBe(true), PATIENT)
      await other.bus.setInterest(home('home-2'), true)
      expect(other.bus.isNewInterest(home('home-2'))).toBe(true)
      expect(other.bus.isNewInterest(home('home-3'))).toBe(false)
      await other.bus.setInterest(home('home-2'), false)
      expect(other.bus.isNewInterest(home('home-2'))).toBe(false)
      await other.bus.setInterest(home('home-2'), true)
      expect(other.bus.isNewInterest(home('home-2'))).toBe(false)
    })

    it('brings what is longer than the network takes, whole and in its order, and says so where a part is lost', async () => {
      const [one, two] = await joinTwo()
      await two.bus.setInterest(home('home-1'), true)
      await wanted(one.bus, 'home-1')
      const long = (length: number) => '電'.repeat(Math.floor(length / 3))
      const texts = [long(3_900_000), 'short', long(1_048_500), long(2_000_000)]
      for (const text of texts) one.bus.publish(home('home-1'), news(text))
      await vi.waitFor(() => expect(two.news).toHaveLength(4), PATIENT)
      expect(two.news.every((text, i) => text === texts[i])).toBe(true)
      expect([one.refused, two.refused, two.gaps]).toEqual([[], [], []])

      one.bus.publish(home('home-1'), news(long(4_200_000)))
      expect(one.refused).toEqual(['size'])

      let published = 0
      one.losesPart = () => ++published === 2
      one.bus.publish(home('home-1'), news(long(3_000_000)))
      one.losesPart = undefined
      await vi.waitFor(() => expect(two.gaps).toEqual([false, true]), PATIENT)
      expect(two.refused).toContain('part')
      one.bus.publish(home('home-1'), news('after it'))
      await vi.waitFor(() => expect(two.news.at(-1)).toBe('after it'), PATIENT)
      expect(two.news).toHaveLength(5)
    })

    it('tells one gateway, or all others', async () => {
      const [one, two] = await joinTwo()
      const three = await join()
      await vi.waitFor(() => expect(three.bus.othersReachDatabase()).toBe(true), PATIENT)
      const forget = (tenant: string): BusNotice => ({ forget: { tenant, uids: null } })
      one.bus.sendNotice(forget('of-all'))
      one.bus.sendNotice(forget('of-two'), two.id)
      await vi.waitFor(() => expect(two.notices).toEqual([forget('of-all'), forget('of-two')]), PATIENT)
      await vi.waitFor(() => expect(three.notices).toEqual([forget('of-all')]), PATIENT)
      expect(one.notices).toEqual([])
    })

    it('answers questions, and says so when nobody is there, nobody answers, or it is cut off', async () => {
      const [one, two] = await joinTwo()
      const asked: BusRequest = { carry: CARRIED }
      two.answer = async ({ carry }) => ({ carried: carry.RequestID === 'r' ? 'gone' : 'sent' })
      expect(await one.bus.request(two.id, asked, 1_000)).toEqual({ carried: 'gone' })
      expect(await one.bus.request(idOf(99), asked, 1_000)).toBe('nobody')
      two.answer = () => new Promise(() => {})
      expect(await one.bus.request(two.id, asked, 100)).toBe('silent')
      await one.transport.setCut(true)
      await vi.waitFor(async () => expect(await one.bus.request(two.id, asked, 100)).toBe('away'), PATIENT)
    })

    it('knows how many hubs each other has, and does not while one is not heard', async () => {
      const [one, two] = await joinTwo()
      two.hubs = 7
      await vi.waitFor(() => expect(one.bus.remoteHubCounts()).toEqual([7]), PATIENT)
      await two.transport.setCut(true)
      await vi.waitFor(() => expect(one.bus.remoteHubCounts()).toBeUndefined(), PATIENT)
      expect(two.bus.remoteHubCounts()).toBeUndefined()
    })

    it('tells of a gap while a gateway is cut off, at both sides, and when it is over', async () => {
      const [one, two] = await joinTwo()
      await two.transport.setCut(true)
      await vi.waitFor(() => expect([one.gaps, two.gaps]).toEqual([[false], [false]]), PATIENT)
      // A topic wanted during the outage is known after the reconnect.
      await two.bus.setInterest(home('home-7'), true)
      await two.transport.setCut(false)
      await vi.waitFor(
        () =>
          expect([one.gaps, two.gaps]).toEqual([
            [false, true],
            [false, true],
          ]),
        PATIENT,
      )
      await wanted(one.bus, 'home-7')
    })

    it('tells the others of a gap when a gateway was cut off for less than a beat: its last news may be lost', async () => {
      const [one, two] = await joinTwo()
      await one.transport.setCut(true)
      await one.transport.setCut(false)
      await vi.waitFor(() => expect(two.gaps).toEqual([false, true]), PATIENT)
    })

    it('tells the others of a gap when the network did not take what was sent', async () => {
      const [one, two] = await joinTwo()
      await two.bus.setInterest(home('home-1'), true)
      await wanted(one.bus, 'home-1')
      one.refusesNext = true
      one.bus.publish(home('home-1'), news('lost'))
      await vi.waitFor(() => expect(two.gaps).toEqual([false, true]), PATIENT)
      expect(one.refused).toEqual(['pending'])
      expect(two.news).toEqual([])
    })

    it('drops and counts what is of nobody of this database, forged, old or no message', async () => {
      const [one, two] = await joinTwo()
      const stranger = await rig.join()
      await stranger.start({ onMessage: () => {}, onStateChange: () => {} })
      const subject = 'bd.test.all'
      const send = (id: string, no: number, body: unknown, key = Buffer.alloc(32, 1)) => {
        const bytes = typeof body === 'string' ? body : JSON.stringify(body)
        stranger.publish(subject, sealMessage(key, subject, id, no, Buffer.from(bytes)))
      }
      const notice = { forget: { tenant: 'x', uids: null } }
      send(two.id, 1e9, notice, Buffer.alloc(32, 2))
      send(idOf(98), 1, notice)
      send(two.id, 1, notice)
      send(two.id, 1e9, '{"no JSON')
      send(two.id, 1e9 + 1, { unheard: {} })
      stranger.publish(subject, Buffer.from('short'))
      await vi.waitFor(
        () => expect([...new Set(one.refused)].toSorted()).toEqual(['hmac', 'malformed', 'old', 'sender']),
        PATIENT,
      )
      expect(one.notices).toEqual([])
      await stranger.close()
    })

    it('understands a gateway of a later version: what it says besides is left out, what is new as a whole passed over', async () => {
      const [one, two] = await joinTwo()
      const forget = { tenant: 'x', uids: null }
      const later = (notice: object) => two.bus.sendNotice(notice as BusNotice)
      later({ arrived: { Later: true } })
      later({ forget: { ...forget, because: 'of a later version' }, also: 1 })
      await vi.waitFor(() => expect(one.notices).toEqual([{ forget }]), PATIENT)
      expect(one.refused).toEqual(['malformed'])
      one.answer = async () => ({ carried: 'sent', besides: 1 }) as BusResponse
      const carry = { ...CARRIED, Urgent: true }
      expect(await two.bus.request(one.id, { carry }, 5_000)).toEqual({ carried: 'sent' })
    })
  })
}
