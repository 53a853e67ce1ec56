import type { Comparison } from '../../../../contract/automation/comparison.ts'

/** Each way to compare, as it is called in the locales. */
export const COMPARED = {
  '=': 'is',
  '!=': 'isNot',
  '>': 'above',
  '>=': 'atLeast',
  '<': 'below',
  '<=': 'atMost',
  between: 'between',
  outside: 'outside',
  changed: 'changed',
} as const satisfies Record<Comparison, string>
