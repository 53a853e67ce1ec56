import { hasText, t, type TKey } from '../lib/i18n/i18n.ts'
import type { Right } from '../../contract/kernel/permissions.ts'
import { callErrorIn } from './post.ts'

/** A refusal in the person's words: which right is missing and who can grant it. */
export const describeRight = ({ feature, operation }: Right): string =>
  t('errors:refused', {
    feature: t(`shell:features.${feature}`),
    operation: t(`shell:operations.${operation}`),
  })

/** Any failure in the person's words. */
export function describeFailure(error: unknown): string {
  const failed = callErrorIn(error)
  if (!failed) return t('errors:call.INTERNAL')
  if (failed.failure === 'PERMISSION_DENIED' && failed.missing) return describeRight(failed.missing)
  return t(`errors:call.${failed.failure}`)
}

/** Why something was not done to a record, as closely as the gateway says. */
export function describeRefusal(error: unknown): string {
  const [refused] = Object.entries(callErrorIn(error)?.fields ?? {})
  return refused ? describeField(refused[1], refused[0]) : describeFailure(error)
}

/** What support needs to find the failure again; undefined when there is nothing to copy. */
export function failureDetail(error: unknown): string | undefined {
  const failed = callErrorIn(error)
  if (failed) return failed.requestId && t('errors:reference', { id: failed.requestId })
  return error instanceof Error ? error.message : undefined
}

/** Words of refused fields, by path. */
export const describeFields = (refused: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(refused).map(([path, reason]) => [path, describeField(reason, path)]))

/** Fields that are a name: a department's is called as it is. */
const NAMES = /(^|\.)(\w*Name|Department)$/

/** Why a field was refused, a reason key of `errors.fields`, in words; of a name that is missing that a name is wanted (§5). */
export function describeField(reason: string, field = ''): string {
  const key = `errors:fields.${reason === 'required' && NAMES.test(field) ? 'name' : reason}`
  return t(hasText(key) ? key : ('errors:fields.invalid' satisfies TKey))
}
