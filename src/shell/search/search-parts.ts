import { pathOf, pathTo, type PathName } from '../../navigation/paths.ts'

/**
 * Searchable parts of pages: the page in the menu that contains the part, and its address: parameters of that page, or another page of
 * the same home.
 */
const PARTS = [
  { name: 'demand', on: 'Tariff', search: 'tab=demand' },
  { name: 'bill', on: 'Tariff', search: 'tab=bill' },
  { name: 'compare', on: 'Tariff', search: 'tab=compare' },
  { name: 'ownTariff', on: 'Tariff', search: 'tab=own' },
  { name: 'offPeakDays', on: 'Tariff', search: 'tab=rules' },
  { name: 'carbon', on: 'Tariff', search: 'tab=rules' },
  { name: 'replacement', on: 'Meters', search: 'tab=replace' },
  { name: 'correction', on: 'Meters', search: 'tab=correct' },
  { name: 'quarantined', on: 'Meters', search: 'tab=quarantined' },
  { name: 'virtualMeter', on: 'Meters', search: 'tab=virtual' },
  { name: 'import', on: 'Electricity', page: 'MeterImport' },
  { name: 'export', on: 'historyData', page: 'Export' },
] as const satisfies readonly ({ name: string; on: PathName } & ({ search: string } | { page: PathName }))[]

export type SearchedPart = (typeof PARTS)[number]['name']

/**
 * Parts of the pages that the user may open.
 *
 * pages  addresses of the menu, by page name
 */
export const partsOf = (
  pages: ReadonlyMap<PathName, string>,
): { name: SearchedPart; on: PathName; to: string }[] =>
  PARTS.flatMap((part) => {
    const address = pages.get(part.on)
    if (address === undefined) return []
    const to = 'page' in part ? pathTo(part.page, pathOf(address)?.params ?? {}) : `${address}?${part.search}`
    return [{ name: part.name, on: part.on, to }]
  })
