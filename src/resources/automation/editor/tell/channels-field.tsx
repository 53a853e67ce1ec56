import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { FC } from 'react'
import { notificationChannel } from '../../../../../contract/resources/notification-channel.ts'
import { callQuery } from '../../../../data/api.ts'
import { useMay } from '../../../../data/session.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import page from '../../../../ui/page/page.module.css'

interface Props {
  /** Whose channels they are, for who cannot see it. */
  label: string
  /** NotificationChannelIDs. */
  value: readonly string[]
  onChange: (value: string[]) => void
  disabled: boolean
}

/** The company's channels that are told as well; one that is gone is named so, and can be taken away. */
export const ChannelsField: FC<Props> = ({ label, value, onChange, disabled }) => {
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
  return (
    <Select<string[]>
      mode="multiple"
      showSearch
      optionFilterProp="label"
      disabled={disabled}
      aria-label={label}
      placeholder={t('automation:rule.alarm.channels')}
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
  )
}
