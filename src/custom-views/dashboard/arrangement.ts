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

/** Most dashboards that stand as tabs. */
export const MAX_TABS = 12

/** Which dashboards stand as tabs, and which one opens: ids, null where nobody has chosen. */
export interface Tabs {
  start: string | null
  tabs: readonly string[] | null
}

/** What the personal setting says of tabs, e.g. `{"start":"…","tabs":["…"]}`; also beside an arrangement of cards. */
export function readTabs(text: string): Tabs {
  try {
    const found = JSON.parse(text) as { start?: unknown; tabs?: unknown } | null
    const tabs = Array.isArray(found?.tabs) ? found.tabs.filter((id) => typeof id === 'string') : null
    return {
      start: typeof found?.start === 'string' ? found.start : null,
      tabs: tabs && [...new Set(tabs)].slice(0, MAX_TABS),
    }
  } catch {
    return { start: null, tabs: null }
  }
}

/** The text of the personal setting for an arrangement; what `kept` says of tabs stays. */
export const writeArrangement = (arrangement: Arrangement, kept = DEFAULT): string =>
  write(arrangement, readTabs(kept))

/** The text of the personal setting for tabs; how `kept` has the cards arranged stays. */
export const writeTabs = (tabs: Tabs, kept: string): string => write(readArrangement(kept), tabs)

/** What is as it was before anybody chose is left out; of nothing chosen the text is what it was then. */
function write({ order, hidden }: Arrangement, { start, tabs }: Tabs): string {
  const usual = hidden.length === 0 && order.every((name, i) => name === CARDS[i])
  const said = {
    ...(!usual && { order, hidden }),
    ...(start !== null && { start }),
    ...(tabs !== null && { tabs }),
  }
  return Object.keys(said).length === 0 ? DEFAULT : JSON.stringify(said)
}
