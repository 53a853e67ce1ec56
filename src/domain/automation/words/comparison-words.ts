import type { Comparison } from '../../../../contract/automation/comparison.ts'

/** Locale key of each comparison operator. */
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
