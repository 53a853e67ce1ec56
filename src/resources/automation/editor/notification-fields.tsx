import { Input, Select, Radio, Checkbox } from 'antd'
import type { FC } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Field, type PartProps, faultWithin, PartFault } from './field.tsx'
import { notificationChannel } from '../../../../contract/notifications/notification-channel.ts'
import { callQuery } from '../../../data/api.ts'
import { useMay } from '../../../data/session.ts'
import page from '../../../ui/page/page.module.css'
import type { Reasons } from '../rules/draft.ts'
import { holdsLabel } from '../../../lib/match-words.ts'
import { department } from '../../../../contract/people/department.ts'
import { user } from '../../../../contract/people/user.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import type { Recipients } from '../../../../contract/automation/alarm-part.ts'

interface RecipientsFieldProps {
  /** Accessible label. */
  label: string
  value: Recipients
  onChange: (value: Recipients) => void
  /** Path of the field in the gateway's errors. */
  path: string
  reasons: Reasons
  disabled: boolean
}

/** Recipients: all users who may read the subject, or selected users and departments. */
export const RecipientsField: FC<RecipientsFieldProps> = ({
  label,
  value,
  onChange,
  path,
  reasons,
  disabled,
}) => {
  const t = useT()
  const isChosen = value !== 'readers'
  return (
    <div className={page.tightStack}>
      <Radio.Group
        aria-label={label}
        disabled={disabled}
        value={isChosen}
        options={[
          { value: false, label: t('automation:rule.tell.readers') },
          { value: true, label: t('automation:rule.tell.chosen') },
        ]}
        onChange={({ target }) => onChange(target.value ? { Users: [], Departments: [] } : 'readers')}
      />
      {isChosen && <Chosen label={label} value={value} onChange={onChange} disabled={disabled} />}
      <PartFault path={faultWithin(path, reasons)} reasons={reasons} />
    </div>
  )
}

interface ChosenProps extends Pick<RecipientsFieldProps, 'label' | 'disabled'> {
  value: Exclude<Recipients, 'readers'>
  onChange: (value: Recipients) => void
}

function Chosen({ label, value, onChange, disabled }: ChosenProps) {
  const t = useT()
  const mayRead = useMay('user', 'Read')
  const people = useQuery({ ...callQuery(user.operations.list, {}), enabled: mayRead })
  const departments = useQuery({ ...callQuery(department.operations.list, {}), enabled: mayRead })
  if (!mayRead)
    return (
      <p className={page.hint}>
        {t('automation:rule.tell.hidden', { count: value.Users.length + value.Departments.length })}
      </p>
    )
  const shared = { mode: 'multiple', disabled, filterOption: holdsLabel, showSearch: true } as const
  return (
    <>
      <Select<string[]>
        {...shared}
        aria-label={t('automation:rule.tell.of', { label, what: t('automation:rule.tell.people') })}
        placeholder={t('automation:rule.tell.people')}
        loading={people.isPending}
        value={value.Users}
        options={(people.data ?? []).map((person) => ({
          value: person.CognitoId,
          label: displayName(person),
        }))}
        onChange={(Users) => onChange({ ...value, Users })}
      />
      <Select<string[]>
        {...shared}
        aria-label={t('automation:rule.tell.of', { label, what: t('automation:rule.tell.departments') })}
        placeholder={t('automation:rule.tell.departments')}
        loading={departments.isPending}
        value={value.Departments}
        options={(departments.data ?? []).map(({ DepartmentID, Department }) => ({
          value: DepartmentID,
          label: Department,
        }))}
        onChange={(Departments) => onChange({ ...value, Departments })}
      />
    </>
  )
}

/** Recipients of a notification, and its additional text. */
export const NotificationFields: FC<PartProps> = ({ draft: { Notify }, change, reasons, disabled }) => {
  const t = useT()
  return (
    <>
      <Field label={t('automation:rule.tell.to')} isWide>
        <RecipientsField
          label={t('automation:rule.tell.to')}
          path="Notify.To"
          value={Notify.To}
          reasons={reasons}
          disabled={disabled}
          onChange={(To) => change({ Notify: { ...Notify, To } })}
        />
      </Field>
      <Field
        isWide
        label={t('automation:rule.tell.text')}
        path="Notify.Text"
        reasons={reasons}
        hint={t('automation:rule.tell.textHint')}
      >
        <Input.TextArea
          autoSize
          aria-label={t('automation:rule.tell.text')}
          disabled={disabled}
          maxLength={500}
          value={Notify.Text}
          onChange={({ target }) => change({ Notify: { ...Notify, Text: target.value } })}
        />
      </Field>
    </>
  )
}

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
  const existingChannels = channels.data ?? []
  const deletedIds = channels.data
    ? value.filter(
        (id) => !existingChannels.some(({ NotificationChannelID }) => NotificationChannelID === id),
      )
    : []
  const isNone = channels.data?.length === 0 && value.length === 0
  return (
    <div className={`${page.field} ${page.above16}`}>
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
          ...existingChannels.map(({ NotificationChannelID, ChannelName }) => ({
            value: NotificationChannelID,
            label: ChannelName,
          })),
          ...deletedIds.map((id) => ({ value: id, label: t('automation:rule.alarm.channelGone') })),
        ]}
        onChange={onChange}
      />
      <PartFault path={faultWithin(path, reasons)} reasons={reasons} />
    </div>
  )
}

/** Whether a schedule or smart link sends a notification when it runs, and its recipients. */
export const RunNotificationField: FC<PartProps> = (props) => {
  const t = useT()
  const { draft, change, disabled } = props
  return (
    <div className={page.fields}>
      <Checkbox
        className={page.wholeRow ?? ''}
        disabled={disabled}
        checked={draft.notifies}
        onChange={({ target }) => change({ notifies: target.checked })}
      >
        {t('automation:rule.tell.ofRun')}
      </Checkbox>
      {draft.notifies && <NotificationFields {...props} />}
    </div>
  )
}
