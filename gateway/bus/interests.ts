import type { BusMessageType } from '../kernel/bus.ts'

/** Key of a company or home as part of a subject; `_` stands for the company itself. */
export const interestKey = ({ tenant, homeId }: BusMessageType): string => `${tenant}.${homeId ?? '_'}`

/** Key of all homes of a company. */
export const ALL_HOMES = '*'

/** Interests in messages: those of local screens, and of screens at other gateways. */
export function createInterests() {
  /** By name, number of local subscribers, and the time from which other gateways may not have known of the interest: epoch ms. */
  const local = new Map<string, { count: number; since: number }>()
  const remote = new Map<string, Set<string>>()

  return {
    /**
     * Counts a local subscriber up or down. Returns whether it is the first, or was the last.
     *
     * since  time from which others may not know of the first, epoch ms; -Infinity if they still know
     */
    count(name: string, isInterested: boolean, since: number): boolean {
      const previous = local.get(name) ?? { count: 0, since }
      const count = previous.count + (isInterested ? 1 : -1)
      if (count > 0) local.set(name, { ...previous, count })
      else local.delete(name)
      return isInterested ? previous.count === 0 : previous.count === 1
    },
    /** Time since which a home's messages are wanted here, individually or as part of all homes; undefined if not wanted. */
    interestedSince({ tenant, homeId }: BusMessageType): number | undefined {
      const times = [homeId, ALL_HOMES].flatMap(
        (id) => local.get(interestKey({ tenant, homeId: id }))?.since ?? [],
      )
      return times.length > 0 ? Math.min(...times) : undefined
    },
    /** Names of all local interests. */
    localNames: (): string[] => [...local.keys()],

    /** Updates the interests of another gateway. */
    update(
      gateway: string,
      { Add, Remove, All }: { Add: string[]; Remove: string[]; All?: boolean | undefined },
    ) {
      const interests = All ? new Set<string>() : (remote.get(gateway) ?? new Set<string>())
      for (const name of Add) interests.add(name)
      for (const name of Remove) interests.delete(name)
      remote.set(gateway, interests)
    },
    remove: (gateway: string): boolean => remote.delete(gateway),
    gateways: (): string[] => [...remote.keys()],

    isWantedElsewhere(key: BusMessageType): boolean {
      const name = interestKey(key)
      const all = interestKey({ tenant: key.tenant, homeId: ALL_HOMES })
      for (const interests of remote.values())
        if (interests.has(name) || (key.homeId !== null && interests.has(all))) return true
      return false
    },
  }
}

export type Interests = ReturnType<typeof createInterests>
