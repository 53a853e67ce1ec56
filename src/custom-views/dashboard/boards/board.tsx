import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { dashboard, type Dashboard, mayChange } from '../../../../contract/dashboards/dashboard.ts'
import { callQuery } from '../../../data/api.ts'
import { callErrorIn } from '../../../data/post.ts'
import { useMe, useSubject } from '../../../data/session.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import { LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'
import page from '../../../ui/page/page.module.css'
import { usePhone } from '../../../ui/page/use-phone.ts'
import { BoardActions } from './board-actions.tsx'
import { BoardGrid } from './board-grid.tsx'
import styles from '../common/boards.module.css'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { DEFAULT_BOARD } from './open-board.ts'
import { useBoardAddress } from './use-board-address.ts'
import { useSharedWords } from './use-shared-words.ts'

const BoardEditor = lazyPart(() => import('./editor/board-editor.tsx'))

/** A dashboard that the user owns or that is shared with them; users with the right can arrange it. */
export default function BoardPart({ id, homes }: { id: string; homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const query = useQuery(callQuery(dashboard.operations.get, { DashboardID: id }))
  const { addressOf } = useBoardAddress()
  const gone = callErrorIn(query.error)?.failure === 'NOT_FOUND' && (
    <EmptyState
      why={t('boards:gone')}
      next={<ButtonLink to={addressOf(DEFAULT_BOARD)}>{t('boards:toUsual')}</ButtonLink>}
    />
  )
  if (query.data) return <Board board={query.data} homes={homes} isOld={query.error !== null} gone={gone} />
  if (gone) return gone
  return query.error ? (
    <LoadFailed error={query.error} retry={() => void query.refetch()} />
  ) : (
    <span className={`${page.card} ${styles.waiting}`} aria-busy="true" />
  )
}

interface Props {
  board: Dashboard
  homes: readonly HomeWithRooms[]
  isOld: boolean
  /** Message that it was deleted; a user who is arranging keeps their edits until they save or discard them. */
  gone: ReactNode
}

function Board({ board, homes, isOld, gone }: Props) {
  const t = useT()
  const phone = usePhone()
  const me = useMe()
  const subject = useSubject()
  const state = useLocation().state as { arranging?: unknown } | null
  const [isArranging, setArranging] = useState(state?.arranging === true)
  const sharedWords = useSharedWords()
  const { open } = useBoardAddress()
  const arrange = () => {
    // The address keeps it open even if it stops being the start dashboard, e.g. when another user deletes it.
    open(board.DashboardID, { replace: true })
    setArranging(true)
  }
  const isOwn = board.OwnerID === me?.CognitoId
  const may = subject !== undefined && me !== undefined && mayChange(board, subject, me.CognitoId)
  if (isArranging && may && !phone)
    return <BoardEditor board={board} homes={homes} close={() => setArranging(false)} />
  if (gone) return gone
  return (
    <section aria-labelledby="board-title" className={page.stack}>
      <header className={page.header}>
        <h2 id="board-title">{board.Name}</h2>
        <span className={page.small}>
          {isOwn
            ? sharedWords(board.Shared)
            : board.OwnerName === null
              ? t('boards:ofNobody')
              : t('boards:of', { name: board.OwnerName })}
        </span>
        {isOld && <span className={page.warning}>{t('cards:notRenewed')}</span>}
        <span className={page.tools}>
          {may && !phone && <Button onClick={arrange}>{t('boards:arrange')}</Button>}
          <BoardActions board={board} mayChange={may} />
        </span>
      </header>
      {board.Cards.length === 0 ? (
        <EmptyState
          why={t(may ? (phone ? 'boards:emptyPhone' : 'boards:empty') : 'boards:emptyOfOthers')}
          next={
            may &&
            !phone && (
              <Button type="primary" onClick={arrange}>
                {t('boards:addFirst')}
              </Button>
            )
          }
        />
      ) : (
        <BoardGrid cards={board.Cards} homes={homes} />
      )}
    </section>
  )
}
