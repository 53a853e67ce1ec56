import type { TKey, TValues } from '../../../lib/i18n/i18n.ts'
import type { Comparison } from '../../../../contract/automation/comparison.ts'

/** A translation key with values, which may be phrases themselves. */
export interface Phrase {
  key: TKey
  values?: Readonly<Record<string, Part>>
}

/** A list of parts: `by` separates them, `last` precedes the last one. */
interface Row {
  parts: readonly Part[]
  by: TKey
  last?: TKey
}

export type Part = string | number | Phrase | Row

/** Text of a phrase in the language of `t`. */
export function formatPhrase(t: (key: TKey, values?: TValues) => string, part: Part): string {
  if (typeof part !== 'object') return String(part)
  if ('parts' in part)
    return part.parts
      .map((one) => formatPhrase(t, one))
      .reduce(
        (text, one, i) =>
          i === 0 ? one : text + t(part.last && i === part.parts.length - 1 ? part.last : part.by) + one,
        '',
      )
  const { key, values = {} } = part
  return t(
    key,
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'number' ? value : formatPhrase(t, value),
      ]),
    ),
  )
}

/** A text as the beginning of a line. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const phrase = (key: TKey, values?: Phrase['values']): Phrase => (values ? { key, values } : { key })

/** Parts as an enumeration with commas and "and". */
export const listed = (parts: readonly Part[]): Part => ({
  parts,
  by: 'screens:listComma',
  last: 'automation:rule.and',
})

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

/** Duration, s, in the largest unit that gives a whole number, or in minutes and seconds. */
export const durationOf = (seconds: number): Phrase =>
  seconds % 3600 === 0 && seconds > 0
    ? phrase('automation:rule.hours', { count: seconds / 3600 })
    : seconds % 60 === 0
      ? phrase('automation:rule.minutes', { count: seconds / 60 })
      : seconds < 60
        ? phrase('automation:rule.seconds', { count: seconds })
        : phrase('automation:rule.minutesSeconds', {
            minutes: Math.floor(seconds / 60),
            rest: phrase('automation:rule.seconds', { count: seconds % 60 }),
          })

/** Interval of something that repeats: "every minute", "every 30 seconds". */
export const intervalPhrase = (seconds: number): Phrase =>
  seconds === 60
    ? phrase('automation:rule.everyMinute')
    : phrase('automation:rule.every', { time: durationOf(seconds) })
