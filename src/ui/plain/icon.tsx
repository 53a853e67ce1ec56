import type { AbstractNode, IconDefinition } from '@ant-design/icons-svg/es/types'
import styles from './icon.module.css'

/**
 * One of Ant Design's icons of one colour where Ant Design itself may not be there: in the shell and on the first screen. Never read
 * aloud: what it stands beside, or in, says what it means.
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
