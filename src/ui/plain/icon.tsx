import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/es/types'
import styles from './icon.module.css'

/**
 * Single-colour icon of Ant Design without Ant Design itself, for the shell and the first screen. Hidden from screen readers: the
 * text next to it, or around it, has its meaning.
 */
export function Icon({ of: { icon } }: { of: IconDefinition }) {
  const { attrs, children = [] } = icon as AbstractNode
  return (
    <svg className={styles.icon} viewBox={attrs['viewBox']} aria-hidden="true">
      {children.map(({ attrs: { d } }) => (
        <path key={d} d={d} />
      ))}
    </svg>
  )
}
