import type { NotificationChannel } from '../../../contract/notifications/notification-channel.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'

const toneOf = ({ Enabled, LastError, LastSentAt }: NotificationChannel): Tone =>
  !Enabled ? 'plain' : LastError ? 'warning' : LastSentAt === null ? 'plain' : 'good'

/** The channels of a company, with what came of the last message of each. */
export function useChannelColumns(): readonly (
  ListTableColumn<NotificationChannel> | keyof NotificationChannel
)[] {
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
