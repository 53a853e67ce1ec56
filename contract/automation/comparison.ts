/** How a value is compared; `changed` is of counters, e.g. a button's presses: true at each change. */
export const COMPARISONS = ['=', '!=', '>', '>=', '<', '<=', 'between', 'outside', 'changed'] as const
export type Comparison = (typeof COMPARISONS)[number]
