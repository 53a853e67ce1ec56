import { PlusOutlined, RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { RefObject } from 'react'
import { useT } from '../../../../lib/i18n/i18n.ts'
import page from '../../../../ui/page/page.module.css'
import styles from '../boards.module.css'
import type { Edits } from './use-edits.ts'

interface Props {
  name: string
  /** Where the focus goes when arranging begins, and when a card is removed. */
  title: RefObject<HTMLHeadingElement | null>
  edits: Edits
  /** No card can be added. */
  isFull: boolean
  busy: boolean
  /** Nothing is saved until the person has chosen. */
  isBlocked: boolean
  add: () => void
  cancel: () => void
  done: () => void
}

/** What is done with a dashboard while it is arranged; in sight however far down one is. */
export function EditorBar({ name, title, edits, isFull, busy, isBlocked, add, cancel, done }: Props) {
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
        <Button type="primary" loading={busy} disabled={isBlocked} onClick={done}>
          {t('cards:done')}
        </Button>
      </span>
    </header>
  )
}
