import { t, t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import type { ReachValue } from './reach-input.tsx'
import { useChannelFields } from './use-channel-fields.tsx'
import { SendOutlined } from '@ant-design/icons'
import {
  notificationChannelCalls,
  type NotificationChannel,
} from '../../../contract/notifications/notification-channel.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { useHomes } from '../../data/homes.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'

const toneOf = ({ Enabled, LastError, LastSentAt }: NotificationChannel): Tone =>
  !Enabled ? 'plain' : LastError ? 'warning' : LastSentAt === null ? 'plain' : 'good'

/** Columns of the list of channels, with the outcome of the last message. */
function useChannelColumns(): readonly (ListTableColumn<NotificationChannel> | keyof NotificationChannel)[] {
  const t = useT()
  const homes = useHomes() ?? []
  const stateOf = ({ Enabled, LastError, LastSentAt }: NotificationChannel) =>
    !Enabled
      ? t('channels:states.off')
      : LastError
        ? t(`channels:errors.${LastError}`)
        : t(`channels:states.${LastSentAt === null ? 'ready' : 'sent'}`)
  return [
    'ChannelName',
    {
      key: 'Kind',
      text: ({ Kind, Hint }) => `${t(`channels:kinds.${Kind}`)} · ${Hint}`,
    },
    {
      key: 'Categories',
      text: ({ Categories }) =>
        Categories.map((category) => t(`screens:noticeCategories.${category}`)).join('、'),
    },
    { key: 'Least', text: ({ Least }) => t(`screens:severities.${Least}`), width: 96 },
    {
      key: 'HomeIDs',
      text: ({ HomeIDs }) =>
        HomeIDs.map((id) => homes.find(({ HomeID }) => HomeID === id)?.HomeName ?? id).join('、') ||
        t('channels:allHomes'),
    },
    {
      key: 'MonthlyBudget',
      text: ({ SentThisMonth: sent, MonthlyBudget: budget }) =>
        budget === null ? t('channels:sent', { sent }) : t('channels:sentOf', { sent, budget }),
    },
    {
      key: 'state',
      text: stateOf,
      render: (channel) => <StateTag tone={toneOf(channel)}>{stateOf(channel)}</StateTag>,
      width: 160,
    },
  ]
}

/** Notification channels of a company: LINE, Teams and webhooks. Secrets are write-only. */
export default defineRecord({
  resource: 'notificationChannel',
  columns: useChannelColumns,
  form: {
    as: 'modal',
    fields: useChannelFields,
    initial: {
      Reach: { Kind: 'line' },
      Enabled: true,
      Language: 'zh-TW',
      Categories: ['alarm', 'guard'],
      Least: 'critical',
      HomeIDs: [],
      MonthlyBudget: null,
    },
    toForm: (record) => ({ ...record, Reach: { Kind: record.Kind, isKept: true } }),
    toInput: ({ Reach, ...values }) => {
      const { isKept: _, ...reach } = (Reach ?? {}) as ReachValue
      return { ...values, ...reach, MonthlyBudget: values['MonthlyBudget'] ?? null }
    },
    names: { Kind: 'Reach', Address: 'Reach', Token: 'Reach', Target: 'Reach' },
  },
  Actions: ({ row }) => <TestChannel channel={row} />,
  actionsWidth: 176,
  remove: { consequence: () => t('resources:notificationChannel.consequence') },
  many: 'remove',
})

/** Button that sends a test message through a channel and shows the outcome. */
function TestChannel({ channel }: { channel: NotificationChannel }) {
  const t = useT()
  const may = useMay('company', 'Update')
  const { busy, run } = useAction(notificationChannelCalls.test)
  if (!may) return null
  const { NotificationChannelID, ChannelName: name } = channel
  async function test() {
    const answer = await run({ NotificationChannelID })
    if (!answer) return
    const { Sent, Error: fault } = answer
    if (Sent) return notices.success(() => tNow('channels:test.sent'))
    notices.error(() =>
      tNow('channels:test.failed', {
        reason: fault ? tNow(`channels:errors.${fault}`) : '',
      }),
    )
  }
  return (
    <IconButton
      icon={<SendOutlined />}
      disabled={busy}
      label={t('channels:test.press', { name })}
      onPress={() => void test()}
    />
  )
}
