import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Select } from 'antd'
import { useState, type FC } from 'react'
import type { Permission } from '../../../../contract/kernel/permissions.ts'
import { user } from '../../../../contract/people/user.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import {
  PERMISSION_TEMPLATES,
  templateOf,
  type TemplateName,
} from '../../../../contract/people/permission-templates.ts'
import { call, callQuery } from '../../../data/api.ts'
import { describeFailure } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useMay, useMe } from '../../../data/session.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import { useGrantable } from './permission-matrix-rules.ts'
import { Fold } from '../../../record-kit/fold.tsx'
import { TemplateCards } from './template-cards.tsx'
import styles from './permission-matrix.module.css'

interface Props {
  value?: readonly Permission[]
  onChange?: (next: Permission[]) => void
  /** Rights that the user already has; these may stay, regardless of who saves. */
  heldPermissions: readonly Permission[]
  /** CognitoId of the edited user, who is left out of the users to copy from. */
  of: string | undefined
  /** Template of the initial value, as far as the current user may grant it. */
  initialTemplate?: TemplateName
}

/** Templates and other users' rights to choose from, and the single rights below them. */
export const RightsField: FC<Props> = (props) => {
  const { value = [], onChange, heldPermissions, of, initialTemplate } = props
  const t = useT()
  const me = useMe()
  const mayRead = useMay('user', 'Read')
  const [search, setSearch] = useState('')
  /** Rights that were chosen last, including those that the current user may not grant. */
  const [requested, setRequested] = useState(initialTemplate && PERMISSION_TEMPLATES[initialTemplate])
  const [template, setTemplate] = useState(initialTemplate)
  const [failure, setFailure] = useState<unknown>()
  const otherUsers = useQuery({
    ...callQuery(user.operations.page, { Search: search.trim().slice(0, 100), Limit: 20 }),
    enabled: mayRead,
    placeholderData: keepPreviousData,
  })
  const { allowed, limit } = useGrantable(heldPermissions)
  const excludedCount = requested ? limit(requested).excludedCount : 0
  const apply = (permissions: readonly Permission[], from: TemplateName | undefined) => {
    setRequested(permissions)
    setTemplate(from)
    onChange?.(limit(permissions).permissions)
  }
  const copy = async (CognitoId: string) => {
    setFailure(undefined)
    try {
      apply((await call(user.operations.get, { CognitoId })).Permissions, undefined)
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <TemplateCards
        template={templateOf(value) ?? template}
        choose={(name) => apply(PERMISSION_TEMPLATES[name], name)}
        permissions={value}
      />
      {failure !== undefined && <Alert showIcon type="error" message={describeFailure(failure)} />}
      {excludedCount > 0 && (
        <Alert showIcon type="warning" message={t('people:rights.leftOut', { count: excludedCount })} />
      )}
      <Fold label={t('people:invite.adjust')}>
        {mayRead && (
          <Select
            showSearch
            filterOption={false}
            className={styles.copy ?? ''}
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
        <PermissionMatrix
          value={value}
          onChange={(next) => {
            setRequested(undefined)
            onChange?.(next)
          }}
          allowed={allowed}
        />
      </Fold>
    </>
  )
}
