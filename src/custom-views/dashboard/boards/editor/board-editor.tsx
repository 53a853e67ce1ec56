import { Alert, Button } from 'antd'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { dashboard, type Dashboard } from '../../../../../contract/dashboards/dashboard.ts'
import { MAX_CARDS, type Card, type KnownCard } from '../../../../../contract/dashboards/cards.ts'
import { describeRefusal } from '../../../../data/failure.ts'
import { useAction } from '../../../../data/use-action.ts'
import { t as translate, useT, t } from '../../../../lib/i18n/i18n.ts'
import { lazyPart } from '../../../../ui/page/lazy.tsx'
import page from '../../../../ui/page/page.module.css'
import { useUnsavedGuard } from '../../../../ui/page/leave-guards.ts'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import styles from '../../common/boards.module.css'
import { titleOf } from '../card-view.tsx'
import { BOARD } from '../use-boards.ts'
import { EditorCell } from './editor-cell.tsx'
import { useEdits, type Edits } from './use-edits.ts'
import { useCardDrag, type DragAnnouncement } from './use-card-drag.ts'
import { confirm } from '../../../../ui/page/dialogs.ts'
import { PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'

const CardDialog = lazyPart(() => import('./card-dialog.tsx'), { isOverlay: true })

interface Props {
  homes: readonly HomeWithRooms[]
  board: Dashboard
  close: () => void
}

/** Whether a navigation leaves the dashboard: another page, or another dashboard of this page. */
const isLeaving = (from: { pathname: string; search: string }, to: { pathname: string; search: string }) =>
  from.pathname !== to.pathname ||
  new URLSearchParams(from.search).get(BOARD) !== new URLSearchParams(to.search).get(BOARD)

/** Editor of a dashboard: add, configure, move, resize and remove cards; saves them together. */
export default function BoardEditor({ board, close, homes }: Props) {
  const t = useT()
  const { DashboardID } = board
  /** The saved dashboard that the edits are based on. */
  const [base, setBase] = useState(board)
  const edits = useEdits(board.Cards)
  const [dialog, setDialog] = useState<'new' | KnownCard>()
  const { said, say: setSaid, tell } = useSaid()
  const grid = useRef<HTMLDivElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  const isLeavingRef = useRef(false)
  useEffect(() => title.current?.focus(), [])
  const { heldId, isByKeys, ...hand } = useCardDrag(edits, grid, tell)
  useUnsavedGuard(edits.dirty, () => edits.dirty && !isLeavingRef.current, undefined, isLeaving)
  const save = useAction(dashboard.operations.update, { feedback: 'both' })
  const isChangedElsewhere = board.Version !== base.Version
  const set = useCallback((card: Card) => setDialog(card as KnownCard), [])
  const { change } = edits
  const now = useRef(edits.cards)
  useEffect(() => {
    now.current = edits.cards
  })
  const remove = useCallback(
    (card: Card) => {
      change(now.current.filter(({ CardID }) => CardID !== card.CardID))
      setSaid(translate('boards:said.removed', { card: titleOf(card) }))
      title.current?.focus()
    },
    [change, setSaid],
  )

  async function saveAndClose() {
    if (edits.dirty) {
      const saved = await save.run({ DashboardID, Cards: [...edits.cards], Version: base.Version }, () =>
        translate('boards:saved'),
      )
      if (!saved) return
      isLeavingRef.current = true
    }
    close()
  }
  const put = (card: KnownCard) => {
    const isNew = edits.cards.every(({ CardID }) => CardID !== card.CardID)
    edits.change(
      isNew
        ? [...edits.cards, card]
        : edits.cards.map((other) => (other.CardID === card.CardID ? card : other)),
    )
    setDialog(undefined)
    setSaid(t(isNew ? 'boards:said.added' : 'boards:said.set', { card: titleOf(card) }))
  }
  const isFull = edits.cards.length >= MAX_CARDS
  return (
    <section aria-labelledby="board-title" className={page.stack}>
      <EditorBar
        name={board.Name}
        title={title}
        edits={edits}
        isFull={isFull}
        busy={save.busy}
        isBlocked={isChangedElsewhere}
        add={() => setDialog('new')}
        cancel={() => discard(edits.dirty, close)}
        onDone={() => void saveAndClose()}
      />
      <p className={page.hint}>{t(isFull ? 'boards:full' : 'boards:arrangeHow', { most: MAX_CARDS })}</p>
      <p className="visually-hidden" aria-live="assertive">
        {said}
      </p>
      {isChangedElsewhere ? (
        <Elsewhere
          take={() => {
            edits.change(board.Cards)
            setBase(board)
          }}
          keep={() => setBase(board)}
        />
      ) : (
        (save.failure !== undefined || Object.keys(save.refused).length > 0) && (
          <Alert
            showIcon
            type="error"
            role="alert"
            message={save.failure === undefined ? t('boards:refused') : describeRefusal(save.failure)}
          />
        )
      )}
      {edits.cards.length === 0 && (
        <p className={`${page.dashed} ${page.padded} ${page.muted}`}>{t('boards:empty')}</p>
      )}
      <div ref={grid} className={styles.grid}>
        {edits.cards.map((card) => (
          <EditorCell
            key={card.CardID}
            card={card}
            isHeld={heldId === card.CardID}
            isFollowed={isByKeys && heldId === card.CardID}
            homes={homes}
            set={set}
            remove={remove}
            {...hand}
          />
        ))}
      </div>
      {dialog && (
        <CardDialog
          card={dialog === 'new' ? undefined : dialog}
          below={Math.max(0, ...edits.cards.map(({ Y, H }) => Y + H))}
          homes={homes}
          put={put}
          close={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}

/** Live-region text that announces each edit to screen readers. */
function useSaid() {
  const [announcement, setAnnouncement] = useState('')
  const announceDrag = useCallback(
    ({ kind, card }: DragAnnouncement) =>
      setAnnouncement(
        translate(`boards:said.${kind}`, {
          card: titleOf(card),
          column: card.X + 1,
          row: card.Y + 1,
          width: card.W,
          height: card.H,
        }),
      ),
    [],
  )
  return { said: announcement, say: setAnnouncement, tell: announceDrag }
}

/** Another user has saved meanwhile: take theirs, or replace it with this version. */
function Elsewhere({ take: onTakeRemote, keep: onKeepLocal }: { take: () => void; keep: () => void }) {
  const t = useT()
  return (
    <Alert
      showIcon
      type="warning"
      role="alert"
      message={t('boards:elsewhere')}
      action={
        <span className={page.buttons}>
          <Button onClick={onTakeRemote}>{t('cards:takeIt')}</Button>
          <Button onClick={onKeepLocal}>{t('cards:keepThis')}</Button>
        </span>
      }
    />
  )
}

/** Closes the editor without saving; asks for confirmation if there are unsaved edits. */
function discard(dirty: boolean, close: () => void): void {
  if (!dirty) return close()
  confirm({
    title: t('shell:unsaved.title'),
    content: t('boards:discard'),
    okText: t('boards:discardIt'),
    okButtonProps: { danger: true },
    cancelText: t('shell:unsaved.stay'),
    onOk: close,
  })
}

interface EditorBarProps {
  name: string
  /** Receives the focus when editing begins and when a card is removed. */
  title: RefObject<HTMLHeadingElement | null>
  edits: Edits
  /** Whether the dashboard has the maximum number of cards. */
  isFull: boolean
  busy: boolean
  /** Whether saving waits for the user to resolve a conflict. */
  isBlocked: boolean
  add: () => void
  cancel: () => void
  onDone: () => void
}

/** Toolbar of the editor; stays visible while the page scrolls. */
function EditorBar({ name, title, edits, isFull, busy, isBlocked, add, cancel, onDone }: EditorBarProps) {
  const t = useT()
  return (
    <header className={`${page.header} ${styles.arranging}`}>
      <h2 id="board-title" ref={title} tabIndex={-1}>
        {t('boards:arranging', { name })}
      </h2>
      <span className={page.tools}>
        <Button icon={<PlusOutlined />} disabled={isFull} onClick={add}>
          {t('boards:add')}
        </Button>
        <Button icon={<UndoOutlined />} disabled={!edits.undo} onClick={edits.undo}>
          {t('boards:undo')}
        </Button>
        <Button icon={<RedoOutlined />} disabled={!edits.redo} onClick={edits.redo}>
          {t('boards:redo')}
        </Button>
        <Button disabled={busy} onClick={cancel}>
          {t('cards:cancel')}
        </Button>
        <Button type="primary" loading={busy} disabled={isBlocked} onClick={onDone}>
          {t('cards:done')}
        </Button>
      </span>
    </header>
  )
}
