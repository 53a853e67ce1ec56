import { DeleteOutlined } from '@ant-design/icons'
import { Alert, Button, Space } from 'antd'
import type { FC } from 'react'
import { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import type { ImageType } from '../../lib/image-type.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { FileButton } from './file-button.tsx'
import page from '../page/page.module.css'
import styles from './picture-upload.module.css'
import { useUpload } from './use-upload.ts'

interface Props {
  /** Text alternative of the picture. */
  alt: string
  url: string | null
  /** Requests an upload URL for a picture of this type from the gateway. */
  target: (type: ImageType) => Promise<{ UploadUrl: string; MaxBytes: number }>
  remove?: (() => Promise<void>) | undefined
}

/** Shows, replaces and removes a picture. Unsupported types are rejected before the upload. */
export const PictureUpload: FC<Props> = ({ alt, url, target, remove }) => {
  const t = useT()
  const { busy, problem, reset, upload, run } = useUpload(target)
  return (
    <div className={styles.picture}>
      {url ? <img src={url} alt={alt} /> : <span className={page.muted}>{t('screens:picture.none')}</span>}
      <Space wrap>
        <FileButton
          label={t('screens:picture.upload')}
          accept={IMAGE_TYPES}
          busy={busy}
          choose={(file) => void upload(file)}
        >
          {t(url ? 'screens:picture.replace' : 'screens:picture.upload')}
        </FileButton>
        {url && remove && (
          <Button
            danger
            type="text"
            icon={<DeleteOutlined />}
            disabled={busy}
            onClick={() => void run(remove)}
          >
            {t('screens:picture.remove')}
          </Button>
        )}
      </Space>
      {problem && <Alert type="error" showIcon message={problem} closable onClose={reset} />}
    </div>
  )
}
