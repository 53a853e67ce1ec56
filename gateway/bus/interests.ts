import type { BusMessageType } from '../kernel/bus.ts'

/** Key of a company or home as part of a subject; `_` stands for the company itself. */
export const interestKey = ({ tenant, homeId }: BusMessageType): string => `${tenant}.${homeId ?? '_'}`

/** Key of all homes of a company. */
export const ALL_HOMES = '*'

/** Interests in messages: those of local screens, and of screens at other gateways. */
export function createInterests() {
  /** By name, number of local subscribers, and the time from which other gateways may not have known of the interest: epoch ms. */
  const here = new Map<string, { count: number; since: number }>()
  const elsewhere = new Map<string, Set<string>>()

  return {
    /**
     * Counts a local subscriber up or down. Returns whether it is the first, or was the last.
     *
     * since  time from which others may not know of the first, epoch ms; -Infinity if they still know
     */
    count(name: string, on: boolean, since: number): boolean {
      const before = here.get(name) ?? { count: 0, since }
      const count = before.count + (on ? 1 : -1)
      if (count > 0) here.set(name, { ...before, count })
      else here.delete(name)
      return on ? before.count === 0 : before.count === 1
    },
    /** Time since which a home's messages are wanted here, individually or as part of all homes; undefined if not wanted. */
    wantedSince({ tenant, homeId }: BusMessageType): number | undefined {
      const times = [homeId, ALL_HOMES].flatMap(
        (one) => here.get(interestKey({ tenant, homeId: one }))?.since ?? [],
      )
      return times.length > 0 ? Math.min(...times) : undefined
    },
    /** Names of all local interests. */
    here: (): string[] => [...here.keys()],

    /** Updates the interests of another gateway. */
    heard(
      gateway: string,
      { Add, Remove, All }: { Add: string[]; Remove: string[]; All?: boolean | undefined },
    ) {
      const theirs = All ? new Set<string>() : (elsewhere.get(gateway) ?? new Set<string>())
      for (const name of Add) theirs.add(name)
      for (const name of Remove) theirs.delete(name)
      elsewhere.set(gateway, theirs)
    },
    forget: (gateway: string): boolean => elsewhere.delete(gateway),
    gateways: (): string[] => [...elsewhere.keys()],

    wantedElsewhere(key: BusMessageType): boolean {
      const name = interestKey(key)
      const all = interestKey({ tenant: key.tenant, homeId: ALL_HOMES })
      for (const theirs of elsewhere.values())
        if (theirs.has(name) || (key.homeId !== null && theirs.has(all))) return true
      return false
    },
  }
}

export type Interests = ReturnType<typeof createInterests>
