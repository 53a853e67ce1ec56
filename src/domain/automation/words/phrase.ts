import type { TKey, TValues } from '../../../lib/i18n/i18n.ts'

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

export const phrase = (key: TKey, values?: Phrase['values']): Phrase => (values ? { key, values } : { key })

/** Parts as an enumeration with commas and "and". */
export const listed = (parts: readonly Part[]): Part => ({
  parts,
  by: 'screens:listComma',
  last: 'automation:rule.and',
})
