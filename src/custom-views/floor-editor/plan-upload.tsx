import { DeleteOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { IMAGE_TYPES } from '../../../contract/homes/upload-calls.ts'
import { floorCalls, type Floor } from '../../../contract/homes/floor.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { FileButton } from '../../ui/inputs/file-button.tsx'
import { useUpload } from '../../ui/inputs/use-upload.ts'
import { confirmRemoval } from '../../ui/page/confirm-removal.tsx'
import page from '../../ui/page/page.module.css'

/** Uploads the plan of a floor, replaces it and takes it away; rooms stay where they are. */
export function PlanUpload({ record: { HomeID, FloorID, FloorName, Plan } }: { record: Floor }) {
  const t = useT()
  const key = { HomeID, FloorID }
  const { busy, problem, reset, upload } = useUpload(
    (ContentType) => call(floorCalls.uploadPlan, { ...key, ContentType }),
    {
      tooBig: t('floorEditor:upload.tooBig'),
      tooSmall: t('floorEditor:upload.tooSmall'),
    },
  )
  return (
    <div className={page.tightStack}>
      <div className={page.tightRow}>
        <FileButton
          label={t('floorEditor:upload.upload')}
          accept={IMAGE_TYPES}
          busy={busy}
          choose={(file) => void upload(file)}
        >
          {t(Plan ? 'floorEditor:upload.replace' : 'floorEditor:upload.upload')}
        </FileButton>
        {Plan && (
          <Button
            type="text"
            danger
            icon={<DeleteOutlined />}
            onClick={() =>
              confirmRemoval({
                name: t('floorEditor:planOf', { floor: FloorName }),
                consequence: t('floorEditor:upload.consequence'),
                remove: () => call(floorCalls.deletePlan, key),
              })
            }
          >
            {t('floorEditor:upload.remove')}
          </Button>
        )}
        <span className={page.small}>{t('floorEditor:upload.hint')}</span>
      </div>
      {problem && <Alert type="error" showIcon message={problem} closable onClose={reset} />}
    </div>
  )
}
