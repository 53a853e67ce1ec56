import { describeField } from '../../../data/failure.ts'
import { hasText, useT } from '../../../lib/i18n/i18n.ts'

export interface ActionErrors {
  /** Of the actions as a whole. */
  whole: string | undefined
  /** By action, then by path below it, '' for the action itself; in words. */
  rows: Readonly<Record<number, Readonly<Record<string, string>>>>
}

/** What a reason means of an action, in words. */
export function useReasonWords(): (reason: string) => string {
  const t = useT()
  return (reason) => {
    const key: string = `automation:actions.reasons.${reason}`
    return hasText(key) ? t(key) : describeField(reason)
  }
}

/** The errors of one field of actions, by the action that each is about. */
export function errorsAt(
  reasons: Readonly<Record<string, string>>,
  name: string,
  words: (reason: string) => string,
): ActionErrors {
  const rows: Record<number, Record<string, string>> = {}
  for (const [path, reason] of Object.entries(reasons)) {
    const [field, index, ...rest] = path.split('.')
    if (field !== name || index === undefined) continue
    const row = (rows[Number(index)] ??= {})
    row[rest[0] === 'Values' ? rest.slice(0, 2).join('.') : (rest[0] ?? '')] = words(reason)
  }
  const whole = reasons[name]
  return { whole: whole === undefined ? undefined : words(whole), rows }
}

/** Of refused fields those that are about actions. */
export const actionReasons = (
  fields: Readonly<Record<string, string>>,
  name = 'Actions',
): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([path]) => path === name || path.startsWith(`${name}.`)))
