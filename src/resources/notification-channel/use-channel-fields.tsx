import { InputNumber, Switch } from 'antd'
import { NOTIFICATION_CATEGORIES, NOTIFICATION_SEVERITIES } from '../../../contract/notifications/settings.ts'
import { NotificationChannel } from '../../../contract/notifications/notification-channel.ts'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { LANGUAGES } from '../../lib/i18n/words.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { ReachInput, reachRule } from './reach-input.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

export function useChannelFields(): readonly FormField[] {
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
