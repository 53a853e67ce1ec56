import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { FC } from 'react'
import { notificationChannel } from '../../../../contract/notifications/notification-channel.ts'
import { callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import type { Reasons } from '../rules/draft.ts'
import styles from './editor.module.css'
import { faultWithin, PartFault } from './field.tsx'
import { holdsLabel } from '../../../ui/inputs/holds-label.ts'

interface Props {
  /** Accessible label. */
  label: string
  /** NotificationChannelIDs. */
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Path of the field in the gateway's errors. */
  path: string
  reasons: Reasons
  disabled: boolean
}

/** Selects company channels that also receive the notification; a deleted channel is marked and can be removed. */
export const ChannelsField: FC<Props> = ({ label, value, onChange, path, reasons, disabled }) => {
  const t = useT()
  const mayRead = useMay('company', 'Read')
  const channels = useQuery({ ...callQuery(notificationChannel.operations.list, {}), enabled: mayRead })
  if (!mayRead)
    return value.length === 0 ? null : (
      <p className={page.hint}>{t('automation:rule.alarm.channelsHidden', { count: value.length })}</p>
    )
  const there = channels.data ?? []
  const gone = channels.data
    ? value.filter((id) => !there.some(({ NotificationChannelID }) => NotificationChannelID === id))
    : []
  const isNone = channels.data?.length === 0 && value.length === 0
  return (
    <div className={styles.channels}>
      <span className={page.small}>{t('automation:rule.alarm.channels')}</span>
      <Select<string[]>
        mode="multiple"
        showSearch
        filterOption={holdsLabel}
        disabled={disabled || isNone}
        aria-label={label}
        placeholder={t(
          isNone ? 'automation:rule.alarm.channelsNone' : 'automation:rule.alarm.channelsChoose',
        )}
        status={channels.isError ? 'error' : ''}
        loading={channels.isPending}
        value={[...value]}
        options={[
          ...there.map(({ NotificationChannelID, ChannelName }) => ({
            value: NotificationChannelID,
            label: ChannelName,
          })),
          ...gone.map((id) => ({ value: id, label: t('automation:rule.alarm.channelGone') })),
        ]}
        onChange={onChange}
      />
      <PartFault path={faultWithin(path, reasons)} reasons={reasons} />
    </div>
  )
}
