import { Switch } from 'antd'
import { useState, type ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import {
  hasRows,
  keysOnPage,
  GOES,
  PAGE_KEYS,
  SHORTCUT,
  switchKeys,
  useKeysOn,
  type GoKey,
} from './shortcuts.ts'
import { Modal } from '../ui/page/dialog.tsx'

/** Shortcuts of every page, then those of the current one; single keys can be turned off. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const t = useT()
  const isEnabled = useKeysOn()
  // Keys of the page when the list opens.
  const [{ onPage, rows }] = useState(() => ({ onPage: keysOnPage(), rows: hasRows() }))
  const pageKeys = PAGE_KEYS.filter((key) => onPage.has(key))
  return (
    <Modal open onCancel={onClose} footer={null} title={t('shell:shortcuts.title')}>
      <dl className="shortcuts">
        <Line keys={[SHORTCUT]}>{t('shell:shortcuts.search')}</Line>
        <Line keys={['?']}>{t('shell:shortcuts.list')}</Line>
        <Line keys={['Esc']}>{t('shell:shortcuts.close')}</Line>
        {isEnabled &&
          (Object.keys(GOES) as GoKey[]).map((key) => (
            <Line key={key} keys={['g', key]}>
              {t('shell:shortcuts.go', { page: t(`shell:pages.${GOES[key]}`) })}
            </Line>
          ))}
      </dl>
      {isEnabled && (pageKeys.length > 0 || rows) && (
        <>
          <h3>{t('shell:shortcuts.onPage')}</h3>
          <dl className="shortcuts">
            {pageKeys.map((key) => (
              <Line key={key} keys={[key]}>
                {t(`shell:shortcuts.page.${NAMES[key]}`)}
              </Line>
            ))}
            {rows && (
              <>
                <Line keys={['j', 'k']}>{t('shell:shortcuts.page.rows')}</Line>
                <Line keys={['o']}>{t('shell:shortcuts.page.open')}</Line>
                <Line keys={['x']}>{t('shell:shortcuts.page.tick')}</Line>
              </>
            )}
          </dl>
        </>
      )}
      <label className="shortcut-switch">
        <Switch size="small" checked={isEnabled} onChange={switchKeys} />
        {t('shell:shortcuts.single')}
      </label>
    </Modal>
  )
}

const NAMES = { '/': 'search', t: 'now', '[': 'back', ']': 'on', c: 'compare', e: 'arrange' } as const

function Line({ keys, children }: { keys: readonly string[]; children: ReactNode }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{children}</dd>
    </>
  )
}
