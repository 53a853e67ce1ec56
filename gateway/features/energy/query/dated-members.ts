import { dayOf } from '../../../../contract/time/periods.ts'
import type { DayClock } from './day-plans.ts'
import type { MembershipPeriod, MeterGroups } from '../meters/meter-groups.ts'
import { EARLIEST, LATEST, type Member } from '../meters/members.ts'

/** Days within which meters change their place: no membership period contains them as a whole. */
export function daysWithMoves(epochs: readonly MembershipPeriod[], clock: DayClock): ReadonlySet<number> {
  const days = new Set<number>()
  for (const { from } of epochs) {
    if (from === -Infinity) continue
    const day = dayOf(from, clock.zone)
    if (clock.startOf(day) !== from) days.add(day)
  }
  return days
}

/** Cache: the lines stay the same object from call to call until a meter is moved. */
const known = new WeakMap<MeterGroups, { zone: string; members: readonly Member[] }>()

/** Members with the range of days on which each is a part for the whole day; without `days` if it always is. */
export function datedMembers(lines: MeterGroups, clock: DayClock): readonly Member[] {
  const [only] = lines.epochs
  if (only && lines.epochs.length === 1) return only.members
  const found = known.get(lines)
  if (found?.zone === clock.zone) return found.members
  const parts = new Map<string, (Member & { days: [number, number] })[]>()
  for (const { from, to, members } of lines.epochs) {
    const first = from === -Infinity ? EARLIEST : dayOf(from - 1, clock.zone) + 1
    const end = to === Infinity ? LATEST : dayOf(to, clock.zone)
    if (first >= end) continue
    for (const member of members) {
      const key = `${member.meterId} ${member.line} ${member.weight}`
      const of = parts.get(key) ?? []
      parts.set(key, of)
      const last = of.at(-1)
      if (last && last.days[1] === first) last.days[1] = end
      else of.push({ ...member, days: [first, end] })
    }
  }
  const members = [...parts.values()].flat().map(({ days, ...member }): Member => {
    const isAlways = days[0] === EARLIEST && days[1] === LATEST
    return isAlways ? member : { ...member, days }
  })
  known.set(lines, { zone: clock.zone, members })
  return members
}
