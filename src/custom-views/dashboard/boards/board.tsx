import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { CopyOutlined, DeleteOutlined, EditOutlined, MoreOutlined, ShareAltOutlined } from '@ant-design/icons'
import { dashboard, type Dashboard } from '../../../../contract/dashboards/dashboard.ts'
import { mayChange, isMine, isShared, mayDelete } from '../../../../contract/dashboards/dashboard.ts'
import { callQuery } from '../../../data/api.ts'
import { callErrorIn } from '../../../data/post.ts'
import { useMe, useSubject } from '../../../data/session.ts'
import { useT, t as translate } from '../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../ui/page/lazy.tsx'
import { LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'
import page from '../../../ui/page/page.module.css'
import { usePhone } from '../../../ui/page/use-screen.ts'
import { BoardGrid } from './board-grid.tsx'
import styles from '../common/boards.module.css'
import type { HomeWithRooms } from '../../../../contract/homes/home.ts'
import { DEFAULT_BOARD, useBoardAddress } from './use-boards.ts'
import { useSharedWords } from './use-shared-words.ts'
import { createSend, useAction } from '../../../data/use-action.ts'
import { confirmRemoval } from '../../../ui/page/confirm-removal.tsx'
import { NameDialog } from './name-dialog.tsx'

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'), { isOverlay: true })

function BoardActions({ board, mayChange }: { board: Dashboard; mayChange: boolean }) {
  const t = useT()
  const me = useMe()
  const subject = useSubject()
  const [openDialog, setOpenDialog] = useState<'share' | 'rename' | 'copy'>()
  const [send] = useState(createSend)
  const { open } = useBoardAddress()
  const rename = useAction(dashboard.operations.update, { feedback: 'both' })
  const copy = useAction(dashboard.operations.create, { feedback: 'both' })
  if (!me || !subject) return null
  const { DashboardID, Name, Version } = board
  const close = () => setOpenDialog(undefined)
  const remove = () =>
    confirmRemoval({
      name: Name,
      consequence: isShared(board.Shared) ? t('boards:removeShared') : t('boards:remove'),
      remove: async () => {
        await send(dashboard.operations.remove, { DashboardID })
        open(DEFAULT_BOARD, { replace: true })
      },
    })
  const items = [
    ...(isMine(board, me.CognitoId)
      ? [{ key: 'share', icon: <ShareAltOutlined />, label: t('boards:share.act') }]
      : []),
    ...(mayChange ? [{ key: 'rename', icon: <EditOutlined />, label: t('boards:rename') }] : []),
    { key: 'copy', icon: <CopyOutlined />, label: t('boards:copy') },
    ...(mayDelete(board, subject, me.CognitoId)
      ? [{ key: 'remove', icon: <DeleteOutlined />, label: t('boards:delete'), danger: true }]
      : []),
  ]
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items,
          onClick: ({ key }) =>
            key === 'remove' ? remove() : setOpenDialog(key as 'share' | 'rename' | 'copy'),
        }}
      >
        <Button icon={<MoreOutlined />} aria-label={t('boards:more', { name: Name })} />
      </Dropdown>
      {openDialog === 'share' && <ShareDialog board={board} close={close} />}
      {openDialog === 'rename' && (
        <NameDialog
          title={t('boards:rename')}
          name={Name}
          ok={t('boards:save')}
          action={rename}
          close={close}
          save={async (name) => {
            if (await rename.run({ DashboardID, Name: name, Version }, () => translate('screens:updated')))
              close()
          }}
        />
      )}
      {openDialog === 'copy' && (
        <NameDialog
          title={t('boards:copy')}
          name={t('boards:copyOf', { name: Name }).slice(0, 64)}
          ok={t('boards:create')}
          action={copy}
          close={close}
          save={async (name) => {
            const created = await copy.run({ Name: name, Cards: board.Cards }, () =>
              translate('boards:made', { name }),
            )
            if (!created) return
            close()
            open(created.DashboardID)
          }}
        />
      )}
    </>
  )
}

const BoardEditor = lazyPart(() => import('./editor/board-editor.tsx'))

/** A dashboard that the user owns or that is shared with them; users with the right can arrange it. */
export default function BoardPart({ id, homes }: { id: string; homes: readonly HomeWithRooms[] }) {
  const t = useT()
  const query = useQuery(callQuery(dashboard.operations.get, { DashboardID: id }))
  const { addressOf } = useBoardAddress()
  const missingBoard = callErrorIn(query.error)?.failure === 'NOT_FOUND' && (
    <EmptyState
      message={t('boards:gone')}
      next={<ButtonLink to={addressOf(DEFAULT_BOARD)}>{t('boards:toUsual')}</ButtonLink>}
    />
  )
  if (query.data)
    return <Board board={query.data} homes={homes} isOld={query.error !== null} missingBoard={missingBoard} />
  if (missingBoard) return missingBoard
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
  missingBoard: ReactNode
}

function Board({ board, homes, isOld, missingBoard }: Props) {
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
  if (missingBoard) return missingBoard
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
          message={t(may ? (phone ? 'boards:emptyPhone' : 'boards:empty') : 'boards:emptyOfOthers')}
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
