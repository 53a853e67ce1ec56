import { DeleteOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Card, Typography } from 'antd'
import { useState, type FC } from 'react'
import { ota, type Firmware } from '../../../contract/devices/ota-calls.ts'
import { formatAge } from '../../lib/format-age.ts'
import { call } from '../../data/api.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import styles from '../../domain/ota/ota.module.css'
import { UploadDialog } from './upload-dialog.tsx'
import { useTargetName } from './use-target-name.ts'

interface Props {
  target: string
  /** Kinds for which firmware can be uploaded. */
  targets: readonly string[]
  /** Versions for the shown kind, newest first. */
  versions: readonly Firmware[]
  changed: () => void
}

export const Library: FC<Props> = ({ target, targets, versions, changed }) => {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const nameOf = useTargetName()
  const may = { upload: useMay('ota', 'Create'), remove: useMay('ota', 'Delete') }
  const [uploading, setUploading] = useState(false)
  const upload = may.upload && (
    <Button icon={<UploadOutlined />} onClick={() => setUploading(true)}>
      {t('ota:upload.open')}
    </Button>
  )
  return (
    <Card title={t('ota:library')} extra={upload}>
      {versions.length === 0 ? (
        <EmptyState why={t('ota:libraryEmpty', { target: nameOf(target) })} />
      ) : (
        <ul className={styles.list}>
          {versions.map((firmware) => (
            <li key={firmware.FirmwareID} className={styles.version}>
              <strong>{firmware.FirmwareVersion}</strong>
              <div className={styles.meta}>
                <span>{t('ota:size', { megabytes: (firmware.Size / 1_048_576).toFixed(2) })}</span>
                <span>
                  {t('ota:uploadedBy', {
                    name: firmware.By,
                    age: formatAge(firmware.UploadedAt, now, language),
                  })}
                </span>
                <Typography.Text
                  type="secondary"
                  code
                  copyable={{ text: firmware.Sha256, tooltips: [t('ota:copySha'), t('ota:copied')] }}
                >
                  {firmware.Sha256.slice(0, 12)}…
                </Typography.Text>
                {firmware.Notes && <p className={styles.notes}>{firmware.Notes}</p>}
              </div>
              {may.remove && (
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  aria-label={`${t('screens:remove.ok')} ${firmware.FirmwareVersion}`}
                  onClick={() =>
                    confirmRemoval({
                      name: firmware.FirmwareVersion,
                      consequence: t('ota:removeNote'),
                      remove: async () => {
                        await call(ota.deleteFirmware, { FirmwareID: firmware.FirmwareID })
                        changed()
                      },
                    })
                  }
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {uploading && (
        <UploadDialog
          targets={[target, ...targets.filter((one) => one !== target)]}
          close={(uploaded) => {
            setUploading(false)
            if (uploaded) changed()
          }}
        />
      )}
    </Card>
  )
}
