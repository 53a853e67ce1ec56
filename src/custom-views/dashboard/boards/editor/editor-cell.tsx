import { DeleteOutlined, DragOutlined, SettingOutlined } from '@ant-design/icons'
import { memo, useEffect, useRef } from 'react'
import { isKnownCard, type Card } from '../../../../../contract/dashboards/cards.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../../ui/page/icon-button.tsx'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import { useNear } from '../../common/near.tsx'
import { NearCard, placeOf } from '../board-grid.tsx'
import styles from '../../common/boards.module.css'
import { titleOf } from '../card-view.tsx'
import type { CardDrag } from './use-card-drag.ts'
import page from '../../../../ui/page/page.module.css'

interface Props extends Omit<CardDrag, 'heldId' | 'isByKeys'> {
  card: Card
  isHeld: boolean
  /** Whether the page scrolls to keep it visible. */
  isFollowed: boolean
  homes: readonly HomeWithRooms[]
  set: (card: Card) => void
  remove: (card: Card) => void
}

/** A card in the editor: a grip to move it, its settings, and a corner to resize it; its contents are inert. */
export const EditorCell = memo(function EditorCell(props: Props) {
  const { card, isHeld, isFollowed, homes, set, remove, toggle, onDrop, press, drag } = props
  const t = useT()
  const { isNear, ref: nearRef } = useNear()
  const cell = useRef<HTMLDivElement>(null)
  const title = titleOf(card)
  const { X, Y, W, H } = card
  useEffect(() => {
    if (isFollowed) cell.current?.scrollIntoView({ block: 'nearest' })
    // Scrolls to the card wherever it moves.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [isFollowed, X, Y, W, H])
  return (
    <div
      ref={cell}
      className={`${styles.cell} ${styles.editing}`}
      style={placeOf(card)}
      data-held={isHeld || undefined}
    >
      <div className={styles.handles}>
        <button
          type="button"
          className={styles.grip}
          aria-pressed={isHeld}
          aria-label={t('boards:grip', { card: title, column: X + 1, row: Y + 1, width: W, height: H })}
          // Pointer clicks are handled by the drag; keyboards and screen readers click with detail 0.
          onClick={(event) => event.detail === 0 && toggle(card.CardID)}
          onKeyDown={(event) => {
            if (!press(event)) return
            event.preventDefault()
            event.stopPropagation()
          }}
          onBlur={() => isHeld && onDrop()}
          onPointerDown={(event) => drag(event, card.CardID, 'move')}
        >
          <DragOutlined aria-hidden />
          <span className={page.ellipsis}>{title}</span>
        </button>
        {isKnownCard(card) && (
          <IconButton
            icon={<SettingOutlined />}
            label={t('boards:set', { card: title })}
            onPress={() => set(card)}
          />
        )}
        <IconButton
          icon={<DeleteOutlined />}
          label={t('boards:take', { card: title })}
          onPress={() => remove(card)}
        />
      </div>
      <div ref={nearRef} className={styles.frozen} inert>
        <NearCard isNear={isNear} card={card} homes={homes} />
      </div>
      <span
        className={styles.corner}
        aria-hidden="true"
        onPointerDown={(event) => drag(event, card.CardID, 'size')}
      />
    </div>
  )
})
