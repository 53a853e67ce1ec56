import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Select } from 'antd'
import { useState, type FC } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { user } from '../../../../contract/people/user.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import {
  PERMISSION_TEMPLATES,
  TEMPLATE_NAMES,
  type TemplateName,
} from '../../../../contract/people/invitation-calls.ts'
import { call, callQuery } from '../../../data/api.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useMay, useMe } from '../../../data/session.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import { useGrantable } from './permission-matrix-rules.ts'
import page from '../../../ui/page/page.module.css'
import styles from './permission-matrix.module.css'

interface Props {
  value?: readonly Permission[]
  onChange?: (next: Permission[]) => void
  /** Rights that the user already has; these may stay, regardless of who saves. */
  heldPermissions: readonly Permission[]
  /** CognitoId of the edited user, who is left out of the users to copy from. */
  of: string | undefined
}

/** The matrix, with templates and other users' rights to start from. */
export const RightsField: FC<Props> = ({ value = [], onChange, heldPermissions, of }) => {
  const t = useT()
  const me = useMe()
  const mayRead = useMay('user', 'Read')
  const [search, setSearch] = useState('')
  const [excludedCount, setExcludedCount] = useState(0)
  const [failure, setFailure] = useState<unknown>()
  const otherUsers = useQuery({
    ...callQuery(user.operations.page, { Search: search.trim().slice(0, 100), Limit: 20 }),
    enabled: mayRead,
    placeholderData: keepPreviousData,
  })
  const { allowed, limit } = useGrantable(heldPermissions)
  const applyPermissions = (requested: readonly Permission[]) => {
    const limited = limit(requested)
    setExcludedCount(limited.excludedCount)
    onChange?.(limited.permissions)
  }
  const copy = async (CognitoId: string) => {
    setFailure(undefined)
    try {
      applyPermissions((await call(user.operations.get, { CognitoId })).Permissions)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <div className={`${page.buttons} ${page.below12} ${styles.start}`}>
        <Select
          value={null}
          placeholder={t('people:rights.template')}
          aria-label={t('people:rights.template')}
          options={TEMPLATE_NAMES.map((name) => ({ value: name, label: t(`people:templates.${name}`) }))}
          onChange={(name: TemplateName | null) => name && applyPermissions(PERMISSION_TEMPLATES[name])}
        />
        {mayRead && (
          <Select
            showSearch
            filterOption={false}
            value={null}
            placeholder={t('people:rights.copy')}
            aria-label={t('people:rights.copy')}
            loading={otherUsers.isFetching}
            notFoundContent={t('people:noMatch')}
            onSearch={setSearch}
            options={(otherUsers.data?.Rows ?? [])
              .filter(({ CognitoId }) => CognitoId !== of && CognitoId !== me?.RootCognitoId)
              .map((other) => ({
                value: other.CognitoId,
                label: t('people:rights.from', { name: displayName(other), count: other.Rights }),
              }))}
            onChange={(id: string | null) => {
              if (id) void copy(id)
            }}
          />
        )}
      </div>
      {failure !== undefined && <Alert showIcon type="error" message={describeFailure(failure)} />}
      {excludedCount > 0 && (
        <Alert showIcon type="warning" message={t('people:rights.leftOut', { count: excludedCount })} />
      )}
      <PermissionMatrix
        value={value}
        onChange={(next) => {
          setExcludedCount(0)
          onChange?.(next)
        }}
        allowed={allowed}
      />
    </>
  )
}
