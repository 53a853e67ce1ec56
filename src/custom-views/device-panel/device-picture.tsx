import type { FC } from 'react'
import { uploads } from '../../../contract/homes/upload-calls.ts'
import type { Peripheral } from '../../../contract/devices/peripheral.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { PictureUpload } from '../../ui/inputs/picture-upload.tsx'
import page from '../../ui/page/page.module.css'

export const DevicePicture: FC<{ device: Peripheral }> = ({ device }) => {
  const t = useT()
  const mayChange = useMay('device', 'Update')
  const key = { HomeID: device.HomeID, PeripheralUID: device.PeripheralUID }
  if (!mayChange)
    return device.PeripheralImageUrl ? (
      <img
        src={device.PeripheralImageUrl}
        alt={device.PeripheralName}
        style={{ maxWidth: '100%', maxHeight: 180 }}
      />
    ) : (
      <p className={`${page.hint} ${page.below8}`}>{t('screens:picture.none')}</p>
    )
  return (
    <PictureUpload
      alt={device.PeripheralName}
      url={device.PeripheralImageUrl}
      target={(ContentType) => call(uploads.uploadPeripheralImage, { ...key, ContentType })}
      remove={async () => void (await call(uploads.deletePeripheralImage, key))}
    />
  )
}
