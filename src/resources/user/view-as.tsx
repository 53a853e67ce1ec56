import { Alert } from 'antd'
import type { FC } from 'react'
import type { Permission } from '../../../contract/kernel/permissions.ts'
import { mayOpen } from '../../navigation/may-open.ts'
import { paths, type PathName } from '../../navigation/paths.ts'
import { useCurrentHome, useDevices } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { countCategories, menuOf, type MenuEntry } from '../../shell/menu.ts'
import { hasScreen } from '../../shell/offered-pages.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import pageStyles from '../../ui/page/page.module.css'
import styles from './view-as.module.css'
import { Modal } from '../../ui/page/dialog.tsx'

interface Props {
  name: string
  enabled: boolean
  permissions: readonly Permission[]
  isRoot: boolean
  close: () => void
}

const PAGES = (Object.keys(paths) as PathName[]).filter(
  (name) => name !== 'PermissionDenied' && name !== 'Home',
)

/** Preview of the menu and pages for a user with these rights, using the same policy as the app. */
export const ViewAs: FC<Props> = ({ name, enabled, permissions, isRoot, close }) => {
  const t = useT()
  const home = useCurrentHome()
  const mayDevices = useMay('device', 'Read')
  const devices = useDevices(mayDevices ? home?.HomeID : undefined)
  const subject = { isRoot, permissions }
  const menu = menuOf({
    subject,
    home,
    categories: countCategories(devices.data),
    hasScreen,
  })
  const pages = PAGES.filter(hasScreen).map((page) => ({ page, decision: mayOpen(page, subject) }))
  const closed = pages.filter(({ decision }) => decision !== true)
  const labelOf = ({ label }: MenuEntry) => {
    if ('page' in label) return t(`shell:pages.${label.page}`)
    if ('group' in label) return t(`shell:menu.${label.group}`)
    return 'category' in label ? t(`shell:categories.${label.category}`) : label.text
  }
  const entries = (list: readonly MenuEntry[]) => (
    <ul>
      {list.map((entry) => (
        <li key={entry.key}>
          {labelOf(entry)}
          {entry.children && entries(entry.children)}
        </li>
      ))}
    </ul>
  )
  return (
    <Modal open title={t('people:viewAs.title', { name })} onCancel={close} footer={null} width={760}>
      {!enabled && <Alert showIcon type="warning" message={t('people:viewAs.disabled')} />}
      <p>{t('people:viewAs.summary', { open: pages.length - closed.length, of: pages.length })}</p>
      <div className={styles.view}>
        <section>
          <h3>{t('people:viewAs.menu')}</h3>
          {menu.length > 0 ? entries(menu) : <p>{t('people:viewAs.noMenu')}</p>}
        </section>
        <section>
          <h3>{t('people:viewAs.pages')}</h3>
          <ul className={`${pageStyles.rows} ${pageStyles.spreadRows}`}>
            {pages.map(({ page, decision }) => (
              <li key={page}>
                <span>{t(`shell:pages.${page}`)}</span>
                <StateTag tone={decision === true ? 'good' : 'offline'}>
                  {t(decision === true ? 'people:viewAs.open' : 'people:viewAs.closed')}
                </StateTag>
                {typeof decision === 'object' && (
                  <small>
                    {t('people:viewAs.missing', {
                      feature: t(`shell:features.${decision.feature}`),
                      operation: t(`shell:operations.${decision.operation}`),
                    })}
                  </small>
                )}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </Modal>
  )
}
