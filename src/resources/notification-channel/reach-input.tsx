import { Input, Radio } from 'antd'
import { z } from 'zod'
import {
  CHANNEL_KINDS,
  notificationChannel,
  type ChannelKind,
} from '../../../contract/notifications/notification-channel.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './reach-input.module.css'

/** Address and credentials of a channel in the form. */
export interface ReachValue {
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
export const reachRule = z
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
export function ReachInput({ value = { Kind: 'line' }, onChange }: Props) {
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
      <p className={styles.hint}>{t(`channels:hints.${Kind}`)}</p>
    </div>
  )
}
