import { useQuery } from '@tanstack/react-query'
import type { FC } from 'react'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { people } from '../../../contract/people/calls.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'

/** Names of people who can grant a missing right; nothing if they cannot be fetched. */
const Grantors: FC<{ right?: Right | undefined }> = ({ right }) => {
  const t = useT()
  const { data } = useQuery(
    callQuery(
      people.listGrantors,
      right ? { Right: { FeatureKey: right.feature, Operation: right.operation } } : {},
    ),
  )
  if (!data?.length) return null
  return t('people:grantors', { names: data.map(({ Name }) => Name).join(t('people:comma')) })
}
export default Grantors
