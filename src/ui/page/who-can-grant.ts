import type { Right } from '../../../contract/kernel/permissions.ts'
import { loadNamespaces } from '../../lib/i18n/i18n.ts'
import { plainPart } from './lazy.tsx'

/** Names of people who can grant a right, fetched only after a call was forbidden. */
export const WhoCanGrant = plainPart<{ right?: Right | undefined }>(async () => {
  const [part] = await Promise.all([import('./grantors.tsx'), loadNamespaces(['people'])])
  return part
})
