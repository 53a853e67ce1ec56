import { Alert } from 'antd'
import type { FC } from 'react'
import type { Right } from '../../../contract/kernel/permissions.ts'
import { describeRight } from '../../data/failure.ts'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { WhoCanGrant } from './who-can-grant.ts'

/** Notice above a read-only form: the missing right, and who can grant it. */
export const MissingRight: FC<{ right: Right }> = ({ right }) => {
  useLanguage()
  return (
    <Alert
      showIcon
      type="info"
      style={{ marginBottom: 16 }}
      message={describeRight(right)}
      description={<WhoCanGrant right={right} />}
    />
  )
}
