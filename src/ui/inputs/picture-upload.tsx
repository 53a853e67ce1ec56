import { DeleteOutlined } from '@ant-design/icons'
import { Alert, Button, Space } from 'antd'
import { useState, type FC } from 'react'
import { IMAGE_TYPES } from '../../../contract/procedures/uploads.ts'
import { imageTypeOf, type ImageType } from '../../lib/image-type.ts'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { CallError } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { FileButton } from './file-button.tsx'
import styles from './picture-upload.module.css'

/** Kind and size were right: what the gateway still does not take cannot be drawn. */
const REFUSED = 400

interface Props {
  /** What the picture shows, for those who cannot see it. */
  alt: string
  url: string | null
  /** Asks the gateway where to put a picture of this type. */
  target: (type: ImageType) => Promise<{ UploadUrl: string; MaxBytes: number }>
  remove?: (() => Promise<void>) | undefined
}

/** Shows a picture, replaces it and takes it away. Wrong kinds are refused before anything is sent. */
export const PictureUpload: FC<Props> = ({ alt, url, target, remove }) => {
  const t = useT()
  const [problem, setProblem] = useState<string>()

  /** Why a file is not taken; undefined when it has been stored. */
  const refusal = async (file: File): Promise<string | undefined> => {
    // Not as it is named: phones and browsers save a webp under the name of a jpg.
    const type = await imageTypeOf(file)
    if (!type) return t('screens:picture.type')
    const { UploadUrl, MaxBytes } = await target(type)
    if (file.size > MaxBytes)
      return t('screens:picture.size', { megabytes: Math.floor(MaxBytes / 1_048_576) })
    const { ok, status } = await fetch(UploadUrl, {
      method: 'PUT',
      body: file,
      headers: { 'content-type': type },
    })
    if (ok) {
      notices.success(() => words('screens:picture.done'))
      return undefined
    }
    return t(status === REFUSED ? 'screens:picture.unreadable' : 'screens:picture.failed')
  }
  const { busy, run } = useAction(async (work: () => Promise<string | void>) => {
    setProblem(undefined)
    try {
      setProblem((await work()) ?? undefined)
    } catch (error) {
      setProblem(error instanceof CallError ? describeFailure(error) : t('screens:picture.failed'))
    }
  })

  return (
    <div className={styles.picture}>
      {url ? <img src={url} alt={alt} /> : <div className={styles.none}>{t('screens:picture.none')}</div>}
      <Space wrap>
        <FileButton
          label={t('screens:picture.upload')}
          accept={IMAGE_TYPES}
          busy={busy}
          choose={(file) => void run(() => refusal(file))}
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
      {problem && (
        <Alert type="error" showIcon message={problem} closable onClose={() => setProblem(undefined)} />
      )}
    </div>
  )
}
