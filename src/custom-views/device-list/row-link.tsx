import type { FC, MouseEvent } from 'react'
import page from '../../ui/page/page.module.css'
import styles from './device-list.module.css'

interface Props {
  id: string
  name: string
  linkTo: (id: string) => string
  open: (id: string) => void
}

/**
 * A row's name, which opens its panel and is a link that can be copied or opened in another tab. Not the router's own: that
 * would be drawn again in every row whenever the address changes.
 */
export const RowLink: FC<Props> = ({ id, name, linkTo, open }) => (
  <a
    className={`${page.ellipsis} ${page.touch} ${styles.name}`}
    href={linkTo(id)}
    onClick={(event) => {
      event.stopPropagation()
      if (opensElsewhere(event)) return
      event.preventDefault()
      open(id)
    }}
  >
    {name}
  </a>
)

const opensElsewhere = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey
