import { Form } from 'antd'
import type { ReactElement, FC } from 'react'
import type { z } from 'zod'
import { describeField } from '../../data/failure.ts'
import { isRequired, reasonFor } from '../../record-kit/field-rules.ts'

interface Props {
  name: string
  label: string
  /** The field's rule in the contract. */
  rule: z.ZodType
  wide?: string | undefined
  hint?: string
  valuePropName?: string
  children: ReactElement
}

/** A field of a form whose rule is the contract's. */
export const Field: FC<Props> = ({ name, label, rule, wide, hint, valuePropName, children }) => (
  <Form.Item
    name={name}
    label={label}
    required={isRequired(rule)}
    validateTrigger={['onBlur', 'onSubmit']}
    {...(wide && { className: wide })}
    {...(hint && { extra: hint })}
    {...(valuePropName && { valuePropName })}
    rules={[
      {
        validator: (_, value: unknown) => {
          const reason = reasonFor(rule, value)
          return reason ? Promise.reject(new Error(describeField(reason))) : Promise.resolve()
        },
      },
    ]}
  >
    {children}
  </Form.Item>
)
