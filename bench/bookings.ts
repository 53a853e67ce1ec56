import { bookings as bookingCalls } from '../contract/bookings/calls.ts'
import { conferenceRoom } from '../contract/bookings/conference-room.ts'
import { signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'
import { cpuOf, descendantsOf } from './support/process-figures.ts'
import { percentile } from './support/statistics.ts'

export const name = 'bookings'
export const bar =
  '200 bookings of one slot at once: exactly one wins, every round; p99 of all answers under 1 s'

const AT_ONCE = 200
const HOUR = 3_600_000

/** Sends two hundred calls for the same hour of the same room together, round after round. */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt({ web: false })
  const gateway = await startGateway(await temporaryDirectory())
  const { call, token } = await signUpOwner(gateway.url)
  const room = await call(conferenceRoom.operations.create, { ConferenceRoomName: 'A', Capacity: 8 })
  const first = Math.ceil(Date.now() / HOUR) * HOUR + HOUR
  const times: number[] = []
  const winners: number[] = []
  const rounds = quick ? 5 : 20
  // The embedded database's processes come and go with its connections: those at the end count.
  const used = () => ({
    gateway: cpuOf(gateway.pid),
    database: descendantsOf(gateway.pid).reduce((sum, pid) => sum + cpuOf(pid), 0),
    load: process.cpuUsage(),
  })
  const before = used()
  for (let round = 0; round < rounds; round++) {
    const body = JSON.stringify({
      ConferenceRoomID: room.ConferenceRoomID,
      StartTimestamp: first + round * HOUR,
      EndTimestamp: first + (round + 1) * HOUR,
      Subject: 'The one slot',
      Attendees: ['guest@bench.example'],
    })
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const started = performance.now()
        const answer = await fetch(gateway.url + bookingCalls.add.path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body,
        })
        await answer.arrayBuffer()
        times.push(performance.now() - started)
        return answer.status
      }),
    )
    const unexpected = answers.filter((status) => status !== 200 && status !== 409)
    if (unexpected.length > 0)
      throw new Error(`Answers other than booked and taken: ${unexpected.join(', ')}`)
    winners.push(answers.filter((status) => status === 200).length)
  }
  const after = used()
  const calls = rounds * AT_ONCE
  const perCall = (name: 'gateway' | 'database') => Math.round((after[name] - before[name]) / calls)
  const { user, system } = process.cpuUsage(before.load)
  return [
    {
      what: `rounds of ${rounds} in which not exactly one of ${AT_ONCE} won`,
      value: winners.filter((count) => count !== 1).length,
      unit: '',
      bar: { of: 'value', max: 0 },
    },
    {
      what: `${AT_ONCE} bookings of one slot at once, p99 of the answers`,
      value: percentile(times, 0.99),
      unit: 'ms',
      bar: { of: 'value', max: 1000 },
      note: `median ${Math.round(percentile(times, 0.5))} ms`,
    },
    {
      what: '… CPU of gateway and database for one of them',
      value: perCall('gateway') + perCall('database'),
      unit: 'µs',
      note: `gateway ${perCall('gateway')}, database ${perCall('database')}; who asks ${Math.round((user + system) / calls)} µs`,
    },
  ]
}
