import { MoreOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import { useEffect, useRef, useState, type FC, type KeyboardEvent, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { moveFocus } from '../plain/move-focus.ts'
import { InRowMenu } from '../page/icon-button.tsx'
import styles from './row-menu.module.css'

interface Props {
  /** Name of the row, for screen readers. */
  name: string
  /** Icon buttons, which are shown as items of the menu. */
  children: ReactNode
}

/** Menu with the further actions on a row: arrows, Home and End move; Escape closes it. */
export const RowMenu: FC<Props> = ({ name, children }) => {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [close] = useState(() => () => {
    setOpen(false)
    // A dialog that an item opens returns the focus here.
    trigger.current?.focus()
  })
  useEffect(() => {
    if (isOpen) itemsIn(menu.current)[0]?.focus()
  }, [isOpen])
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' || event.key === 'Tab') return close()
    moveFocus(event, itemsIn(menu.current), ['ArrowDown', 'ArrowUp'])
  }
  const popup = (
    <InRowMenu value={close}>
      <div
        ref={menu}
        role="menu"
        tabIndex={-1}
        aria-label={t('lists:rowMenu', { name })}
        className={styles.menu}
        onKeyDown={onKey}
      >
        {children}
      </div>
    </InRowMenu>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keeps a click in the menu, which React reports here too, from opening the row
    <span onClick={(event) => event.stopPropagation()}>
      <Dropdown
        open={isOpen}
        onOpenChange={setOpen}
        trigger={['click']}
        placement="bottomRight"
        popupRender={() => popup}
      >
        <Button
          ref={trigger}
          type="text"
          icon={<MoreOutlined />}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-label={t('lists:rowMenu', { name })}
        />
      </Dropdown>
    </span>
  )
}

const itemsIn = (menu: HTMLElement | null): HTMLElement[] => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]:not([aria-disabled="true"])') ?? []),
]
