/** Cards that a person can arrange, in default order. The parts above them are fixed. */
export const CARDS = ['usage', 'day', 'ranking', 'categories', 'hubs'] as const
export type CardName = (typeof CARDS)[number]

/** A person's arrangement of the dashboard: all cards in order, and the hidden ones. */
export interface Arrangement {
  order: readonly CardName[]
  hidden: readonly CardName[]
}

export const DEFAULT_ARRANGEMENT: Arrangement = { order: CARDS, hidden: [] }

/** Value of the personal setting while nothing has been arranged (§3). */
const DEFAULT = 'DEFAULT'

const cardsIn = (value: unknown): CardName[] =>
  Array.isArray(value)
    ? [...new Set<unknown>(value)].flatMap((name) => CARDS.find((card) => card === name) ?? [])
    : []

/**
 * Arrangement in the personal setting CustomDashboard, e.g. `{"order":["usage","day"],"hidden":["hubs"]}`.
 *
 * special  cards that the setting does not list, e.g. those of a later version, follow in default order; unknown names are
 *          ignored; invalid text gives the default
 * source   §3 Personal config
 */
export function readArrangement(text: string): Arrangement {
  if (text === DEFAULT) return DEFAULT_ARRANGEMENT
  try {
    const parsed = JSON.parse(text) as { order?: unknown; hidden?: unknown } | null
    return { order: [...new Set([...cardsIn(parsed?.order), ...CARDS])], hidden: cardsIn(parsed?.hidden) }
  } catch {
    return DEFAULT_ARRANGEMENT
  }
}

/** Maximum number of dashboards shown as tabs. */
export const MAX_TABS = 12

/** Dashboards shown as tabs and the one that opens first: ids, null if the person has chosen none. */
export interface Tabs {
  start: string | null
  tabs: readonly string[] | null
}

/** Tabs in the personal setting, e.g. `{"start":"…","tabs":["…"]}`; it may also contain an arrangement of cards. */
export function readTabs(text: string): Tabs {
  try {
    const parsed = JSON.parse(text) as { start?: unknown; tabs?: unknown } | null
    const tabs = Array.isArray(parsed?.tabs) ? parsed.tabs.filter((id) => typeof id === 'string') : null
    return {
      start: typeof parsed?.start === 'string' ? parsed.start : null,
      tabs: tabs && [...new Set(tabs)].slice(0, MAX_TABS),
    }
  } catch {
    return { start: null, tabs: null }
  }
}

/** Text of the personal setting for an arrangement; keeps the tabs of `stored`. */
export const writeArrangement = (arrangement: Arrangement, stored = DEFAULT): string =>
  write(arrangement, readTabs(stored))

/** Text of the personal setting for tabs; keeps the arrangement of `stored`. */
export const writeTabs = (tabs: Tabs, stored: string): string => write(readArrangement(stored), tabs)

/** Omits defaults; if everything is default, the text is `DEFAULT`. */
function write({ order, hidden }: Arrangement, { start, tabs }: Tabs): string {
  const isDefault = hidden.length === 0 && order.every((name, i) => name === CARDS[i])
  const stored = {
    ...(!isDefault && { order, hidden }),
    ...(start !== null && { start }),
    ...(tabs !== null && { tabs }),
  }
  return Object.keys(stored).length === 0 ? DEFAULT : JSON.stringify(stored)
}
