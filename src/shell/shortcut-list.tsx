import { Modal } from 'antd'
import { useT } from '../lib/i18n/i18n.ts'
import { SHORTCUT } from './shortcuts.ts'

export function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useT()
  return (
    <Modal open onCancel={onClose} footer={null} title={t('shell:shortcuts.title')}>
      <dl className="shortcuts">
        <dt>
          <kbd>{SHORTCUT}</kbd>
        </dt>
        <dd>{t('shell:shortcuts.search')}</dd>
        <dt>
          <kbd>?</kbd>
        </dt>
        <dd>{t('shell:shortcuts.list')}</dd>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>{t('shell:shortcuts.close')}</dd>
      </dl>
    </Modal>
  )
}
