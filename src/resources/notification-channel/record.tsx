import { SendOutlined } from '@ant-design/icons'
import { Input, Radio, InputNumber, Switch } from 'antd'
import { Fragment, type ReactNode } from 'react'
import { z } from 'zod'
import { t, t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { notificationChannelCalls } from '../../../contract/notifications/notification-channel.ts'
import {
  NotificationChannel,
  CHANNEL_KINDS,
  notificationChannel,
  type ChannelKind,
} from '../../../contract/notifications/notification-channel.ts'
import { notices } from '../../data/notices.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { useHomes } from '../../data/homes.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { StateTag, type Tone } from '../../ui/tags/state-tag.tsx'
import page from '../../ui/page/page.module.css'
import { NOTIFICATION_CATEGORIES, NOTIFICATION_SEVERITIES } from '../../../contract/notifications/settings.ts'
import { LANGUAGES } from '../../lib/i18n/words.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { holdsLabel } from '../../lib/match-words.ts'

/** Address and credentials of a channel in the form. */
interface ReachValue {
  Kind: ChannelKind
  Address?: string
  Token?: string
  Target?: string
  /** Whether the channel already has its credentials, so that empty inputs keep them. */
  isKept?: boolean
}

const PARTS = {
  line: ['Token', 'Target'],
  teams: ['Address'],
  webhook: ['Address', 'Token'],
} as const satisfies Record<ChannelKind, readonly (keyof ReachValue)[]>

const { Address, Token, Target } = notificationChannel.operations.create.input.shape

/** Requires the parts that the kind of channel needs, unless they are stored. */
const reachRule = z
  .object({
    Kind: z.enum(CHANNEL_KINDS),
    Address,
    Token,
    Target,
    isKept: z.boolean().optional(),
  })
  .refine(({ Kind, isKept, ...parts }) => isKept || PARTS[Kind].every((part) => parts[part]), 'required')

interface Props {
  value?: ReachValue
  onChange?: (value: ReachValue) => void
}

/** Selects the kind of a channel and edits its parts. The kind of an existing channel is fixed. */
function ReachInput({ value = { Kind: 'line' }, onChange }: Props) {
  const t = useT()
  const { Kind, isKept = false } = value
  const label = {
    line: {
      Token: t('channels:reach.lineToken'),
      Target: t('channels:reach.lineTarget'),
    },
    teams: { Address: t('channels:reach.teamsAddress') },
    webhook: {
      Address: t('channels:reach.webhookAddress'),
      Token: t('channels:reach.webhookToken'),
    },
  }[Kind] as Record<string, string>
  const set = (part: keyof ReachValue, text: string) => {
    const { [part]: _, ...others } = value
    onChange?.((text === '' ? others : { ...others, [part]: text }) as ReachValue)
  }
  return (
    <div className={page.tightStack}>
      <Radio.Group
        {...{ role: 'radiogroup' }}
        aria-label={t('resources:notificationChannel.fields.Kind')}
        optionType="button"
        value={Kind}
        disabled={isKept}
        options={CHANNEL_KINDS.map((kind) => ({
          value: kind,
          label: t(`channels:kinds.${kind}`),
        }))}
        onChange={(event) => onChange?.({ Kind: event.target.value as ChannelKind })}
      />
      {PARTS[Kind].map((part) => (
        <label key={part} className={page.intro}>
          <span>{label[part]}</span>
          <Input
            value={value[part] ?? ''}
            autoComplete="off"
            maxLength={1024}
            {...(isKept && { placeholder: t('channels:reach.kept') })}
            onChange={(event) => set(part, event.target.value)}
          />
        </label>
      ))}
      <p className={page.note}>{t(`channels:hints.${Kind}`)}</p>
    </div>
  )
}

function useChannelFields(): readonly FormField[] {
  const t = useT()
  const homes = useHomes() ?? []
  return [
    'ChannelName',
    { name: 'Reach', input: <ReachInput />, rule: reachRule, isWide: true },
    {
      name: 'Categories',
      rule: NotificationChannel.shape.Categories,
      input: (
        <FormSelect
          mode="multiple"
          options={NOTIFICATION_CATEGORIES.map((value) => ({
            value,
            label: t(`screens:noticeCategories.${value}`),
          }))}
        />
      ),
    },
    {
      name: 'Least',
      rule: NotificationChannel.shape.Least,
      input: (
        <FormSelect
          options={NOTIFICATION_SEVERITIES.map((value) => ({
            value,
            label: t(`screens:severities.${value}`),
          }))}
        />
      ),
    },
    {
      name: 'HomeIDs',
      hint: t('channels:hints.homes'),
      input: (
        <FormSelect
          mode="multiple"
          filterOption={holdsLabel}
          options={homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))}
        />
      ),
    },
    {
      name: 'Language',
      rule: NotificationChannel.shape.Language,
      input: (
        <FormSelect
          options={LANGUAGES.map((value) => ({
            value,
            label: t(`channels:languages.${value}`),
          }))}
        />
      ),
    },
    {
      name: 'MonthlyBudget',
      hint: t('channels:hints.budget'),
      input: <InputNumber min={1} max={1_000_000} precision={0} />,
    },
    { name: 'Enabled', input: <Switch />, valuePropName: 'checked' },
  ]
}

const toneOf = ({ Enabled, LastError, LastSentAt }: NotificationChannel): Tone =>
  !Enabled ? 'plain' : LastError ? 'warning' : LastSentAt === null ? 'plain' : 'good'

/** Text whose host name wraps after a dot. */
const breakAfterDots = (text: string): ReactNode =>
  text.split(/(?<=\.)/).map((part, i) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts may be equal; their order is fixed
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))

/** Columns of the list of channels, with the outcome of the last message. */
function useChannelColumns(): readonly (ListTableColumn<NotificationChannel> | keyof NotificationChannel)[] {
  const t = useT()
  const homes = useHomes() ?? []
  const reachOf = ({ Kind, Hint }: NotificationChannel) => `${t(`channels:kinds.${Kind}`)} · ${Hint}`
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
      text: reachOf,
      render: (channel) => breakAfterDots(reachOf(channel)),
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
      text: ({ SentThisMonth: sentCount, MonthlyBudget: budget }) =>
        budget === null
          ? t('channels:sent', { sent: sentCount })
          : t('channels:sentOf', { sent: sentCount, budget }),
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
    presentation: 'modal',
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
  Menu: ({ row }) => <TestChannel channel={row} />,
  remove: { consequence: () => t('resources:notificationChannel.consequence') },
  bulk: 'remove',
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
