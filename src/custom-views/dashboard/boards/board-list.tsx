import { Button, Switch } from 'antd'
import type { DashboardLine } from '../../../../contract/dashboards/dashboard.ts'
import { useMe } from '../../../data/session.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { MAX_TABS } from '../common/arrangement.ts'
import styles from '../common/boards.module.css'
import { useBoardAddress, type OwnTabs } from './use-boards.ts'
import { useSharedWords } from './use-shared-words.ts'
import { Drawer } from '../../../ui/page/dialog.tsx'

/** List of all dashboards that a person sees, with which are tabs and which opens first. */
export default function BoardList(props: {
  boards: readonly DashboardLine[]
  tabs: OwnTabs
  close: () => void
}) {
  const { boards, tabs, close } = props
  const t = useT()
  const me = useMe()
  const { open } = useBoardAddress()
  const sharedWords = useSharedWords()
  const shownIds = tabs.visibleBoards(boards).map(({ DashboardID }) => DashboardID)
  const saved = () => translate('personal:updated')
  const pin = (id: string, isTab: boolean) =>
    void tabs.save(
      { start: tabs.start, tabs: isTab ? [...shownIds, id] : shownIds.filter((tabId) => tabId !== id) },
      saved,
    )
  return (
    <Drawer open title={t('boards:title')} onClose={close}>
      <p className={page.hint}>{t('boards:listHow')}</p>
      <ul className={page.rows}>
        {boards.map(({ DashboardID, Name, OwnerID, OwnerName, Shared, CardCount }) => (
          <li key={DashboardID} className={page.column}>
            <Button
              type="link"
              className={styles.listed ?? ''}
              onClick={() => {
                close()
                open(DashboardID)
              }}
            >
              {Name}
            </Button>
            <span className={page.small}>
              {t('boards:cards', { count: CardCount })}
              {' · '}
              {OwnerID === me?.CognitoId
                ? sharedWords(Shared)
                : OwnerName === null
                  ? t('boards:ofNobody')
                  : t('boards:of', { name: OwnerName })}
            </span>
            <span className={page.wideRow}>
              <label className={page.tightRow}>
                <Switch
                  size="small"
                  aria-label={t('boards:asTab', { name: Name })}
                  checked={shownIds.includes(DashboardID)}
                  disabled={tabs.busy || (!shownIds.includes(DashboardID) && shownIds.length >= MAX_TABS)}
                  onChange={(isTab) => pin(DashboardID, isTab)}
                />
                {t('boards:tab')}
              </label>
              <label className={page.tightRow}>
                <Switch
                  size="small"
                  aria-label={t('boards:asStart', { name: Name })}
                  checked={tabs.start === DashboardID}
                  disabled={tabs.busy}
                  onChange={(isStart) =>
                    void tabs.save({ start: isStart ? DashboardID : null, tabs: tabs.tabs }, saved)
                  }
                />
                {t('boards:start')}
              </label>
            </span>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
