import { t } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import type { ReachValue } from './reach-input.tsx'
import { TestChannel } from './test-channel.tsx'
import { useChannelColumns } from './use-channel-columns.tsx'
import { useChannelFields } from './use-channel-fields.tsx'

/** A company's ways out for what it is told: LINE, Teams and webhooks. Secrets are written and never shown. */
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
