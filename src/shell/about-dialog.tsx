import { Button, Skeleton } from 'antd'
import { useVersion } from '../data/health.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { VERSION } from './version.ts'
import { Modal } from '../ui/page/dialog.tsx'

/** Dialog with the product and the gateway's version, for support requests. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const { data, isError, refetch } = useVersion()
  return (
    <Modal open onCancel={onClose} footer={null} title={t('shell:about.title')}>
      <dl className="about">
        <dt>{t('shell:about.version')}</dt>
        <dd>
          {isError ? (
            <span role="alert">
              {t('shell:about.unknown')}{' '}
              <Button size="small" onClick={() => void refetch()}>
                {t('shell:retry')}
              </Button>
            </span>
          ) : data === undefined ? (
            <Skeleton.Button active size="small" />
          ) : (
            data
          )}
        </dd>
        <dt>{t('shell:about.screens')}</dt>
        <dd>{t('shell:version', { version: VERSION })}</dd>
        <dt>{t('shell:about.licence')}</dt>
        <dd>
          Apache-2.0 ·{' '}
          <a href="/THIRD-PARTY.txt" target="_blank" rel="noreferrer">
            {t('shell:about.thirdParty')}
          </a>
        </dd>
        <dt>{t('shell:about.interfaces')}</dt>
        <dd>
          <a href="/reference" target="_blank" rel="noreferrer">
            {t('shell:about.reference')}
          </a>
        </dd>
      </dl>
    </Modal>
  )
}
