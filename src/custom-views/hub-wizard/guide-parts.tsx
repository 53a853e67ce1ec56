import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { saveFile } from '../../lib/save-file.ts'
import { CopyButton } from '../../ui/inputs/copy-button.tsx'
import page from '../../ui/page/page.module.css'
import type { GuideField } from './guides.ts'
import styles from './hub-wizard.module.css'

/** Fields of another product's page, in its order and words; what its own value stays in is said so. */
export const GuideFields: FC<{ fields: readonly GuideField[] }> = ({ fields }) => {
  const t = useT()
  return (
    <dl className={styles.fields}>
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt lang="en">{label}</dt>
          <dd>
            {value === undefined ? (
              <span className={page.muted}>{t('setup:hub.asItIs')}</span>
            ) : (
              <>
                <code>{value}</code>
                {value !== '✓' && <CopyButton value={value} label={label} />}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A text to be typed or saved, with its secret covered until somebody asks for it; what is copied has it. */
export const CoveredText: FC<{ text: string; secret: string; label: string; file?: string }> = (props) => {
  const { text, secret, label, file } = props
  const t = useT()
  const [shown, setShown] = useState(false)
  return (
    <>
      <pre className={styles.text}>{shown ? text : text.replaceAll(secret, '••••••••')}</pre>
      <div className={page.buttons}>
        <CopyButton value={text} label={label}>
          {t('screens:copy', { what: label })}
        </CopyButton>
        {file !== undefined && (
          <Button icon={<DownloadOutlined />} onClick={() => saveFile(file, text, 'text/plain')}>
            {t('setup:hub.download', { file })}
          </Button>
        )}
        <Button type="text" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {t(shown ? 'setup:hub.cover' : 'setup:hub.uncover')}
        </Button>
      </div>
    </>
  )
}
