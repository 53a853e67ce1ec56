/** Comparisons of a value; `changed` applies to counters, e.g. a button's presses, and is true at each change. */
export const COMPARISONS = ['=', '!=', '>', '>=', '<', '<=', 'between', 'outside', 'changed'] as const
export type Comparison = (typeof COMPARISONS)[number]
