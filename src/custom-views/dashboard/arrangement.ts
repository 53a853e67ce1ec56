/** Every card that a person arranges, in the order they stand in until somebody moves them. What is above them stays. */
export const CARDS = ['usage', 'day', 'ranking', 'categories', 'hubs'] as const
export type CardName = (typeof CARDS)[number]

/** How a person wants the dashboard: all cards in their order, and those that are not shown. */
export interface Arrangement {
  order: readonly CardName[]
  hidden: readonly CardName[]
}

export const DEFAULT_ARRANGEMENT: Arrangement = { order: CARDS, hidden: [] }

/** What the personal setting holds while nothing was arranged (§3). */
const DEFAULT = 'DEFAULT'

const cardsIn = (value: unknown): CardName[] =>
  Array.isArray(value)
    ? [...new Set<unknown>(value)].flatMap((name) => CARDS.find((one) => one === name) ?? [])
    : []

/**
 * The arrangement that the personal setting CustomDashboard holds, e.g. `{"order":["usage","day"],"hidden":["hubs"]}`.
 *
 * special  cards it does not name, e.g. those that came with a later version, follow in their usual order; names of no card
 *          are dropped; text that is no arrangement is the default
 * source   §3 Personal config
 */
export function readArrangement(text: string): Arrangement {
  if (text === DEFAULT) return DEFAULT_ARRANGEMENT
  try {
    const found = JSON.parse(text) as { order?: unknown; hidden?: unknown } | null
    return { order: [...new Set([...cardsIn(found?.order), ...CARDS])], hidden: cardsIn(found?.hidden) }
  } catch {
    return DEFAULT_ARRANGEMENT
  }
}

/** The text of the personal setting for an arrangement; that of the usual one is what it was before anybody arranged. */
export function writeArrangement({ order, hidden }: Arrangement): string {
  const usual = hidden.length === 0 && order.every((name, i) => name === CARDS[i])
  return usual ? DEFAULT : JSON.stringify({ order, hidden })
}
