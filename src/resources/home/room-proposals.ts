/** Kinds of building, in the order they are asked. */
export const BUILDING_KINDS = ['office', 'factory', 'shop', 'warehouse', 'other'] as const
export type BuildingKind = (typeof BUILDING_KINDS)[number]

/** How many rooms are proposed for each: their names stand in the locales, `resources:home.proposals.<kind>.1` and on. */
export const PROPOSED = { office: 6, factory: 6, shop: 4, warehouse: 4, other: 0 } as const satisfies Record<
  BuildingKind,
  number
>
