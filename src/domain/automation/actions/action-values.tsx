import { Button, Select } from 'antd'
import { useState } from 'react'
import { confirmationFor } from '../../../../contract/devices/kinds/command-checks.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import { useStatus } from '../../../data/status-store.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { confirm } from '../../../ui/page/dialogs.ts'
import page from '../../../ui/page/page.module.css'
import styles from './actions.module.css'
import { type Setting, valueOf, withValue } from '../targets/settable.ts'
import { SettingControl } from './setting-control.tsx'
import { editedTarget, targetTypeOf, type EditedAction } from '../targets/target.ts'
import type { ActionFacts } from '../targets/use-action-facts.ts'
import { settingsOf, type ActionWords } from './use-action-words.ts'
import type { IRContainer } from '../../../../contract/devices/capabilities/camera-and-ir.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useContainers } from '../../devices/ir-remote/use-containers.ts'

interface Props {
  action: EditedAction
  facts: ActionFacts
  words: ActionWords
  errors: Readonly<Record<string, string>>
  disabled: boolean
  name: string
  onChange: (action: EditedAction) => void
}

/** Number of fields shown before the rest is expanded; fields with a value are always shown. */
const MAX_SHOWN = 4

/** The values of an action: each field that can be set on the device. */
export function ActionValues({ action, facts, words, errors, disabled, name, onChange }: Props) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const target = editedTarget(action)
  const targetType = targetTypeOf(target, facts)
  // The first report tells which appliance the device is and which zones it has.
  useStatus(targetType?.uid ?? '')
  const settings = settingsOf(action, facts)
  const device = target.kind === 'device' ? facts.devices.get(target.PeripheralUID) : undefined
  const isRemote = targetType !== undefined && capabilityOf(targetType.type, 'irRemote') !== undefined
  const visibleSettings = settings.filter(
    (candidate, i) => isOpen || i < MAX_SHOWN || valueOf(candidate, action.Values) !== undefined,
  )
  const hidden = settings.length - visibleSettings.length

  const setValues = (Values: CommandValues) => {
    const next = { ...action, Values }
    const question = targetType && confirmationFor(targetType.type, Values)
    if (
      question === undefined ||
      question === (targetType && confirmationFor(targetType.type, action.Values))
    )
      return onChange(next)
    // Confirm while editing, because no confirmation is possible when the action runs.
    confirm({
      title: t(`devices:confirm.${question}`),
      content: t('automation:actions.asksNote'),
      okText: t('automation:actions.asksOk'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      onOk: () => onChange({ ...next, IfOffline: 'fail' }),
    })
  }

  if (isRemote && device)
    return (
      <IrSetting
        device={device}
        values={action.Values ?? {}}
        error={errorAt(errors, 'SendIR')}
        disabled={disabled}
        onChange={setValues}
      />
    )
  if (settings.length === 0) return <p className={page.note}>{t('automation:actions.nothingYet')}</p>
  return (
    <div className={page.column}>
      {visibleSettings.map((setting) => (
        <SettingControl
          key={setting.key}
          setting={setting}
          label={words.settingName(setting)}
          owner={name}
          value={valueOf(setting, action.Values)}
          error={errorAt(errors, refusedField(setting))}
          disabled={disabled}
          onChange={(value) => setValues(withValue(setting, action.Values, value))}
        />
      ))}
      {hidden > 0 && (
        <Button type="link" className={styles.more ?? ''} onClick={() => setOpen(true)}>
          {t('automation:actions.more', { count: hidden })}
        </Button>
      )}
    </div>
  )
}

/** Field of an action to which a setting's error belongs: all registers share one; zone errors are shown below the action. */
const refusedField = ({ node, register, field }: Setting): string | undefined =>
  register ? 'ModbusValues' : node === undefined ? field : undefined

const errorAt = (errors: Readonly<Record<string, string>>, field: string | undefined) =>
  field === undefined ? undefined : errors[`Values.${field}`]

interface IrSettingProps {
  device: Peripheral
  values: CommandValues
  error: string | undefined
  disabled: boolean
  onChange: (values: CommandValues) => void
}

/** Selects the learned command that an infrared remote sends. */
function IrSetting({ device, values, error, disabled, onChange }: IrSettingProps) {
  const t = useT()
  const containers = useContainers(device).data ?? []
  const sentCode = values['SendIR'] as Pick<IRContainer, 'ContMID'> | undefined
  const name = t('automation:actions.fieldOf', {
    field: t('devices:fields.SendIR'),
    name: device.PeripheralName,
  })
  return (
    <div className={styles.setting} role="group" aria-label={name}>
      <span className={page.words}>{t('devices:fields.SendIR')}</span>
      <Select<string>
        aria-label={name}
        className={styles.choice ?? ''}
        disabled={disabled}
        placeholder={t('automation:actions.unset')}
        value={sentCode?.ContMID ?? null}
        options={containers.map(({ ContMID, ContMName }) => ({
          value: ContMID,
          label: ContMName || ContMID,
        }))}
        notFoundContent={t('devices:ir.none')}
        onChange={(ContMID) => {
          const selected = containers.find((container) => container.ContMID === ContMID)
          if (selected) onChange({ ...values, SendIR: { ContMID, ContDID: selected.ContDID } })
        }}
      />
      {error && (
        <p role="alert" className={`${page.fault} ${page.wholeRow}`}>
          {error}
        </p>
      )}
    </div>
  )
}
