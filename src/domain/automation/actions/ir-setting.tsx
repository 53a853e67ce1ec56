import { Select } from 'antd'
import type { IRContainer } from '../../../../contract/devices/capabilities/ir-remote.ts'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import type { Peripheral } from '../../../../contract/devices/peripheral.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useContainers } from '../../devices/ir-remote/use-containers.ts'
import styles from './actions.module.css'

interface Props {
  device: Peripheral
  values: CommandValues
  error: string | undefined
  disabled: boolean
  onChange: (values: CommandValues) => void
}

/** Which of the things that it was taught an infrared remote sends. */
export function IrSetting({ device, values, error, disabled, onChange }: Props) {
  const t = useT()
  const taught = useContainers(device).data ?? []
  const sent = values['SendIR'] as Pick<IRContainer, 'ContMID'> | undefined
  const name = t('automation:actions.fieldOf', {
    field: t('devices:fields.SendIR'),
    name: device.PeripheralName,
  })
  return (
    <div className={styles.setting} role="group" aria-label={name}>
      <span className={styles.settingName}>{t('devices:fields.SendIR')}</span>
      <Select<string>
        aria-label={name}
        className={styles.choice ?? ''}
        disabled={disabled}
        placeholder={t('automation:actions.unset')}
        value={sent?.ContMID ?? null}
        options={taught.map(({ ContMID, ContMName }) => ({ value: ContMID, label: ContMName || ContMID }))}
        notFoundContent={t('devices:ir.none')}
        onChange={(ContMID) => {
          const one = taught.find((container) => container.ContMID === ContMID)
          if (one) onChange({ ...values, SendIR: { ContMID, ContDID: one.ContDID } })
        }}
      />
      {error && (
        <p role="alert" className={styles.error}>
          {error}
        </p>
      )}
    </div>
  )
}
