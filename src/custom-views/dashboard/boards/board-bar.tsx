import PlusOutlined from '@ant-design/icons-svg/es/asn/PlusOutlined.js'
import UnorderedListOutlined from '@ant-design/icons-svg/es/asn/UnorderedListOutlined.js'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { dashboard } from '../../../../contract/dashboards/dashboard.ts'
import { callQuery } from '../../../data/api.ts'
import { describeFailure } from '../../../data/failure.ts'
import { notices } from '../../../data/notices.ts'
import { t as translate, useT } from '../../../lib/i18n/i18n.ts'
import { Icon } from '../../../ui/plain/icon.tsx'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import { PlainButton } from '../../../ui/plain/plain-button.tsx'
import page from '../../../ui/page/page.module.css'
import styles from '../common/boards.module.css'
import tabStyles from '../../../ui/plain/plain-tabs.module.css'
import { DEFAULT_BOARD, useBoardAddress, useTabs } from './use-boards.ts'

const BoardList = lazyPart(() => import('./board-list.tsx'), { isOverlay: true })
const NewBoard = lazyPart(() => import('./new-board.tsx'), { isOverlay: true })

/** A person's dashboard tabs, a list of all dashboards, and a button for a new one. */
export default function BoardBar({ open }: { open: string }) {
  const t = useT()
  const query = useQuery(callQuery(dashboard.operations.list, {}))
  const boards = query.data
  const tabs = useTabs()
  const { addressOf } = useBoardAddress()
  const [openPanel, setOpenPanel] = useState<'list' | 'new'>()
  useLostStart(boards, tabs)
  const shownBoards = boards ? tabs.visibleBoards(boards) : []
  const openedBoard = shownBoards.some(({ DashboardID }) => DashboardID === open)
    ? undefined
    : boards?.find(({ DashboardID }) => DashboardID === open)
  const tab = (id: string, name: string) => (
    <li key={id}>
      <Link className={tabStyles.tab} to={addressOf(id)} aria-current={id === open ? 'page' : undefined}>
        {name}
      </Link>
    </li>
  )
  return (
    <div className={page.tightRow}>
      <nav aria-label={t('boards:title')} className={styles.tabs}>
        <ul className={tabStyles.list}>
          {tab(DEFAULT_BOARD, t('boards:usual'))}
          {[...shownBoards, ...(openedBoard ? [openedBoard] : [])].map(({ DashboardID, Name }) =>
            tab(DashboardID, Name),
          )}
        </ul>
      </nav>
      {query.error && !boards && (
        <span role="alert" className={page.fault}>
          {t('boards:listFailed', { reason: describeFailure(query.error) })}{' '}
          <PlainButton small onClick={() => void query.refetch()}>
            {t('dashboard:retry')}
          </PlainButton>
        </span>
      )}
      {boards && boards.length > 0 && (
        <PlainButton onClick={() => setOpenPanel('list')}>
          <Icon of={UnorderedListOutlined} />
          {t('boards:all', { count: boards.length })}
        </PlainButton>
      )}
      <PlainButton onClick={() => setOpenPanel('new')}>
        <Icon of={PlusOutlined} />
        {t('boards:new')}
      </PlainButton>
      {openPanel === 'list' && boards && (
        <BoardList boards={boards} tabs={tabs} close={() => setOpenPanel(undefined)} />
      )}
      {openPanel === 'new' && (
        <NewBoard boards={boards ?? []} tabs={tabs} close={() => setOpenPanel(undefined)} />
      )}
    </div>
  )
}

/** Reports once that the start dashboard was deleted, and makes the default cards the start again. */
function useLostStart(
  boards: readonly { DashboardID: string }[] | undefined,
  { start, tabs, save }: ReturnType<typeof useTabs>,
) {
  const announcedRef = useRef<string>(undefined)
  const isLost = start !== null && boards?.every(({ DashboardID }) => DashboardID !== start) === true
  useEffect(() => {
    if (!isLost || announcedRef.current === start) return
    announcedRef.current = start
    notices.info(() => translate('boards:startGone'))
    void save({ start: null, tabs: tabs && tabs.filter((id) => id !== start) })
  })
}
