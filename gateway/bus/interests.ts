import type { BusMessageType } from './port.ts'

/** Whose news a key is of, as a part of a subject: a company's own under `_`. */
export const interestKey = ({ tenant, homeId }: BusMessageType): string => `${tenant}.${homeId ?? '_'}`

/** A key that stands for every home of a company. */
export const ALL_HOMES = '*'

/**
 * Who watches what: which news screens want here, and which gateways have screens that want some.
 */
export function createInterests() {
  /** By name, how many here want it, and from when the others may not have known: epoch ms. */
  const here = new Map<string, { count: number; since: number }>()
  const elsewhere = new Map<string, Set<string>>()

  return {
    /**
     * One more, or one less, hears of this here. Answers whether it is the first, or was the last.
     *
     * since  from when the others may not know of the first, epoch ms; -Infinity for what they still know
     */
    count(name: string, on: boolean, since: number): boolean {
      const before = here.get(name) ?? { count: 0, since }
      const count = before.count + (on ? 1 : -1)
      if (count > 0) here.set(name, { ...before, count })
      else here.delete(name)
      return on ? before.count === 0 : before.count === 1
    },
    /** Since when a home's news is wanted here, by itself or with all others; undefined for never. */
    wantedSince({ tenant, homeId }: BusMessageType): number | undefined {
      const times = [homeId, ALL_HOMES].flatMap(
        (one) => here.get(interestKey({ tenant, homeId: one }))?.since ?? [],
      )
      return times.length > 0 ? Math.min(...times) : undefined
    },
    /** All that is wanted here. */
    here: (): string[] => [...here.keys()],

    /** What another gateway says that its screens want. */
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
