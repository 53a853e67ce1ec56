import { Form } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { useT } from '../lib/i18n/i18n.ts'
import styles from './form.module.css'

interface Props {
  /** Heading; "More" by default. */
  label?: string
  /** Names of the fields: an error of one of them opens the group. */
  names: readonly string[]
  isOpenAtFirst: boolean
  children: ReactNode
}

/** Fields of a form that are rarely needed, folded below a heading. */
export const MoreFields: FC<Props> = ({ names, ...props }) => (
  <Form.Item noStyle shouldUpdate>
    {({ getFieldsError }) => (
      <Fold {...props} hasError={getFieldsError([...names]).some(({ errors }) => errors.length > 0)} />
    )}
  </Form.Item>
)

const Fold: FC<Omit<Props, 'names'> & { hasError: boolean }> = ({
  label,
  isOpenAtFirst,
  hasError,
  children,
}) => {
  const t = useT()
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  return (
    <details
      className={styles.more}
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{label ?? t('screens:form.more')}</summary>
      {children}
    </details>
  )
}
