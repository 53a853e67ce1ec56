import { describeField } from '../../../data/failure.ts'
import { hasText, useT } from '../../../lib/i18n/i18n.ts'

export interface ActionErrors {
  /** Error of the whole list. */
  listError: string | undefined
  /** Error messages by action index, then by path below the action; '' for the action itself. */
  rows: Readonly<Record<number, Readonly<Record<string, string>>>>
}

/** Returns a function that translates a reason code into a message. */
export function useReasonWords(): (reason: string) => string {
  const t = useT()
  return (reason) => {
    const key: string = `automation:actions.reasons.${reason}`
    return hasText(key) ? t(key) : describeField(reason)
  }
}

/** Error messages of one field of actions, grouped by action. */
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
  const listReason = reasons[name]
  return { listError: listReason === undefined ? undefined : words(listReason), rows }
}

/** Reasons that concern actions, picked from the reasons of all fields. */
export const actionReasons = (
  fields: Readonly<Record<string, string>>,
  name = 'Actions',
): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([path]) => path === name || path.startsWith(`${name}.`)))
