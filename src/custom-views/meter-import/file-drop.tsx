import { Alert } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { FileButton } from '../../ui/inputs/file-button.tsx'
import page from '../../ui/page/page.module.css'
import styles from './meter-import.module.css'
import { MAX_FILE_BYTES, MOST_COLUMNS, type FileFault } from '../../lib/spreadsheet/file-fault.ts'

const TYPES = [
  '.csv',
  '.tsv',
  '.txt',
  '.xlsx',
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]
const MEGABYTE = 2 ** 20

/** Takes a file that is dropped or picked. */
export const FileDrop: FC<{ fault: FileFault | undefined; choose: (file: File) => void }> = (props) => {
  const t = useT()
  const [over, setOver] = useState(false)
  return (
    <>
      <div
        className={`${styles.drop} ${over ? styles.over : ''}`}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const [file] = event.dataTransfer.files
          if (file) props.choose(file)
        }}
      >
        <p>{t('meterImport:drop')}</p>
        <FileButton label={t('meterImport:file')} accept={TYPES} choose={props.choose}>
          {t('meterImport:choose')}
        </FileButton>
        <p className={page.note}>{t('meterImport:limits', { megabytes: MAX_FILE_BYTES / MEGABYTE })}</p>
      </div>
      {props.fault && (
        <Alert
          type="error"
          showIcon
          message={t(`meterImport:faults.${props.fault}`, {
            megabytes: MAX_FILE_BYTES / MEGABYTE,
            columns: MOST_COLUMNS,
          })}
        />
      )}
    </>
  )
}
