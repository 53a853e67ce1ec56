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
 * Name of a row: a link that opens its panel and can be copied or opened in another tab. A plain link, because the router's renders in
 * every row on each change of the address.
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
