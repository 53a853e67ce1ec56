import { hasText, t, type TKey } from '../lib/i18n/i18n.ts'
import type { Right } from '../../contract/kernel/permissions.ts'
import { callErrorIn } from './post.ts'

/** Localized message about a missing right and who can grant it. */
export const describeRight = ({ feature, operation }: Right): string =>
  t('errors:refused', {
    feature: t(`shell:features.${feature}`),
    operation: t(`shell:operations.${operation}`),
  })

/** Localized message about any failure. */
export function describeFailure(error: unknown): string {
  const failed = callErrorIn(error)
  if (!failed) return t('errors:call.INTERNAL')
  if (failed.failure === 'PERMISSION_DENIED' && failed.missing) return describeRight(failed.missing)
  return t(`errors:call.${failed.failure}`)
}

/** Localized message about a rejected change, from the first rejected field if there is one. */
export function describeRefusal(error: unknown): string {
  const [refused] = Object.entries(callErrorIn(error)?.fields ?? {})
  return refused ? describeField(refused[1], refused[0]) : describeFailure(error)
}

/** Reference for support, e.g. the request id; undefined if there is none. */
export function failureDetail(error: unknown): string | undefined {
  const failed = callErrorIn(error)
  if (failed) return failed.requestId && t('errors:reference', { id: failed.requestId })
  return error instanceof Error ? error.message : undefined
}

/** Localized messages of rejected fields, by path. */
export const describeFields = (refused: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(refused).map(([path, reason]) => [path, describeField(reason, path)]))

/** Fields that contain a name. */
const NAMES = /(^|\.)(\w*Name|Department)$/

/** Localized message of a reason key of `errors.fields`; a missing name has its own message (§5). */
export function describeField(reason: string, field = ''): string {
  const key = `errors:fields.${reason === 'required' && NAMES.test(field) ? 'name' : reason}`
  return t(hasText(key) ? key : ('errors:fields.invalid' satisfies TKey))
}
