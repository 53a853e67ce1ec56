import { Form } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import styles from './form.module.css'

interface FoldProps {
  /** Heading; "More" by default. */
  label?: string
  isOpenAtFirst?: boolean
  isForcedOpen?: boolean
  children: ReactNode
}

interface Props extends Omit<FoldProps, 'isForcedOpen'> {
  /** Names of the fields: an error of one of them opens the group. */
  names: readonly string[]
}

/** Fields of a form that are rarely needed, folded below a heading. */
export const MoreFields: FC<Props> = ({ names, ...props }) => (
  <Form.Item noStyle shouldUpdate>
    {({ getFieldsError }) => (
      <Fold {...props} isForcedOpen={getFieldsError([...names]).some(({ errors }) => errors.length > 0)} />
    )}
  </Form.Item>
)

/** Part of a form that is folded below a heading. */
export const Fold: FC<FoldProps> = ({ label, isOpenAtFirst = false, isForcedOpen = false, children }) => {
  const t = useT()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details
      className={styles.more}
      open={isOpen || isForcedOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{label ?? t('screens:form.more')}</summary>
      {children}
    </details>
  )
}
