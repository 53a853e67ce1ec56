/** Kinds of building in display order. */
export const BUILDING_KINDS = ['office', 'factory', 'shop', 'warehouse', 'other'] as const
export type BuildingKind = (typeof BUILDING_KINDS)[number]

/** Number of suggested rooms per kind; their names are in the locales, `resources:home.proposals.<kind>.r1` and so on. */
export const PROPOSED = { office: 6, factory: 6, shop: 4, warehouse: 4, other: 0 } as const satisfies Record<
  BuildingKind,
  number
>
