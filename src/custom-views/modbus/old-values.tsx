import { Alert } from 'antd'
import type { FC } from 'react'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import type { ThingWithState } from '../../../contract/devices/thing.ts'
import { formatAge } from '../../lib/format-age.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useStatus } from '../../data/status-store.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { freshness } from '../../domain/devices/freshness.ts'
import page from '../../ui/page/page.module.css'

/** Says above the values that they are not those of now, and why; nothing while they are. */
export const OldValues: FC<{ device: Peripheral; hub: ThingWithState | undefined }> = ({ device, hub }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const status = useStatus(device.PeripheralUID)
  const state = freshness({
    hubOnline: hub?.Online,
    timestamp: status?.Timestamp,
    frequencySeconds: device.PowerMeterUpdateFrequency,
    reports: true,
    now,
  })
  if (state === 'current' || state === 'none' || !status) return null
  return (
    <Alert
      className={page.below12}
      type="warning"
      showIcon
      message={t(`devices:freshness.${state}`)}
      description={t('modbus:values.old', { age: formatAge(status.Timestamp, now, language) })}
    />
  )
}
